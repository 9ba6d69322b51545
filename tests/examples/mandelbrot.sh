# The area of the Mandelbrot set is 1.5066; this picture's is 3 by 2.
run --width 300 --height 200 --re=-0.6 --im 0 --size 3 --limit 2000
prints 'pictures/mandelbrot\.png: 300 x 200 pixels, .* % inside the set, computed on cpu'
between 24.8 25.6 '.* pixels, (.*) % inside .*'
picture pictures/mandelbrot.png 'RGB 300x200 colours [1-9][0-9]{3,} from 0 to 2[0-9]{2} mean .*'

# The cardioid's middle is black.
run --width 7 --height 5 --re=-0.2 --im 0 --size 0.1 --file inside.png
between 100 100 '.* pixels, (.*) % inside .*'
picture inside.png 'RGB 7x5 colours 1 from 0 to 0 mean 0 0 0'

shows_progress --width 64 --height 200
