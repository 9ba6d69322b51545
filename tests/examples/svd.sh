# The singular values are those that NumPy finds in the same matrix.
run
prints 'a : array<float32> \(64, 64\) on cpu'
prints 'u : array<float32> \(64, 64\) on cpu'
prints 's : array<float32> \(64,\) on cpu'
prints 'vh: array<float32> \(64, 64\) on cpu'
prints 'host_array<float32> \(64,\): 8\.7498[0-9]* 8\.608[89][0-9]* 7\.968[45][0-9]* 7\.778[89][0-9]* .* \.\.\. 0\.0271[0-9]+'
between 1e-8 1e-5 'reconstruction error: (.*)'
between 1e-8 1e-4 'u is orthogonal up to (.*), v .*'
between 1e-8 1e-4 'u is .*, v up to (.*)'

# Fewer columns than rows: the smaller factors.
run --rows 8 --columns 5 --seed 3
prints 'u : array<float32> \(8, 5\) on cpu'
prints 'vh: array<float32> \(5, 5\) on cpu'
prints 'host_array<float32> \(5,\): 2\.8288[0-9]* 2\.3423[0-9]* 1\.4889[0-9]* 0\.9271[0-9]* 0\.7457[0-9]*'
between 1e-8 1e-5 'reconstruction error: (.*)'
