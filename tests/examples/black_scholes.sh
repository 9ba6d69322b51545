run --count 20000
prints '  strike     call      put    delta    gamma     vega    theta'
# As in textbooks: stock and strike at 100, 5 %, a volatility of 20 %, one year.
prints ' \[100\.0000 +10\.4506 +5\.5735 +0\.6368 +0\.0188 +37\.5240 +-6\.4140\]'
between 0 1e-12 'put-call parity holds up to (.*)'
between 0 1e-5 'delta is within (.*) of a difference, gamma .*'
between 0 1e-5 'delta is .*, gamma within (.*)'
between 15 17 '20000 calls cost (.*) on average, puts .*, on cpu'

# Without interest a call and a put at the money cost the same.
run --count 100 --rate 0
prints ' \[100\.0000 +7\.9656 +7\.9656 .*'
between 0 1e-12 'put-call parity holds up to (.*)'
