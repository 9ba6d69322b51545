#!/usr/bin/env bash
# What examples/run says when asked for what is not there, and what cmake/setup.sh shows of an installation.
# scripts.sh <folder to work in>
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rm -rf "$1"
mkdir -p "$1/bin"
cd "$1"

fail() {
  echo "FAILED: $*"
  cat output errors 2>/dev/null
  exit 1
}

"$root/examples/run" --help >output 2>errors || fail "examples/run --help fails"
for example in "$root"/examples/*.cpp; do
  grep -qE "^ +$(basename "$example" .cpp) +[A-Za-z]" output || fail "--help does not list $example"
done
! "$root/examples/run" no-such-example >output 2>errors || fail "an example that is not there is no error"
grep -q "^There is no example 'no-such-example'" errors && grep -qE '^ +hello ' errors || fail "no list of examples"

# An apt-get that talks as much as dpkg does.
cat >bin/apt-get <<'end'
#!/bin/sh
echo "Selecting previously unselected package"
[ "$FAKE_APT" = works ]
end
cat >bin/sudo <<'end'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
end
chmod +x bin/*
install() {  # finds nothing installed
  PATH=$PWD/bin:$PATH FAKE_APT=$1 bash -c '. "$0"; setup_has() { false; }; setup compiler cmake' "$root/cmake/setup.sh"
}
install works >output 2>errors || fail "setup fails"
grep -qx "Missing: g++ cmake" output || fail "setup does not say what is missing"
! grep -q Selecting output errors || fail "setup shows what dpkg says"
! install fails >output 2>errors || fail "a failure of apt-get is none of setup's"
grep -q Selecting errors || fail "setup hides why apt-get failed"
echo "as expected"
