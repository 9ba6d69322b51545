run --generations 40
# The glider in the lower right corner, and where it has gone over the edges.
prints '\.\.\.\.\.###'
prints '#\.\.\.\.\.##'
prints 'it moved down and right by one'
between 5500 5900 'generation 0: (.*) of 16384 cells are alive'
between 1000 4000 'generation 40: (.*) are'
prints 'rolled, 0 cells differ, on cpu'

run --size 17 --seed 3 --generations 5
prints 'generation 0: .* of 289 cells are alive'
prints 'rolled, 0 cells differ, on cpu'
