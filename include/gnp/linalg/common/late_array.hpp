// SPDX-License-Identifier: MIT
// late_array<T>: part of a result that is computed when it is first used.
#pragma once

#include <gnp/exec/assign.hpp>
#include <memory>
#include <mutex>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

template <element T>
class late_array;

namespace detail {

template <class T>
inline constexpr bool is_deferred_v<late_array<T>> = true;

template <class F, class T>
concept computes = std::is_invocable_r_v<array<T>, const F&>;

/// The source of a late array. The array's copies share it, and several threads may use it.
template <element T>
class late_source {
 public:
  late_source() = default;
  explicit late_source(const array<T>& known) : result_(known) {}
  virtual ~late_source() = default;
  array<T> get() {
    const std::lock_guard lock(mutex_);
    if (!result_) result_ = compute();
    return *result_;
  }

 private:
  virtual array<T> compute() { return *result_; }

  std::mutex mutex_;
  std::optional<array<T>> result_;
};

template <element T, class Compute>
class late_source_of final : public late_source<T> {
 public:
  explicit late_source_of(Compute compute) : compute_(std::move(compute)) {}

 private:
  array<T> compute() override {
    const array<T> result = (*compute_)();
    compute_.reset();
    return result;
  }
  std::optional<Compute> compute_;
};

}  // namespace detail

/// An array that is not computed yet. Its first use computes it; later uses take the result.
template <element T>
class late_array : public detail::array_members<late_array<T>>, public detail::one_element<late_array<T>, T> {
 public:
  using value_type = T;
  using detail::array_members<late_array>::shape;

  /// An array that has already been computed.
  late_array(const array<T>& known)
      : shape_(known.shape()), device_(known.device()), source_(new detail::late_source<T>(known)) {}
  /// `compute` is called to get the array, and destroyed after that.
  template <detail::computes<T> Compute>
  late_array(shape_t shape, gnp::device device, Compute compute)
      : shape_(std::move(shape)),
        device_(device),
        source_(new detail::late_source_of<T, Compute>(std::move(compute))) {}

  const shape_t& shape() const { return shape_; }
  gnp::device device() const { return device_; }

  array<T> compute() const { return source_ != nullptr ? source_->get() : array<T>(shape_, device_); }
  void compute_into(const array<T>& destination, const char* function) const {
    detail::assign(destination, compute(), function);
  }

 private:
  detail::moving_shape shape_;
  gnp::device device_;
  std::shared_ptr<detail::late_source<T>> source_;
};

}}  // namespace gnp::GNP_ABI
