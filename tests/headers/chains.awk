# Puts headers into chains, so that compiling a chain shows of each of its headers what compiling it alone would, for
# little more than the last one takes: each header includes those before it in its chain, so that it finds there
# nothing but what it includes itself. One chain a line, the longest first.
# awk -v wanted=<file of headers> -f chains.awk <all headers>
FNR == 1 { depth = 0 }
/^ *# *if/ { ++depth }
/^ *# *endif/ { --depth }
# What is included in some configurations only does not count.
/^ *# *include *<gnp\// && depth == 0 {
  sub(/[^<]*</, "")
  sub(/>.*/, "")
  includes[FILENAME] = includes[FILENAME] " " $0
}

# All that the header includes, by way of from.
function collect(header, from,    list, count, i) {
  count = split(includes[from], list, " ")
  for (i = 1; i <= count; ++i) {
    if ((header, list[i]) in included) continue
    included[header, list[i]]
    ++size[header]
    collect(header, list[i])
  }
}

# Of the headers left, of those that this one includes where one is named, the one that includes most.
function largest_left(by,    best, header) {
  best = ""
  for (header in left) {
    if (by != "" && !((by, header) in included)) continue
    if (best == "" || size[header] > size[best] || (size[header] == size[best] && header < best)) best = header
  }
  return best
}

END {
  while ((getline header < wanted) > 0) {
    left[header]
    collect(header, header)
  }
  while ((header = largest_left("")) != "") {
    chain = header
    delete left[header]
    while ((header = largest_left(header)) != "") {
      chain = header " " chain
      delete left[header]
    }
    print chain
  }
}
