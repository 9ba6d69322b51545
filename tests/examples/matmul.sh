run
prints 'c:       array<float32> \(64, 64\) on cpu'
prints 'product: host_array<float32> \(64, 64\)'
between -2.1176 -2.1173 '(.*) is its first element, .* its last'
between -2.6992 -2.6989 '.* is its first element, (.*) its last'
between 1e-8 1e-5 'largest error: (.*)'

run --size 100 --seed 2
prints 'product: host_array<float32> \(100, 100\)'
between 1e-8 1e-5 'largest error: (.*)'
