# Sourced by check.sh: the vcpkg port is of this version, and vcpkg builds and installs it.
# As vcpkg_stand_in, for machines without vcpkg: its portfile runs with stand-ins for vcpkg's functions.
# shellcheck shell=bash disable=SC2154  # the variables are check.sh's
ports=$source/cmake/ports/vcpkg

grep -qxF "  \"version\": \"$version\"," "$ports/gnp/vcpkg.json" || fail "cmake/ports/vcpkg/gnp/vcpkg.json is not of version $version"

if [ "$way" = vcpkg_stand_in ]; then
  packages=$work/packages
  cmake -DSCRATCH="$work/buildtrees" -DCURRENT_PACKAGES_DIR="$packages" -DCURRENT_PORT_DIR="$ports/gnp" -DPORT=gnp \
    -DCMAKE_CXX_COMPILER="$compiler" -P "$here/vcpkg_stand_in.cmake"
  for file in include/gnp/gnp.hpp share/gnp/{gnpConfig.cmake,gnpTargets.cmake,copyright,usage} share/pkgconfig/gnp.pc; do
    [ -e "$packages/$file" ] || fail "the port does not install $file"
  done
  return
fi

needs vcpkg
export VCPKG_ROOT=${VCPKG_ROOT:-$(dirname "$(readlink -f "$(command -v vcpkg)")")}
# The machine's own cmake and ninja. Without the feature eigen, which would have to be downloaded.
VCPKG_FORCE_SYSTEM_BINARIES=1 VCPKG_DISABLE_METRICS=1 vcpkg install 'gnp[core]' --classic --overlay-ports="$ports" \
  --x-install-root="$work/installed" --x-buildtrees-root="$work/buildtrees" --x-packages-root="$work/packages" \
  --downloads-root="$work/downloads" --binarysource=clear 2>&1 | tee "$work/log"
if grep -q 'portfile.cmake: warning:' "$work/log"; then
  fail "vcpkg has something to say against the port"
fi
triplet=$(sed -n 's/^Building gnp:\([^@]*\)@.*/\1/p' "$work/log")

build_project -DGNP_WAY=find_package -DVCPKG_INSTALLED_DIR="$work/installed" -DVCPKG_TARGET_TRIPLET="$triplet" \
  -DVCPKG_MANIFEST_MODE=OFF -DCMAKE_TOOLCHAIN_FILE="$VCPKG_ROOT/scripts/buildsystems/vcpkg.cmake"
build_by_pkg_config "$work/installed/$triplet/share/pkgconfig" found
