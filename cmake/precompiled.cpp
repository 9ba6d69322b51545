// SPDX-License-Identifier: MIT
// CMake makes a precompiled header for a target that has a source file.
