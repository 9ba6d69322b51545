# The ```diff blocks of a page, applied to the files of a folder:  awk -v folder=copy -f apply.awk docs/CONTRIBUTING.md
#
# A block is unified diffs without line numbers: what is replaced must be in the file, once.

function fail(why) {
  print FILENAME ":" NR ": " why > "/dev/stderr"
  failed = 1
  exit 1
}

function content_of(path,    text, line, status) {
  while ((status = (getline line < path)) > 0) text = text line "\n"
  close(path)
  return status < 0 ? "\001" : text
}

# Writes what was collected of one place of one file.
function apply(    text, at) {
  if (old == "" && new == "") return
  text = content_of(folder "/" file)
  if (old == "") {
    if (text != "\001") fail(file " is there already: the page needs another example")
    text = new
  } else {
    at = index(text, old)
    if (!at) fail(file " has no such lines:\n" old)
    if (index(substr(text, at + 1), old)) fail(file " has these lines more than once:\n" old)
    text = substr(text, 1, at - 1) new substr(text, at + length(old))
  }
  printf "%s", text > (folder "/" file)
  close(folder "/" file)
  old = new = ""
}

/^```/ {
  if (inside) apply()
  inside = !inside && /^```diff/
  next
}
!inside { next }
/^--- / { apply(); next }
/^\+\+\+ b\// { file = substr($0, 7); next }
/^@@/ { apply(); next }
/^\+/ { new = new substr($0, 2) "\n"; next }
/^-/ { old = old substr($0, 2) "\n"; next }
{ old = old substr($0, 2) "\n"; new = new substr($0, 2) "\n" }

END { if (!failed && inside) { print FILENAME ": the last block does not end" > "/dev/stderr"; exit 1 } }
