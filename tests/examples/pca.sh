run
# Three causes, and what is left is noise: five variances of 0.01, of a hundred and some times as much.
prints 'share of the variance: \[0\.6[0-9]+ 0\.2[0-9]+ 0\.1[0-9]+ 0\.00[0-9]+ .*\]'
prints 'and all up to here: .* 1\. *\]'
between 0 1e-12 'eigenvalues of the covariance differ by (.*), directions .*'
between 0 1e-12 'eigenvalues .*, directions by (.*)'
falling '. of 8: (.*) % of the variance lost, predicted .* %'
for k in 1 2 3 4; do
  predicted=$(numbers "$k of 8: .*, predicted (.*) %")
  prints "$k of 8: ${predicted} % of the variance lost, predicted .* %"
done
between 0.3 0.6 '3 of 8: (.*) % of the variance lost, .*'
between 0.5 1 'largest correlation of two features: (.*), of two components: .*'
between 0 1e-10 'largest correlation .*, of two components: (.*)'
prints '1000 samples on cpu'

# Without noise two components are all there is.
run --causes 2 --noise 0 --features 20
between 0 1e-25 '2 of 20: (.*) % of the variance lost, .*'
