// SPDX-License-Identifier: MIT
// array_view: an array as a parameter of a kernel, with its shape and strides.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/kernel/simulator.hpp>
#include <gnp/memory/bad_index.hpp>
#include <type_traits>

/// GNP_ON_BOTH_SIDES(name, code): defines the code, and `name_text` with the same code for kernels.
#define GNP_ON_BOTH_SIDES(name, ...)                  \
  __VA_ARGS__                                         \
  namespace detail {                                  \
  inline constexpr char name##_text[] = #__VA_ARGS__; \
  }

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Where a GPU records an index that is out of bounds.
struct view_report {
  void* found = nullptr;
  const char* kernel = nullptr;
};

/// On the CPU every index is checked.
inline bool view_has(const view_report&, index_t index, index_t size, int axis) {
  if (index >= 0 && index < size) [[likely]]
    return true;
  const simulated_block* const block = simulated_block::current();
  throw index_error((block == nullptr ? std::string("array_view") : block->place()) + ": index " +
                    std::to_string(index) + " is out of bounds for axis " + std::to_string(axis) +
                    " with size " + std::to_string(size));
}
template <class T>
T& outside_of_view() {
  __builtin_unreachable();
}

}  // namespace detail

// clang-format off

GNP_ON_BOTH_SIDES(array_view,
  template <class T, int Rank> class array_view {
   public:
    static_assert(Rank >= 1, "gnp: an array_view has at least one dimension: take a number for an array of rank 0");
    using value_type = T;
    static constexpr unsigned rank = static_cast<unsigned>(Rank);

    template <class... Index> T& operator()(Index... index) const {
      static_assert(sizeof...(Index) == Rank, "gnp: an array_view takes an index for each of its dimensions");
      const index_t at[rank] = {static_cast<index_t>(index)...};
      index_t offset = 0;
      for (int axis = 0; axis < Rank; ++axis) {
        if (!detail::view_has(report_, at[axis], shape_[axis], axis)) { return detail::outside_of_view<T>(); }
        offset += at[axis] * strides_[axis];
      }
      return data_[offset];
    }
    index_t shape(int axis) const { return shape_[axis < 0 ? axis + Rank : axis]; }
    index_t stride(int axis) const { return strides_[axis < 0 ? axis + Rank : axis]; }
    index_t size() const {
      index_t count = 1;
      for (int axis = 0; axis < Rank; ++axis) { count *= shape_[axis]; }
      return count;
    }
    T* data() const { return data_; }

    T* data_;
    index_t shape_[rank];
    index_t strides_[rank];
    detail::view_report report_;
  };)

// What the body of a gufunc gets for arrays whose first axis counts the calls.
GNP_ON_BOTH_SIDES(gufunc_parts, namespace detail {
  template <class T> class core_number {  // the one number of a result without dimensions: sum() = 3
   public:
    using value_type = T;
    T& operator()() const { return *data_; }
    T* data_;
  };
  template <class T, int Rank> auto core_of(const array_view<T, Rank>& all, index_t call) {
    T* const data = all.data_ + call * all.strides_[0];
    if constexpr (Rank > 1) {
      array_view<T, Rank - 1> core;
      core.data_ = data;
      for (int axis = 1; axis < Rank; ++axis) {
        core.shape_[axis - 1] = all.shape_[axis];
        core.strides_[axis - 1] = all.strides_[axis];
      }
      core.report_ = all.report_;
      return core;
    } else {
      return core_number<T>{data};
    }
  }
  template <class T> T core_of(const array_view<const T, 1>& all, index_t call) { return all.data_[call * all.strides_[0]]; }
})

// clang-format on

namespace detail {

// The device's versions of the functions above, for kernels that are launched with .checked() and for others.
inline constexpr const char* checked_view_text = R"(
namespace gnp { namespace detail {
struct view_report { bad_index* found; const char* kernel; };
inline bool view_has(const view_report& report, index_t index, index_t size, int axis) {
  if (index >= 0 && index < size) return true;
  if (atomicCAS(&report.found->state, 0u, 1u) != 0u) return false;
  report.found->axis = axis;
  report.found->index = index;
  report.found->size = size;
  report.found->function = report.kernel;
  __threadfence_system();
  *const_cast<volatile unsigned*>(&report.found->state) = 2u;
  return false;
}
template <class T> inline T& outside_of_view() {
  __shared__ alignas(16) unsigned char nowhere[sizeof(T)];
  return *reinterpret_cast<T*>(nowhere);
}
} }
)";
inline constexpr const char* unchecked_view_text = R"(
namespace gnp { namespace detail {
struct view_report { void* found; const char* kernel; };
inline bool view_has(const view_report&, index_t, index_t, int) { return true; }
template <class T> inline T& outside_of_view() { return *static_cast<T*>(nullptr); }
} }
)";

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#undef GNP_ON_BOTH_SIDES
