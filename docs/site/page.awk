# A page of the documentation, as Doxygen reads it:  awk -f page.awk docs/arrays.md
#
# The pages are written for readers of Markdown: links name files, and sections are found by their titles. Doxygen wants
# labels. Every page gets its file's name as a label, every section that name with the title behind it, and links go
# there. README.md has no label: it is the site's first page.

function flush_paragraph() {
  if (paragraph != "") printf "%s", with_spans(with_links(paragraph))
  paragraph = ""
}

# The end of a section's address, as GitHub makes it: "Your own" is your-own.
function slug(title) {
  title = tolower(title)
  gsub(/[^a-z0-9 _-]/, "", title)
  gsub(/ /, "-", title)
  return title
}

# What a link's target is to Doxygen; empty for a file that is no page.
function target_of(link,  parts, page) {
  if (link ~ /^https?:/) return link
  split(link, parts, "#")
  page = parts[1] == "" ? label : parts[1]
  sub(/^.*\//, "", page)
  if (page !~ /\.md$/ && parts[1] != "") return ""
  sub(/\.md$/, "", page)
  if (page == "README") page = "index"
  return "@ref " page (parts[2] == "" ? "" : "-" parts[2])
}

function with_links(text,  result, link, middle, name, target) {
  while (match(text, /\[[^]\[]*\]\([^) ]*\)/)) {
    link = substr(text, RSTART, RLENGTH)
    middle = index(link, "](")
    name = substr(link, 2, middle - 2)
    gsub(/\n */, " ", name)  # a link of two lines
    gsub(/`/, "", name)      # Doxygen has no code in links,
    target = target_of(substr(link, middle + 2, length(link) - middle - 2))
    if (RSTART > 1 && substr(text, RSTART - 1, 1) == "!") {
      sub(/\(docs\//, "(", link)  # a picture, which Doxygen finds by its name
      result = result substr(text, 1, RSTART - 1) link
    } else {
      result = result substr(text, 1, RSTART - 1) (target == "" ? name : "[" name "](" target ")")
    }
    text = substr(text, RSTART + RLENGTH)
  }
  return result text
}

# Code and bold, so that Doxygen reads them as Markdown does: in its own reading, a single quote ends code, a line's end
# may, a backslash before a | in a table stays, and code is not bold.
function with_spans(text,  result, code) {
  bold = 0
  while (match(text, /`[^`]+`/)) {
    code = substr(text, RSTART + 1, RLENGTH - 2)
    result = result with_bold(substr(text, 1, RSTART - 1))
    text = substr(text, RSTART + RLENGTH)
    gsub(/\n */, " ", code)
    if (index(code, "\\|")) {
      gsub(/&/, "\\&amp;", code)
      gsub(/</, "\\&lt;", code)
      gsub(/\\\|/, "\\&#124;", code)
      code = "<code>" code "</code>"
    } else {
      code = "``" code "``"
    }
    result = result code
  }
  return result with_bold(text)
}

function with_bold(text) {
  while (sub(/\*\*/, bold ? "</b>" : "<b>", text)) bold = !bold
  return text
}

BEGIN {
  label = ARGV[1]
  sub(/^.*\//, "", label)
  sub(/\.md$/, "", label)
}

/^```/ {
  flush_paragraph()
  in_code = !in_code
  # The kind of a snippet is for its test; what is no C++ is shown as it is, and a snippet's output as that.
  if (in_code) {
    is_output = /^```text/ && after_code
    after_code = !is_output
    if (is_output) print "<div class=\"output\">\n"
    sub(/^```.*/, /^```cpp/ ? "```{.cpp}" : "```{.unparsed}")
  }
  print
  if (!in_code && is_output) print "\n</div>"
  next
}
in_code { print; next }
/./ { after_code = 0 }

/^# / {
  print label == "README" ? $0 : $0 " {#" label "}"
  if (label != "README") print "\n[TOC]"
  next
}
/^##/ {
  flush_paragraph()
  title = $0
  sub(/^#+ */, "", title)
  gsub(/`/, "")  # nor in titles
  print $0 " {#" label "-" slug(title) "}"
  next
}

{ paragraph = paragraph $0 "\n" }
/^$/ { flush_paragraph() }
END { flush_paragraph() }
