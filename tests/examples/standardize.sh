run --samples 20000
prints 'samples.npy: \(20000, 6\) of float32'
between 0 1e-3 'largest \|mean\| afterwards: (.*)'
between 0.05 1 'largest \|correlation\| of two features: (.*)'
prints 'z \(20000, 6\)'
prints 'correlation \(6, 6\)'
run --input samples.npy --output again.npz
prints 'samples.npy: \(20000, 6\) of float32'
prints 'in Python: np.load\("again.npz"\)\["correlation"\]'
