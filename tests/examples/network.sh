run
between 35 65 'before: (.*) % are right'
between 0.6 1 'step 1: cross-entropy (.*)'
falling 'step .*: cross-entropy (.*)'
between 0 0.03 'step 1000: cross-entropy (.*)'
between 99 100 'after: (.*) % are right, .*'
between 98 100 'after: .*, of points not seen before (.*) %'
prints '400 points, 64 hidden units, on cpu'

run --spirals 3 --points 100
between 95 100 'after: (.*) % are right, .*'
prints '300 points, .*'
shows_progress --steps 20
