run --width 96 --height 64 --rank 8
falling 'rank .*: error (.*) %, predicted .*'
falling 'rank .*: error .* %, predicted (.*) %, .*'
# The error is what the singular values left out say, digit by digit.
for rank in 1 8 32; do
  predicted=$(numbers "rank $rank: error .* %, predicted (.*) %, .*")
  prints "rank $rank: error ${predicted:0:6}.* %, predicted .*"
done
between 8.5 8.7 'rank 8: error (.*) %, predicted .*'
between 20.9 21.0 'rank 8: error .* predicted .* %, (.*) % of the numbers'
picture pictures/compress.png 'RGB 200x64 colours [1-9][0-9]{3,} from [0-9]+ to 255 mean .*'
plot pictures/compress.svg '>rank<' '>relative error<'
