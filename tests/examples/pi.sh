run --samples 1000000
prints '1000000 points on cpu'
between 3.1316 3.1516 'pi is about (.*), give or take .*'
# 4 sqrt(p (1 - p) / n) with p = pi / 4
between 0.00163 0.00165 'pi is about .*, give or take (.*)'

# Another seed, other numbers.
run --samples 1000 --seed 5
between 2.98 3.30 'pi is about (.*), give or take .*'
shows_progress --samples 1000
