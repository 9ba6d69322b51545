// SPDX-License-Identifier: MIT
// What a file of the program answers. Each is unit.cpp, compiled with flags of its own.
#pragma once

#include <string>

struct unit_answers {
  std::string abi;         // GNP_ABI, as text
  float mine = 0;          // of 5, by the ufunc that every unit calls `mine` and means something else by
  bool finds_nan = false;  // isnan(NaN)
  bool has_eigen = false;
  double product = 0;  // an element of ones(2, 3) times ones(3, 2)
  double solved = 0;   // x of 2 x = 6, or
  std::string error;   // what solve had to say
  std::string threw;   // what an error said that was thrown by this unit's gnp and caught there
};
