// SPDX-License-Identifier: MIT
// Charts as SVG, without a library:
//
//   chart::line_chart loss{.title = "Training", .x = {.label = "step"}, .y = {.label = "loss", .scale =
//   chart::scale::logarithmic}}; loss.lines.push_back({"train", steps, losses}); chart::write_file("loss.svg",
//   chart::to_svg(chart::draw(loss)));
//
// chart::stack({chart::draw(a), chart::draw(b)}) puts several into one file.
#pragma once

#include "bar_chart.hpp"
#include "line_chart.hpp"
