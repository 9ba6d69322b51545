run --points 2000
prints 'pictures/kmeans\.svg: 10000 points on cpu'
falling 'step .*: mean squared distance (.*)'
# In the end that of a normal distribution in two dimensions, 2 * 0.7^2.
between 0.94 1.02 'step [3-9]: mean squared distance (.*)'
between 0 0.06 'farthest from a true one: (.*)'
# One of the true centres is (4, 0).
prints '.* \[ *(3\.9|4\.0)[0-9]* +-?0\.0[0-9]*(e-[0-9]+)?\].*'
plot pictures/kmeans.svg '>group 0<' '>group 4<'
