# As heat.sh expects of one process: the same, however many there are.
for processes in 1 3; do
  run --size 64 --steps 640 --processes $processes
  between 0.25288 0.25290 'after 640 steps: from (.*) to .*'
  between 0.40714 0.40717 'after 640 steps: from .* to (.*), .*'
  between 1432.19 1432.31 'after 640 steps: .* total heat (.*) before .*'
  between 1432.19 1432.31 'after 640 steps: .* before and (.*) now'
  prints "pictures/distributed_heat.png: computed by $processes on cpu"
  picture pictures/distributed_heat.png 'RGB 64x64 colours [1-9][0-9]+ from [0-9]+ to [0-9]+ mean .*'
done
