// SPDX-License-Identifier: MIT
// A generator's state, kept apart from the generator for the graphs that draw from it at each replay.
#pragma once

#include <atomic>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <gnp/core/error.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct generator_state {
  std::atomic<std::uint64_t> seed{0};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> spawned{0};
  std::atomic<std::uint64_t> recording{0};  // the recording that made it; 0 if none did
};

/// A call that a graph's body makes: which of the body's calls of that generator it is, and how its numbers are
/// derived from the call's (numbers_of_call::inner).
struct recorded_draw {
  std::shared_ptr<generator_state> generator;
  std::uint64_t number = 0;
  std::vector<std::uint64_t> inner{};
};

[[noreturn, gnu::cold]] GNP_INLINE void throw_in_recording(const char* what) {
  throw graph_error(std::string("gnp::graph: ") + what +
                    " while work is recorded, which replays would not do: do it before");
}

}}}  // namespace gnp::GNP_ABI::detail
