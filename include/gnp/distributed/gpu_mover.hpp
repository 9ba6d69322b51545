// SPDX-License-Identifier: MIT
// Memory of GPUs, moved by NCCL: each process of a group has its own GPU.
#pragma once

#include <algorithm>
#include <gnp/core/dtype.hpp>
#include <gnp/distributed/communicator.hpp>
#include <gnp/distributed/engine.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// Does NCCL reduce such elements as NumPy does? NCCL's min and max of floating-point numbers ignore NaN. It
/// has no 16-bit integers, and complex numbers only in sums.
constexpr bool is_reduced_by_nccl(dtype type, reduction how) {
  const bool is_extreme = how == reduction::min || how == reduction::max;
  if (type == dtype::int16 || type == dtype::uint16) return false;
  if (is_complex(type)) return how == reduction::sum;
  return !is_extreme || !is_floating(type);
}

#if GNP_HAS_CUDA

/// Elements as NCCL sees them. Complex numbers are added as twice as many real ones. For bools, sum and max are
/// "or", prod and min are "and".
struct nccl_elements {
  gnp::detail::nccl_type type;
  gnp::detail::nccl_operation operation;
  std::size_t each = 1;
};
inline nccl_elements elements_of_nccl(dtype type, reduction how) {
  using gnp::detail::nccl_operation;
  using gnp::detail::nccl_type;
  constexpr nccl_operation operations[] = {nccl_operation::sum, nccl_operation::prod, nccl_operation::min,
                                           nccl_operation::max};
  const nccl_operation operation = operations[static_cast<std::size_t>(how)];
  switch (type) {
    case dtype::bool_:
      return {nccl_type::uint8,
              how == reduction::sum || how == reduction::max ? nccl_operation::max : nccl_operation::min};
    case dtype::int8:
      return {nccl_type::int8, operation};
    case dtype::uint8:
      return {nccl_type::uint8, operation};
    case dtype::int32:
      return {nccl_type::int32, operation};
    case dtype::uint32:
      return {nccl_type::uint32, operation};
    case dtype::int64:
      return {nccl_type::int64, operation};
    case dtype::uint64:
      return {nccl_type::uint64, operation};
    case dtype::float16:
      return {nccl_type::float16, operation};
    case dtype::bfloat16:
      return {nccl_type::bfloat16, operation};
    case dtype::float32:
      return {nccl_type::float32, operation};
    case dtype::float64:
      return {nccl_type::float64, operation};
    case dtype::complex64:
      return {nccl_type::float32, operation, 2};
    case dtype::complex128:
      return {nccl_type::float64, operation, 2};
    default:
      return {nccl_type::uint8, operation};  // what is_reduced_by_nccl excludes
  }
}

/// A GPU of each process; or the GPU of one process, which sends to itself.
class gpu_mover final : public mover {
 public:
  gpu_mover(int ordinal, std::shared_ptr<communicator> gpus) : ordinal_(ordinal), gpus_(std::move(gpus)) {}

  int rank() const override { return gpus_ == nullptr ? 0 : gpus_->rank(); }
  int size() const override { return gpus_ == nullptr ? 1 : gpus_->size(); }
  int ordinal() const { return ordinal_; }

