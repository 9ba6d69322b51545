# The C++ snippets of a page as one program:  awk -v page=docs/arrays.md -f extract.awk docs/arrays.md > arrays.cpp
#
#   ```cpp               compiled, and run on the CPU device
#   ```cpp compile-only  compiled, not run
#   ```cpp cuda          compiled where the CUDA headers are, and run where there is a GPU
#   ```cpp cuda 2        the same for so many GPUs
#   ```text              right after a snippet: what it prints, compared exactly
#
# A snippet is a whole program (whose main becomes a function) or statements, in a namespace of its own. Of the
# statements, what starts at column 0 with GNP_UFUNC(, template, struct, or as the definition of a function does,
# goes in front of the function; #include lines go to the head of the file.

function start_snippet() {
  ++snippets
  kind = $0
  sub(/^```cpp */, "", kind)
  gpus[snippets] = 0
  if (kind ~ /^cuda( [0-9]+)?$/) {
    gpus[snippets] = kind == "cuda" ? 1 : substr(kind, 6)
    kind = "cuda"
  }
  if (kind != "" && kind != "cuda" && kind != "compile-only") {
    print page ":" NR ": unknown kind of snippet: " kind > "/dev/stderr"
    failed = 1
    exit 1
  }
  first_line[snippets] = NR + 1
  runs[snippets] = kind == "" || kind == "cuda"
  outside = ""
  inside = ""
  definition = ""
  whole_program = 0
}

function end_snippet() {
  if (kind == "cuda") program = program "#if GNP_HAS_CUDA\n"
  program = program "namespace snippet_" snippets " {\n" outside
  if (!whole_program) program = program "void program() {\n" inside "}\n"
  program = program "}\n"
  if (kind == "cuda") program = program "#endif\n"
}

function place() { return "#line " NR " \"" page "\"\n" }

function to_outside(line) { outside = outside place() line "\n" }

function ends_ufunc(line) { return line ~ /\);( *\/\/.*)?$/ }

/^```/ && state != "" && state != "after" {
  if (state == "cpp") end_snippet()
  state = state == "cpp" ? "after" : ""
  next
}

state == "cpp" {
  if ($0 ~ /^#include/) {
    includes = includes $0 "\n"
  } else if (definition != "") {
    to_outside($0)
    if ((definition == "ufunc" && ends_ufunc($0)) || (definition == "braces" && $0 ~ /^};?/)) definition = ""
  } else if ($0 ~ /^int main\(\)/) {
    whole_program = 1
    definition = "braces"
    line = $0
    sub(/int main/, "void program", line)
    to_outside(line)
  } else if ($0 ~ /^GNP_UFUNC\(/) {
    to_outside($0)
    if (!ends_ufunc($0)) definition = "ufunc"
  } else if ($0 ~ /^(template|struct) / || ($0 ~ /^[a-z].*\) \{$/ && $0 !~ /^(for|if|while|switch) /)) {
    to_outside($0)
    definition = "braces"
  } else if (whole_program || $0 ~ /^(using|namespace) /) {
    to_outside($0)
  } else {
    if (inside == "") inside = place()
    inside = inside $0 "\n"
  }
  next
}

state == "text" {
  if (snippets in expected) expected[snippets] = expected[snippets] "\n" $0
  else expected[snippets] = $0
  next
}

END {
  if (failed) exit 1
  print "// Made by tests/snippets/extract.awk from " page "."
  print "#include <gnp/gnp.hpp>\n#include <iostream>\n#include \"snippets.hpp\"\n" includes
  print program
  print "int main() {\n  snippets::page page(\"" page "\");"
  for (i = 1; i <= snippets; ++i) {
    if (!runs[i]) continue
    text = (i in expected) ? "R\"~~~~(" expected[i] ")~~~~\"" : "nullptr"
    call = first_line[i] ", snippet_" i "::program, " text ");"
    if (gpus[i]) print "#if GNP_HAS_CUDA\n  page.run_on_gpus(" gpus[i] ", " call "\n#endif"
    else print "  page.run(" call
  }
  print "  return page.finish(" snippets ");\n}"
}

state == "" || state == "after" {
  if ($0 ~ /^```cpp/) {
    start_snippet()
    state = "cpp"
  } else if ($0 ~ /^```text/ && state == "after" && runs[snippets]) {
    state = "text"
  } else if ($0 ~ /^```/) {
    state = "other"
  } else if ($0 !~ /^ *$/) {
    state = ""
  }
}
