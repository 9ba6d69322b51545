run
# The sum of (i / 999)^2
between 333.4 333.6 'sum of squares by your own function: (.*)'
prints "the vector's last element, after gnp's work on it: 6"
if grep -q 'built without Eigen' output; then
  echo "without Eigen"
else
  between 0 1e-10 "Eigen's solution of gnp's equations, residual by gnp: (.*)"
  prints ' *0 +1 +2'
  prints '10 11 12'
fi
if grep -q 'CUDA runtime' output; then
  prints 'no GPU for the CUDA runtime|built without the CUDA runtime'
else
  prints 'memory of cudaMalloc, written by gnp: its last element is 1'
  prints 'memory of gnp, cleared by cudaMemset: its sum is 0\.0'
fi
