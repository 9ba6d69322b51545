# Sourced by check.sh: the Debian package has what it should and serves from a root of its own. Nothing is installed
# on this machine.
# shellcheck shell=bash disable=SC2154  # the variables are check.sh's
needs cpack dpkg-deb pkg-config

if command -v make >/dev/null; then
  # By this generator cpack would first build all there is, were it not told otherwise; an example, whose compiler is
  # "false", would show it.
  configure_gnp -G "Unix Makefiles" -DGNP_EXAMPLES=ON -DCMAKE_CXX_COMPILER_LAUNCHER=false
else
  configure_gnp
fi
(cd "$work" && cpack --config "$work/gnp/CPackConfig.cmake" -B "$work/package")
deb=$work/package/libgnp-dev_${version}_all.deb
[ -e "$deb" ] || fail "cpack made no $(basename "$deb")"

expect_field() {
  local found
  found=$(dpkg-deb --field "$deb" "$1")
  grep -qE "$2" <<<"$found" || fail "the package's field $1 is '$found', not '$2'"
}
expect_field Package '^libgnp-dev$'
expect_field Version "^$version\$"
expect_field Architecture '^all$'
expect_field Depends '^$'
expect_field Recommends '\blibeigen3-dev\b'
expect_field Suggests '\bcuda-toolkit'

# The headers of the source and the files named here, and nothing else, readable by everybody.
dpkg-deb --contents "$deb" | awk '$1 !~ /^(drwxr-xr-x|-rw-r--r--)$/ || $2 != "root/root" { print; bad = 1 } END { exit bad }' ||
  fail "the package's files have other owners or permissions"
diff <(dpkg-deb --contents "$deb" | awk '/^-/ { print $6 }' | sort) \
  <({
    (cd "$source" && find include -name '*.?pp' | sed 's|^|./usr/|')
    printf './usr/share/%s\n' cmake/gnp/gnp{Config,ConfigVersion,Targets,Cuda,Compiled}.cmake pkgconfig/gnp.pc doc/libgnp-dev/copyright
  } | sort) || fail "the package holds other files (<) than it should (>)"

root=$work/root
mkdir -p "$root/var/lib/dpkg"/{info,updates,triggers} "$root/var/log"
touch "$root/var/lib/dpkg"/{status,available}
# Without the log option, dpkg would write to the machine's own.
in_root() {
  dpkg --root="$root" --log="$root/var/log/dpkg.log" "$@"
}
if [ "$(id -u)" = 0 ]; then
  in_root --install "$deb"
  in_root --verify libgnp-dev
else
  echo "unpacked, not installed: dpkg --install is for root"
  dpkg-deb --extract "$deb" "$root"
fi
build_project -DGNP_WAY=find_package -DCMAKE_PREFIX_PATH="$root/usr"
build_by_pkg_config "$root/usr/share/pkgconfig" found

if [ "$(id -u)" = 0 ]; then
  in_root --remove libgnp-dev
  [ -z "$(find "$root/usr" -type f 2>/dev/null)" ] || fail "removing the package left files behind"
fi
