// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

/// Before a case is timed: work that draws much power leaves a GPU at lower clocks for a while (a product of
/// float16 matrices takes 0.20 ms then, and 0.18 ms after a pause), and what is before a case differs from
/// program to program. peers.py pauses as long.
inline void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }
