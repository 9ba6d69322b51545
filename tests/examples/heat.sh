run --size 64 --steps 640
# What a loop in Python's double finds. No heat is lost: 1432.25 in the end as in the beginning.
prints 'after 0 steps: from 0\.0 to 1\.0, total heat 1432\.2[45].*'
between 0.07612 0.07614 'after 40 steps: from (.*) to .*'
between 0.59882 0.59885 'after 40 steps: from .* to (.*), .*'
between 0.25288 0.25290 'after 640 steps: from (.*) to .*'
between 0.40714 0.40717 'after 640 steps: from .* to (.*), .*'
between 1432.249 1432.251 'after 640 steps: .* total heat (.*)'
picture pictures/heat.png 'RGB 268x64 colours [1-9][0-9]{2,} from 0 to 255 mean .*'
shows_progress --size 16 --steps 100
