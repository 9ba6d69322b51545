run --size 5
prints 'device: cpu'
prints 'sin\(x\)\*y\+x: \[0\. +3\.09847[0-9]* *4\.04107[0-9]* *8\.43[78][0-9]* *9\.45597[0-9]* *\]'
prints 'time: [0-9.e-]+ ms for 5 elements, [0-9.e-]+ GB/s'
