for processes in 1 3; do
  run --rows 3000 --columns 5 --processes $processes
  # Random columns of falling weight: about the square root of the rows, and half of that.
  between 53 57 'the first of 5 singular values: \[ *([0-9.]+) .*'
  between 0 1e-13 'residual (.*), distance .*'
  between 0 1e-12 'residual .* columns (.*)'
  prints "3000 x 5 by $processes on cpu"
done
