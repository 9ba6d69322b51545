// SPDX-License-Identifier: MIT
// What an expression passes to a job, collected in one walk: its arrays and positions, and its numbers.
#pragma once

#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/layout/leaves.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Records the leaves that it is called with: arrays and positions in `leaf`, numbers in `constant`.
struct leaf_writer {
  leaf_view* leaf;
  unsigned char* constant;

  template <class X>
  void operator()(const X& x) {
    if constexpr (is_expression_v<X>) {
      x.for_each_operand(*this);
    } else if constexpr (is_constant_v<X>) {
      x.copy_to(constant);
      constant += constant_slot * constant_count<X>;
    } else {
      *leaf++ = view_of(x);
    }
  }
};

/// The leaves of an expression in the order in which they are written, and room for the operands of its job.
/// Each number has its own slot.
template <class X>
class job_inputs {
  static_assert(input_count<X> <= most_operands - 1,
                "gnp: an expression of more than 64 arrays: compute a part of it first with .eval()");

 public:
  explicit job_inputs(const X& source) { leaf_writer{leaves_, constants_}(source); }
  job_inputs(const job_inputs&) = delete;
  job_inputs& operator=(const job_inputs&) = delete;
  ~job_inputs() = default;

  static constexpr int count = input_count<X>;
  const leaf_view* leaves() const { return leaves_; }
  const unsigned char* constants() const { return constants_; }
  /// For the destination, the inputs, and one more that some jobs have.
  job_operand* operands() { return operands_; }

  /// The device that all of them are on; nothing if none has memory (arange and similar expressions).
  std::optional<device> where(const char* function) const { return common_device(leaves_, count, function); }

 private:
  leaf_view leaves_[static_cast<std::size_t>(count) + 1];
  alignas(16) unsigned char constants_[constant_slot * (static_cast<std::size_t>(constant_count<X>) + 1)] = {};
  job_operand operands_[static_cast<std::size_t>(count) + 2];
};

}}}  // namespace gnp::GNP_ABI::detail
