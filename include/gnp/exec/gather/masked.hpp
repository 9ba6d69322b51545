// SPDX-License-Identifier: MIT
// x(mask): the elements of x where a mask is true. An assignment to it writes to x. Any other use computes the
// elements, once; their number is only known after that.
#pragma once

#include <algorithm>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/gather/assign_where.hpp>
#include <gnp/exec/gather/scatter.hpp>
#include <gnp/exec/gather/select.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/memory/watched_work.hpp>
#include <memory>
#include <mutex>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

template <array_like X, array_like Mask>
class masked;

namespace detail {

template <class X, class Mask>
inline constexpr bool is_deferred_v<masked<X, Mask>> = true;

/// Is this x(index), to which an assignment would write elements of x?
template <class X>
inline constexpr bool picks_elements = false;
template <class Op, class... Operands>
inline constexpr bool picks_elements<expression<Op, Operands...>> = writes_through<Op>;

}  // namespace detail

template <array_like X, array_like Mask>
class masked : public detail::array_members<masked<X, Mask>>,
               public detail::one_element<masked<X, Mask>, typename X::value_type> {
 public:
  using value_type = typename X::value_type;
  using detail::array_members<masked>::shape;

  masked(const X& x, const Mask& mask) : x_(x), mask_(mask), known_(std::make_shared<result>()) {
    detail::check_mask(mask.shape(), x.shape(), 0);
    detail::require_same_device("index", x.device(), mask.device());
  }
  masked(const masked&) = default;
  masked(masked&&) noexcept = default;
  ~masked() = default;
  masked& operator=(const masked&) & = default;
  masked& operator=(masked&&) & noexcept = default;

  const shape_t& shape() const {
    compute();
    return known_->elements->shape();
  }
  gnp::device device() const { return x_.device(); }

  array<value_type> compute() const {
    const std::lock_guard lock(known_->mutex);
    if (!known_->elements) known_->elements = select();
    return *known_->elements;
  }
  void compute_into(const array<value_type>& destination, const char* function) const {
    detail::assign(destination, compute(), function);
  }

  /// Writes to x where the mask is true: one number for all places, or as many numbers as there are places.
  masked& operator=(const masked& source) &&
    requires detail::is_array_v<X>
  {
    write(source.compute(), "assignment");
    return *this;
  }
  template <class Source>
    requires(detail::is_array_v<X> && (array_like<Source> || scalar_like<Source>))
  masked& operator=(const Source& source) && {
    write(source, "assignment");
    return *this;
  }
  template <element Number>
    requires(detail::is_array_v<X>)
  masked& operator=(std::initializer_list<Number> values) && {
    write(detail::list_on(device(), values), "assignment");
    return *this;
  }
  template <class Source>
    requires(!detail::is_array_v<X> && (array_like<Source> || scalar_like<Source>))
  void operator=(const Source&) && {
    refuse_assignment<Source>();
  }
  template <element Number>
  void operator=(const std::vector<Number>&) && {
    detail::refuse_vector<masked, Number>();
  }
  template <element Number, std::size_t Count>
  void operator=(const std::array<Number, Count>&) && {
    detail::refuse_vector<masked, Number>();
  }
  /// The error message for an x that is not an array.
  template <class Source>
  static constexpr void refuse_assignment() {
    if constexpr (detail::picks_elements<X>) {
      detail::refuse_assignment_to_picked<X, Source>();
    } else {
      detail::refuse_assignment_to_computed<Source>();
    }
  }
  template <class Source>
  void write(const Source& source, const char* function) const {
    if constexpr (scalar_like<Source>) {
      if (chooses_long_rows_on_cpu())
        return detail::write_selected(detail::select<true>(x_, mask_), source, function);
      write_everywhere(detail::make_constant<value_type>(source, function), function);
    } else {
      write_each(array<value_type>(source.template astype<value_type>()), function);
    }
  }

  const X& values() const { return x_; }
  /// A view of the mask with as many axes as x has.
  auto whole_mask() const { return detail::with_axes_after(mask_, x_.ndim() - mask_.ndim()); }
  /// Writes to x where the mask is true. `source` has an element for each element of x, or is one number.
  template <class Source>
  void write_everywhere(const Source& source, const char* function) const {
    detail::assign_where(x_, whole_mask(), source, function);
  }

 private:
  /// The rows of a matrix, and the like: those where the mask is true are filled one by one. If they are
  /// shorter, it is faster to write all of them, those where the mask is false with what they have.
  bool chooses_long_rows_on_cpu() const {
    constexpr index_t long_row = 16;
    return device().is_cpu() && mask_.ndim() < x_.ndim() && x_.shape()[-1] >= long_row &&
           x_.element_strides()[-1] == 1;
  }

  struct result {
    std::mutex mutex;
    std::optional<array<value_type>> elements;
  };

  array<value_type> select() const {
    const detail::asks_for_elements asking("indexing by a mask");
    if (mask_.ndim() == x_.ndim()) return detail::compact(x_, mask_, device());
    return detail::evaluate(detail::select<false>(detail::evaluate(x_), mask_));
  }

  /// The k-th place where the mask is true gets the k-th element of the source: on the CPU, of a few contiguous
  /// elements, in a loop that is done before lists of places would be made. False where this is another case.
  bool write_few_on_cpu(const array<value_type>& source) const {
    if constexpr (detail::is_array_v<Mask>) {
      const auto is_apart = [this](const auto& a) {
        return a.is_contiguous() && a.block().get() != x_.block().get();
      };
      if (!device().is_cpu() || x_.size() > detail::cpu_grain || !(mask_.shape() == x_.shape()) ||
          !x_.is_contiguous() || !is_apart(mask_) || !is_apart(source) || source.ndim() != 1 ||
          !source.device().is_cpu() || detail::work_is_watched())
        return false;
      const auto* const keep = reinterpret_cast<const unsigned char*>(mask_.data());
      if (std::count_if(keep, keep + x_.size(), [](unsigned char k) { return k != 0; }) != source.size())
        return false;
      value_type* const to = x_.data();
      const value_type* const from = source.data();
      for (index_t i = 0, done = 0; done < source.size(); ++i) {
        if (keep[i] != 0) to[i] = from[done++];
      }
      return true;
    } else {
      return false;
    }
  }

  /// The k-th place where the mask is true gets the k-th element of the source.
  void write_each(const array<value_type>& source, const char* function) const {
    if (source.size() == 1 && source.ndim() <= 1) {
      return write_everywhere(source.view({0, shape_t{}, shape_t{}}), function);
    }
    if (mask_.ndim() != x_.ndim()) {
      return detail::write_selected(detail::select<true>(x_, mask_), source, function);
    }
    detail::check_writable(detail::view_of(x_), function);
    if (write_few_on_cpu(source)) return;
    const array<std::int64_t> places = detail::places_where(mask_, x_.element_strides(), 0, device());
    if (source.ndim() != 1 || source.size() != places.size()) {
      throw shape_error(std::string(function) + ": cannot assign " + std::to_string(source.size()) +
                        " input values (shape " + to_string(source.shape()) + ") to the " +
                        std::to_string(places.size()) + " output values where the mask is true");
    }
    detail::scatter(
        x_, places,
        detail::source_of_scatter<value_type>(detail::apart(source, x_), places.shape(), device(), function),
        false);
  }

  X x_;
  Mask mask_;
  std::shared_ptr<result> known_;
};

}}  // namespace gnp::GNP_ABI
