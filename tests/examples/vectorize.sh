run --circle 100001 --selu 20001
prints 'cos\(x\)\^2 \+ sin\(x\)\^2, 100001 numbers on cpu: [0-9.e-]+ ms; a loop on one core: [0-9.e-]+ ms; [0-9.e+-]+ times as fast'
prints 'SELU, 20001 numbers on cpu: .*'
between 0.999999 1 '  from (0\.9.*) to 1.*, largest difference to the loop .*'
between 1 1.000001 '  from 0\.9.* to (1.*), largest difference to the loop .*'
between 0 1e-6 '  from 0\.9.*, largest difference to the loop (.*)'
# SELU(-10) = 1.05070098 * 1.67326324 * (exp(-10) - 1) and SELU(10) = 10.5070098
between -1.75803 -1.75801 '  from (-.*) to .*, largest difference to the loop .*'
between 10.50700 10.50702 '  from -.* to (.*), largest difference to the loop .*'
between 0 1e-6 '  from -.*, largest difference to the loop (.*)'
