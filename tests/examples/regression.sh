run --steps 1500 --samples 1000
# The error of an estimate is about noise / sqrt(samples) = 0.003.
between 0.0005 0.02 '  least squares is within (.*) of the truth'
between 0 1e-4 '  gradient descent within (.*) of least squares after .* steps'
between 5 100 '  gradient descent within .* of least squares after (.*) steps'
# What remains is the noise, 0.05^2.
between 0.1 1000 '  step 1: mean squared error (.*)'
between 0.0018 0.0032 '  step 1500: mean squared error (.*)'
between 0 0.03 '  from the wave without noise it differs by (.*) on average'
plot pictures/regression.svg 'Training' 'What was learned' '>measurements<'
shows_progress --steps 20
