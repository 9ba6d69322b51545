run --width 96 --height 64
prints 'before: 40 levels from 10 to 94, quartiles .*, contrast .*'
prints 'after: 3[0-9] levels from 0 to 255, quartiles .*, contrast .*'
between 11 13 'before: .*, contrast (.*)'
# As many pixels in each quarter of the levels: the middle half is 127 levels wide, give or take.
between 65 80 'after: .*, contrast (.*)'
picture pictures/equalize.png 'RGB 200x64 colours [1-9][0-9]+ from 0 to 255 mean .*'
plot pictures/equalize.svg '>level<' '>after<'
