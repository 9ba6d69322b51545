# Test files as one, each in a namespace of its own:  awk -f together.awk a_test.cpp b_test.cpp > together.cpp
# What a file includes before its first line of code comes first, outside of any namespace; where it is included once
# more, headers are read already.

FNR == 1 {
  for (; open > 0; --open) print "#endif"
  code = 0
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.cpp$/, "", name)
  files = files "namespace " name " {\n#include \"" FILENAME "\"\n}\n"
}
!code && /^ *#/ {
  if (/^ *# *if/) ++open
  if (/^ *# *endif/) --open
  print
}
!/^ *(#|\/\/|$)/ { code = 1 }
END {
  for (; open > 0; --open) print "#endif"
  printf "%s", files
}
