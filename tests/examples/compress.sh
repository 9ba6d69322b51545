run --width 96 --height 64 --rank 8
falling 'rank .*: error (.*) %, foretold .*'
falling 'rank .*: error .* %, foretold (.*) %, .*'
# The error is what the singular values left out say, digit by digit.
for rank in 1 8 32; do
  foretold=$(numbers "rank $rank: error .* %, foretold (.*) %, .*")
  prints "rank $rank: error ${foretold:0:6}.* %, foretold .*"
done
between 8.5 8.7 'rank 8: error (.*) %, foretold .*'
between 20.9 21.0 'rank 8: error .* foretold .* %, (.*) % of the numbers'
picture compress.png 'RGB 200x64 colours [1-9][0-9]{3,} from [0-9]+ to 255 mean .*'
plot compress.svg '>rank<' '>relative error<'
