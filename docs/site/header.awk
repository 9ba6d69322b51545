# A public header, as Doxygen reads it:  awk -f header.awk include/gnp/routines/creation.hpp
#
# Comments above a declaration and beside a member become documentation, macros that declare functions become those
# functions, what is internal is left out, and each declaration joins the group of its topic (docs/site/reference.dox).
# Lines keep their numbers, as far as it goes, for Doxygen's warnings.

# The topic of a header.
function topic_of(path) {
  if (path ~ /core\/error/) return "errors_reference"
  if (path ~ /core\/reduce_options/) return "reductions_reference"
  if (path ~ /core\/|array\/(array|host_array|members|indexing|forward)/) return "arrays_reference"
  if (path ~ /array\/(device|stream)|threads|io\/config/) return "devices_reference"
  if (path ~ /array\/(from_pointer|transfer)|routines\/(creation|ranges)|interop\//) return "creation_reference"
  if (path ~ /routines\/(manipulation|diagonal)/) return "views_reference"
  if (path ~ /expr\/ufunc|expr\/expression/) return "ufuncs_reference"
  if (path ~ /expr\/logic|comparisons/) return "logic_reference"
  if (path ~ /expr\/operators/) return "operators_reference"
  if (path ~ /expr\//) return "math_reference"
  if (path ~ /routines\/(reductions|nan_reductions|scans|differences|several|explain)/) return "reductions_reference"
  if (path ~ /linalg\//) return "linalg_reference"
  if (path ~ /random\//) return "random_reference"
  if (path ~ /\/fft\//) return "fft_reference"
  if (path ~ /io\/(format|layout|print)/) return "printing_reference"
  if (path ~ /io\/(any_array|file|elements|npy|npz|loadtxt|savetxt|raw)\.hpp/) return "files_reference"
  return ""  # in the list of all names only
}

# The name that a declaration declares.
function declared(line) {
  gsub(/<[^()]*>/, "", line)
  if (match(line, /[A-Za-z_0-9~]+ *\(/)) {
    line = substr(line, RSTART, RLENGTH)
    sub(/ *\($/, "", line)
    return line
  }
  if (match(line, /(class|struct|enum class|using|concept) +[A-Za-z_0-9]+/)) {
    line = substr(line, RSTART, RLENGTH)
    sub(/^.* /, "", line)
    return line
  }
  return ""
}

# Constraints are for the compiler; they hide the declaration from the reader, and from Doxygen.
function without_requires(line,  start, depth, i, c, more) {
  start = match(line, /requires *(\(|[A-Za-z!])/)
  if (!start) return line
  for (i = start + 8;; ++i) {
    if (i > length(line)) {
      if (depth == 0 || (getline more) <= 0) return substr(line, 1, start - 1)
      line = line " " more
    }
    c = substr(line, i, 1)
    if (c == "(" || c == "<") ++depth
    else if (c == ")" || c == ">") --depth
    if (depth == 0 && i > start + 8 && (c == " " || (c == ")" && substr(line, i + 1, 2) != "&&"))) break
  }
  return substr(line, 1, start - 1) substr(line, i + 1)
}

# What is said of a declaration that has no comment of its own.
function default_brief(name, declaration) {
  if (name in seen) return "@overload"
  if (index(file_comment, name) == 1) return file_comment
  if (name ~ /_options$/) { sub(/_options$/, "", name); return "Keyword arguments of " name "." }
  if (FILENAME ~ /(routines|linalg|random|fft|expr)\// && declaration !~ /class|struct/) return "NumPy's `" module name "`."
  return ""
}

function flush_comment(declaration,  name) {
  name = declared(declaration)
  if (comment == "" && name != "" && declaration !~ /operator/) comment = "/// " default_brief(name, declaration) "\n"
  if (name != "") seen[name] = 1
  printf "%s", comment
  if (name != "" && topic != "") print "/// @ingroup " topic
  comment = ""
}

function ufunc(name, parameters,  list, count, i, types, arguments) {
  gsub(/[() ]/, "", parameters)
  count = split(parameters, list, ",")
  for (i = 1; i <= count; ++i) {
    types = types (i > 1 ? ", " : "") "class X" i
    arguments = arguments (i > 1 ? ", " : "") "const X" i "& " list[i]
  }
  print "/// NumPy's `" name "`, element by element: an expression."
  print "/// @ingroup " topic
  print "template <" types ">\nauto " name "(" arguments ");"
  arguments_of[name] = parameters
}

FNR == 1 { topic = topic_of(FILENAME) }
FNR == 2 || (FNR < 9 && in_file_comment) {
  in_file_comment = /^\/\//
  if (in_file_comment) file_comment = file_comment (FNR > 2 ? " " : "") substr($0, 4)
}

# Preprocessor: nothing but the one macro that users call.
/^#define GNP_UFUNC\(/ {
  printf "%s", comment
  print "/// @ingroup ufuncs_reference\n#define GNP_UFUNC(name, parameters, ...)"
  comment = ""
  if (/\\$/) in_macro = 1
  next
}
# What a file with the library does not read has been declared above.
/^#ifdef GNP_READS_BODIES/ { in_bodies = 1; comment = ""; print ""; next }
in_bodies { in_bodies += /^#if/ - /^#endif/; print ""; next }
/^#/ || in_macro { in_macro = /\\$/; comment = ""; print ""; next }

# Namespaces.
/^namespace gnp [{] inline namespace GNP_ABI [{] namespace detail/ && FILENAME !~ /members\.hpp$/ { hidden = 1 }
/^namespace (detail|scalar|operations|ufuncs)/ { hidden = 1 }
/^} +\/\/ namespace (detail|scalar|operations|ufuncs)/ { hidden = 0; print ""; next }
hidden { print ""; next }
/^}}+ +\/\/ namespace gnp/ { sub(/^}+/, "}") }
/^namespace / {
  sub(/inline namespace GNP_ABI [{]/, "")
  sub(/ [{] +namespace /, "::")
  sub(/ [{] +$/, " {")
  sub(/gnp::detail/, "gnp")
  if (match($0, /(linalg|random|fft)/)) module = substr($0, RSTART, RLENGTH) "."
  comment = ""
  print
  next
}
/^} +\/\/ namespace (linalg|random|fft)/ { module = "" }

# Macros that declare functions.
/^GNP_NUMPY_(UFUNC|NAME)\(/ {
  text = $0
  sub(/^[A-Z_]+\(/, "", text)
  name = text
  sub(/,.*/, "", name)
  rest = substr(text, length(name) + 3)
  if (/^GNP_NUMPY_UFUNC/) { match(rest, /\([^)]*\)/); ufunc(name, substr(rest, RSTART, RLENGTH)) }
  else { sub(/\).*/, "", rest); ufunc(name, arguments_of[rest]) }
  if ($0 !~ /;$/) in_call = 1
  next
}
/^GNP_NUMPY_OPERATION\(/ { in_call = !/\)$/; print ""; next }
in_call { in_call = !/\);?$/; print ""; next }
/^GNP_(BINARY|UNARY)_OPERATOR\(/ {
  symbol = function_name = $0
  sub(/^[A-Z_]+\(/, "", symbol)
  sub(/, .*/, "", symbol)
  sub(/^.*, */, "", function_name)
  sub(/\).*/, "", function_name)
  print "/// The same as " function_name ".\n/// @ingroup " topic
  if (/^GNP_BINARY/) print "template <class A, class B> auto operator" symbol "(const A& a, const B& b);"
  else print "template <class A> auto operator" symbol "(const A& a);"
  next
}

/^GNP_COMPOUND_OPERATOR\(/ {
  symbol = $0
  sub(/^[A-Z_]+\(/, "", symbol)
  sub(/, .*/, "", symbol)
  print "/// Writes into a's memory.\n/// @ingroup " topic
  print "template <class T, class X> array<T>& operator" symbol "(array<T>& a, const X& x);"
  next
}

# Comments: kept until what they stand above is seen.
/^(  )?\/\/ (clang-format|SPDX)/ { print ""; next }
/^\/\// || (in_class && /^  \/\//) {
  line = $0
  if (line !~ /\/\/\//) sub(/\/\//, "///", line)
  comment = comment line "\n"
  next
}
/^$/ { comment = ""; print; next }

# Members for gnp's own headers, and definitions of what a class has declared.
skipped_until != "" { if ($0 ~ skipped_until) skipped_until = ""; next }
in_class && /^  [^ ].*(storage_ref|view_layout|element_strides\()/ && !/;$/ {
  comment = ""
  if (!/\}$/) skipped_until = /\{$/ ? "^  }" : "}$"
  next
}
/^(inline.* gnp_[a-z_]+\(|(auto|array).*<(Derived|T)>::)/ { head = comment = ""; if (!/\}$/) skipped_until = "^}"; next }

# Declarations.
/^GNP_DEFINED_ON_USE / { head = comment = ""; if (!/\}$/) skipped_until = "^}"; next }
{
  sub(/^GNP_(INLINE|ON_USE|DECLARED|DECLARED_ON_USE) /, "inline ")
  gsub(/detail::/, "")
  sub(/auto\(min\)/, "auto min")
  sub(/auto\(max\)/, "auto max")
}
/^};?/ { in_class = 0 }
/^(class|struct|union) .*\{$/ {
  in_class = 1
  in_members = /array_members \{/
}
/^template/ && !/\{|;$/ { head = head without_requires($0) "\n"; next }
/^ *requires/ && head != "" && without_requires($0) ~ /^ *$/ { next }
/^(template|inline|auto|class|struct|using|concept|constexpr|enum|void|array|host_array|svd|std|bool|[a-z_]+<)/ || head != "" {
  flush_comment($0)
  printf "%s", head
  head = ""
  print without_requires($0)
  next
}
{
  if (comment == "" && in_members && match($0, /^  auto [a-z]+\(/))
    comment = "  /// As gnp::" substr($0, 8, RLENGTH - 8) ".\n"
  printf "%s", comment
  comment = ""
  $0 = without_requires($0)
  if (in_class && match($0, /; +\/\/ /)) $0 = substr($0, 1, RSTART) "  ///< " substr($0, RSTART + RLENGTH)
  print
}
