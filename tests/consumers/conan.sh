# Sourced by check.sh: the Conan recipe makes a package of this version, and its test_package is built and run.
# shellcheck shell=bash disable=SC2154  # the variables are check.sh's
needs conan
case $(conan --version) in
  "Conan version 2."*) ;;
  *) skip "no conan 2" ;;
esac

# A cache and profiles of its own, and no package servers. Without Eigen, which would have to come from one.
export CONAN_HOME=$work/conan
conan profile detect
printf '[conf]\ntools.build:compiler_executables={"cpp": "%s"}\n' "$(command -v "$compiler")" >>"$CONAN_HOME/profiles/default"
conan create "$source/cmake/ports/conan" --no-remote -s compiler.cppstd=20 -o "gnp/*:with_eigen=False" \
  -c "tools.cmake.cmake_layout:test_folder=$work/build" \
  ${CMAKE_GENERATOR:+-c "tools.cmake.cmaketoolchain:generator=$CMAKE_GENERATOR"} 2>&1 | tee "$work/log"
grep -q "^gnp/$version: Package '" "$work/log" || fail "conan made no package of gnp/$version"
grep -q "^gnp $version, .*: right$" "$work/log" || fail "the test_package did not run"
