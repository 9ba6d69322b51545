for processes in 1 3; do
  run --processes $processes
  between 0.6 0.75 'step 1: cross-entropy (.*)'
  falling 'step .*: cross-entropy (.*)'
  between 0.0580 0.0586 'step 500: cross-entropy (.*)'
  between 99 100 'after: (.*) % are right'
  prints "2000 points by $processes on cpu"
done