  void broadcast(const char* function, void* data, std::size_t bytes, int root) override {
    if (bytes == 0 || gpus_ == nullptr) return;
    gpus_->queue(function, [&](communicator::handle all, CUstream stream) {
      return gnp::detail::nccl().ncclBroadcast(data, data, bytes, byte, root, all, stream);
    });
  }
  void all_reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                  reduction how) override {
    if (count == 0) return;
    if (gpus_ == nullptr) return copy(from, into, bytes_of(count, type));
    const nccl_elements e = elements_of_nccl(type, how);
    gpus_->queue(function, [&](communicator::handle all, CUstream stream) {
      return gnp::detail::nccl().ncclAllReduce(from, into, e.each * static_cast<std::size_t>(count), e.type,
                                               e.operation, all, stream);
    });
  }
  void reduce(const char* function, const void* from, void* into, index_t count, dtype type, reduction how,
              int root) override {
    if (count == 0) return;
    if (gpus_ == nullptr) return copy(from, into, bytes_of(count, type));
    gpus_->queue(function, [&](communicator::handle all, CUstream stream) {
      return reduce_to(root, from, into, count, elements_of_nccl(type, how), all, stream);
    });
  }
  void reduce_scatter(const char* function, const void* from, void* part, std::span<const index_t> counts,
                      dtype type, reduction how) override {
    if (gpus_ == nullptr) return copy(from, part, bytes_of(counts[0], type));
    const nccl_elements e = elements_of_nccl(type, how);
    if (all_equal(counts)) {
      if (counts[0] == 0) return;
      gpus_->queue(function, [&](communicator::handle all, CUstream stream) {
        return gnp::detail::nccl().ncclReduceScatter(from, part, e.each * static_cast<std::size_t>(counts[0]),
                                                     e.type, e.operation, all, stream);
      });
      return;
    }
    queue_together(function, [&](communicator::handle all, CUstream stream, const auto& also) {
      const char* at = static_cast<const char*>(from);
      for (int r = 0; r < size(); ++r) {
        const index_t count = counts[static_cast<std::size_t>(r)];
        if (count > 0) also(reduce_to(r, at, part, count, e, all, stream));
        at += bytes_of(count, type);
      }
    });
  }
  void all_gather(const char* function, const void* part, void* all,
                  std::span<const std::size_t> bytes) override {
    if (gpus_ == nullptr) return copy(part, all, bytes[0]);
    if (all_equal(bytes)) {
      if (bytes[0] == 0) return;
      gpus_->queue(function, [&](communicator::handle gpus, CUstream stream) {
        return gnp::detail::nccl().ncclAllGather(part, all, bytes[0], byte, gpus, stream);
      });
      return;
    }
    std::vector<message> sent, received;
    char* at = static_cast<char*>(all);
    for (int r = 0; r < size(); ++r) {
      sent.push_back(
          {r, const_cast<void*>(part), bytes[static_cast<std::size_t>(rank())]});  // which is only read
      received.push_back({r, at, bytes[static_cast<std::size_t>(r)]});
      at += received.back().bytes;
    }
    exchange(function, sent, received);
  }
  void exchange(const char* function, std::span<const message> sent,
                std::span<const message> received) override {
    copy_own(sent, received);
    const auto is_moved = [this](const message& m) { return m.peer != rank() && m.bytes > 0; };
    if (std::none_of(sent.begin(), sent.end(), is_moved) &&
        std::none_of(received.begin(), received.end(), is_moved))
      return;
    queue_together(function, [&](communicator::handle all, CUstream stream, const auto& also) {
      const gnp::detail::nccl_api& nccl = gnp::detail::nccl();
      for (const message& m : sent) {
        if (is_moved(m)) also(nccl.ncclSend(m.data, m.bytes, byte, m.peer, all, stream));
      }
      for (const message& m : received) {
        if (is_moved(m)) also(nccl.ncclRecv(m.data, m.bytes, byte, m.peer, all, stream));
      }
    });
  }

 private:
  static constexpr auto byte = gnp::detail::nccl_type::uint8;

  static std::size_t bytes_of(index_t count, dtype type) {
    return static_cast<std::size_t>(count) * itemsize(type);
  }
  template <class Numbers>
  static bool all_equal(const Numbers& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto n) { return n == numbers[0]; });
  }
  static communicator::status reduce_to(int root, const void* from, void* into, index_t count,
                                        const nccl_elements& e, communicator::handle all, CUstream stream) {
    return gnp::detail::nccl().ncclReduce(from, into, e.each * static_cast<std::size_t>(count), e.type,
                                          e.operation, root, all, stream);
  }

  /// Several of NCCL's calls as one: f(all, stream, also) hands the status of each to `also`.
  template <class F>
  void queue_together(const char* function, const F& f) {
    gpus_->queue(function, [&](communicator::handle all, CUstream stream) {
      auto first_wrong = communicator::status::success;
      const auto also = [&](communicator::status s) {
        if (first_wrong == communicator::status::success) first_wrong = s;
      };
      also(gnp::detail::nccl().ncclGroupStart());
      f(all, stream, also);
      also(gnp::detail::nccl().ncclGroupEnd());
      return first_wrong;
    });
  }

  void copy(const void* from, void* into, std::size_t bytes) const {
    if (bytes == 0 || from == into) return;
    const gnp::detail::submission work(gnp::device::cuda(ordinal_));
    GNP_CUDA_CALL(cuMemcpyDtoDAsync, reinterpret_cast<CUdeviceptr>(into), reinterpret_cast<CUdeviceptr>(from),
                  bytes, work.handle());
  }
  /// Copies what this process sends to itself, in order.
  void copy_own(std::span<const message> sent, std::span<const message> received) const {
    const auto is_own = [this](const message& m) { return m.peer == rank(); };
    auto to = std::find_if(received.begin(), received.end(), is_own);
    for (const message& m : sent) {
      if (!is_own(m) || to == received.end()) continue;
      copy(m.data, to->data, m.bytes);
      to = std::find_if(to + 1, received.end(), is_own);
    }
  }

  int ordinal_;
  std::shared_ptr<communicator> gpus_;
};

#endif

}}}}  // namespace gnp::GNP_ABI::distributed::detail
