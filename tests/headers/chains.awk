# Puts headers into chains, so that compiling a chain shows of each of its headers what compiling it alone would, for
# little more than the last one takes: each header includes those before it in its chain, so that it finds there
# nothing but what it includes itself. Some headers that many include, the hubs, are apart: they can be precompiled, and
# a chain's headers all include its hub, so that it adds nothing to what they find, either.
# A line for each hub comes first, "hub - <the hub>"; then one for each chain, "chain <its hub or -> <headers>",
# the longest first.
# awk -v wanted=<file of headers> -v hubs=<how many at most> -f chains.awk <all headers>
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
    all[header] = all[header] " " list[i]
    ++size[header]
    collect(header, list[i])
  }
}

# The header that would save most as a hub: others need not read it again, and it has to be precompiled.
function best_hub(    best, saved, header, list, count, i) {
  for (header in left) {
    count = split(all[header], list, " ")
    for (i = 1; i <= count; ++i)
      if (size[list[i]] > size[hub_of[header]]) saved[list[i]] += size[list[i]] - size[hub_of[header]]
  }
  best = "-"
  saved["-"] = 0
  for (header in saved) saved[header] -= 2 * size[header]
  for (header in saved)
    if (saved[header] > saved[best] || (saved[header] == saved[best] && header < best)) best = header
  return best
}

# Of the headers left, of those that this one includes where one is named and that have its hub, the one that includes
# most.
function largest_left(by,    best, header) {
  best = ""
  for (header in left) {
    if (by != "" && (!((by, header) in included) || hub_of[header] != hub_of[by])) continue
    if (best == "" || size[header] > size[best] || (size[header] == size[best] && header < best)) best = header
  }
  return best
}

END {
  while ((getline header < wanted) > 0) {
    left[header]
    hub_of[header] = "-"
    collect(header, header)
  }
  size["-"] = 0
  for (i = 1; i < ARGC; ++i)
    if (!(ARGV[i] in left)) collect(ARGV[i], ARGV[i])
  for (i = 1; i <= hubs && (hub = best_hub()) != "-"; ++i) {
    print "hub", "-", hub
    for (header in left)
      if ((header, hub) in included && size[hub] > size[hub_of[header]]) hub_of[header] = hub
    if (hub in left) delete left[hub]
  }
  while ((header = largest_left("")) != "") {
    chain = header
    hub = hub_of[header]
    delete left[header]
    while ((header = largest_left(header)) != "") {
      chain = header " " chain
      delete left[header]
    }
    print "chain", hub, chain
  }
}
