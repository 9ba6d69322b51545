run
between -0.3517 -0.3516 'step 0: energy (.*)'
between -0.3517 -0.3516 'step 100: energy (.*)'
between 0 0.001 'the energy is within (.*) % of what it was'
between 0 1e-14 'momentum, which was 0: (.*)'
prints '200 stars on cpu'

# Leapfrog is of second order: steps half as long are four times as accurate.
run --stars 50 --steps 80 --dt 0.01
long=$(numbers 'the energy is within (.*) % of what it was')
run --stars 50 --steps 160 --dt 0.005
between "$(awk "BEGIN { print $long / 6 }")" "$(awk "BEGIN { print $long / 3 }")" 'the energy is within (.*) % of what it was'
shows_progress --stars 20 --steps 10
