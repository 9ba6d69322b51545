run --n 100001 --size 50 --width 40
prints 'on cpu'
prints 'vectors: equal to x \+ y'
between 0 1e-6 'selu: largest difference (.*)'
between 0 1e-4 'matrices: largest difference (.*)'
# 100 times the numbers below 1000, and 0
prints 'sum: 49950000, by gnp::sum: 49950000'
prints '.*@@@@.*'
