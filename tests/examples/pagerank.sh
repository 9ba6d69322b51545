run
prints '500 pages, 4000 links, 50 dead ends: [0-9]+ steps'
between 0.11 0.12 'page 0: rank (.*), 492 links to it'
falling 'page .*: rank (.*), .* links to it'
between 0 1e-14 'all ranks add up to 1 but for (.*)'
between 0 1e-14 'with a dense matrix: the largest difference is (.*) after .* steps'

# Where no link is followed all pages are the same.
run --damping 0 --pages 10 --links 3
prints 'page 0: rank 0\.1, .*'
between 0 1e-15 'with a dense matrix: the largest difference is (.*) after .* steps'
