run --size 5
prints 'device: cpu'
# Nothing in exponent form at first sight.
prints 'row \+ column:'
prints '\[\[ 1\.  2\.  3\.  4\.  5\.\]'
prints ' \[11\. 12\. 13\. 14\. 15\.\]'
prints ' \[21\. 22\. 23\. 24\. 25\.\]\]'
# Of x = 0, 2.5, 5, 7.5, 10.
between 5.0066 5.0068 'mean of sin\(x\)\*y\+x: (.*)'
prints 'time: [0-9.e-]+ ms for 5 elements, [0-9.e-]+ GB/s'
