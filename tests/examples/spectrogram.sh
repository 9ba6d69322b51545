# The rising tone is at 200 Hz and 700 more in each second; results are 15.625 Hz apart.
run
prints 'after 2 s the loudest tone is at .* Hz'
between 488 508 'after 0\.424 s the loudest tone is at (.*) Hz'
between 1584 1616 'after 2 s the loudest tone is at (.*) Hz'
between 2695 2711 'after 3\.576 s the loudest tone is at (.*) Hz'
prints 'pictures/spectrogram\.png: 493 pieces of 512 samples, computed on cpu'
picture pictures/spectrogram.png 'RGB 493x257 colours [4-9][0-9]{2} from 0 to 25[0-9] mean .*'

# A prime number of samples in a piece.
run --step 211 --overlap 1 --file prime.png
picture prime.png 'RGB 151x106 .*'
