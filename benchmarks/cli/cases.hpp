// SPDX-License-Identifier: MIT
// The files that define cases, each with what it adds.
#pragma once

#include "case.hpp"

namespace bench {

void add_products(std::vector<bench_case>& cases);
void add_norm(std::vector<bench_case>& cases);
void add_svd(std::vector<bench_case>& cases);
void add_solve(std::vector<bench_case>& cases);
void add_eigh(std::vector<bench_case>& cases);
void add_elementwise(std::vector<bench_case>& cases);
void add_reductions(std::vector<bench_case>& cases);
void add_random(std::vector<bench_case>& cases);
void add_transfers(std::vector<bench_case>& cases);

// What tutorials of GPU libraries measure, at their sizes.
void add_tutorial_products(std::vector<bench_case>& cases);
void add_tutorial_elementwise(std::vector<bench_case>& cases);
void add_tutorial_svd(std::vector<bench_case>& cases);

}  // namespace bench
