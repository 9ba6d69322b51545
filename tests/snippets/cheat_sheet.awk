# Everything that the second column of the cheat sheet's tables says, as a program that is compiled to see whether it
# is C++:  awk -v page=docs/numpy.md -f cheat_sheet.awk docs/numpy.md > cheat_sheet.cpp

BEGIN {
  print "// Made by tests/snippets/cheat_sheet.awk from " page "."
  print "#include <gnp/gnp.hpp>\n#include <iostream>\n#include <vector>\n"
  print "using T = int;"
  print "GNP_KERNEL(add_one, (T* x, int n), { if (grid_index() < n) x[grid_index()] += 1; });"
  print "GNP_REDUCTION(best, (x), x, (p, q), max(p, q), (r), r, lowest);"
  print "void sheet(gnp::array<T> a, gnp::array<T> b, gnp::array<bool> c, gnp::array<gnp::complex64> z, gnp::array<T> n,"
  print "           gnp::host_array<T> h, std::vector<T> x, T* pointer, DLManagedTensorVersioned* tensor, ArrowSchema* schema, ArrowArray* column, gnp::device device, gnp::device d,"
  print "           gnp::stream& s, std::vector<gnp::index_arg> list) {\n  auto e = a + b;"
}

/^\|/ {
  gsub(/\\\|/, "\001")  # an escaped |
  split($0, fields, "|")
  cell = fields[3]
  while (match(cell, /`[^`]*`/)) {
    code = substr(cell, RSTART + 1, RLENGTH - 2)
    cell = substr(cell, RSTART + RLENGTH)
    gsub("\001", "|", code)
    if (code !~ /[(&|]/ || code ~ /^GNP_UFUNC/) continue
    ++count
    print "#line " NR " \"" page "\""
    print (code ~ /;$/ ? "  { " code " }" : "  static_cast<void>(" code ");")
  }
}

END { print "}\nint main() { std::cout << \"" count " entries of " page " compiled\\n\"; }" }
