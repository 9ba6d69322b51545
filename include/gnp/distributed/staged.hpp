// SPDX-License-Identifier: MIT
// An engine that uses only NCCL: the host's memory is moved through the GPUs.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/distributed/combine.hpp>
#include <gnp/distributed/gpu_mover.hpp>
#include <gnp/distributed/nccl_id.hpp>
#include <gnp/memory/stream.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

class staged_engine final : public engine {
 public:
  explicit staged_engine(std::shared_ptr<gpu_mover> gpus) : gpus_(std::move(gpus)) {}

  int rank() const override { return gpus_->rank(); }
  int size() const override { return gpus_->size(); }
  std::shared_ptr<mover> mover_on_gpu(int ordinal) override {
    return ordinal == gpus_->ordinal() ? gpus_ : nullptr;
  }

  void barrier(const char* function) override {
    std::uint8_t nothing = 0;
    all_reduce(function, &nothing, &nothing, 1, dtype::uint8, reduction::max);
  }
  void broadcast(const char* function, void* data, std::size_t bytes, int root) override {
    if (bytes == 0) return;
    const staged on_gpu = brought(data, bytes);
    gpus_->broadcast(function, on_gpu.data(), bytes, root);
    if (rank() != root) fetch(on_gpu, data);
  }
  void all_reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                  reduction how) override {
    reduce_to_all(function, from, into, count, type, how, true);
  }
  void reduce(const char* function, const void* from, void* into, index_t count, dtype type, reduction how,
              int root) override {
    reduce_to_all(function, from, into, count, type, how, rank() == root);
  }
  void all_gather(const char* function, const void* part, void* all,
                  std::span<const std::size_t> bytes) override {
    std::size_t sum = 0;
    for (const std::size_t b : bytes) sum += b;
    if (sum == 0) return;
    const staged own = brought(part, bytes[static_cast<std::size_t>(rank())]);
    const staged on_gpu = room(sum);
    gpus_->all_gather(function, own.data(), on_gpu.data(), bytes);
    fetch(on_gpu, all);
  }
  void exchange(const char* function, std::span<const message> sent,
                std::span<const message> received) override {
    std::vector<staged> memory;
    std::vector<message> out, in;
    for (const message& m : sent) {
      memory.push_back(brought(m.data, m.bytes));
      out.push_back({m.peer, memory.back().data(), m.bytes});
    }
    for (const message& m : received) {
      memory.push_back(room(m.bytes));
      in.push_back({m.peer, memory.back().data(), m.bytes});
    }
    gpus_->exchange(function, out, in);
    for (std::size_t i = 0; i < received.size(); ++i) fetch(memory[out.size() + i], received[i].data);
    if (received.empty()) synchronize(where());  // as far as the sender is concerned, it has arrived
  }
  std::shared_ptr<engine> split(const char* function, int color, int key) override {
    struct member {
      int color;
      int key;
    };
    const member own = {color, key};
    std::vector<member> all(static_cast<std::size_t>(size()));
    all_gather(function, &own, all.data(), std::vector<std::size_t>(all.size(), sizeof own));
    std::vector<int> ranks;  // here
    for (int r = 0; r < size(); ++r) {
      if (all[static_cast<std::size_t>(r)].color == color) ranks.push_back(r);
    }
    const auto key_of = [&](int r) { return all[static_cast<std::size_t>(r)].key; };
    std::sort(ranks.begin(), ranks.end(),
              [&](int a, int b) { return std::pair(key_of(a), a) < std::pair(key_of(b), b); });
    // The first process of each colour makes its id.
    std::vector<nccl_id> ids(all.size());
    const nccl_id own_id = color >= 0 && ranks.size() > 1 && ranks[0] == rank() ? new_nccl_id() : nccl_id();
    all_gather(function, &own_id, ids.data(), std::vector<std::size_t>(ids.size(), sizeof own_id));
    for (int r = 0; r < size(); ++r) require_made(function, ids[static_cast<std::size_t>(r)], r);
    if (color < 0) return nullptr;
    const auto place = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin());
    const auto count = static_cast<int>(ranks.size());
    std::shared_ptr<communicator> part;
    if (count > 1) {
      part = std::make_shared<communicator>(function, gpus_->ordinal(), place, count,
                                            ids[static_cast<std::size_t>(ranks[0])].id, nullptr);
    }
    return std::make_shared<staged_engine>(std::make_shared<gpu_mover>(gpus_->ordinal(), part));
  }

 private:
  using staged = gnp::array<std::uint8_t>;

  gnp::device where() const { return gnp::device::cuda(gpus_->ordinal()); }
  staged room(std::size_t bytes) const {
    return staged(shape_t{static_cast<index_t>(bytes)}, where(), "distributed");
  }
  staged brought(const void* from, std::size_t bytes) const {
    staged on_gpu = room(bytes);
    gnp::detail::copy_from_host(*on_gpu.block().get(), on_gpu.data(), from, bytes);
    return on_gpu;
  }
  static void fetch(const staged& on_gpu, void* into) {
    gnp::detail::copy_to_host(*on_gpu.block().get(), into, on_gpu.data(),
                              static_cast<std::size_t>(on_gpu.size()));
  }

  void reduce_to_all(const char* function, const void* from, void* into, index_t count, dtype type,
                     reduction how, bool wanted) {
    if (count == 0) return;
    const std::size_t bytes = static_cast<std::size_t>(count) * itemsize(type);
    const staged own = brought(from, bytes);
    if (is_reduced_by_nccl(type, how)) {
      gpus_->all_reduce(function, own.data(), own.data(), count, type, how);
      if (wanted) fetch(own, into);
      return;
    }
    const std::vector<std::size_t> each(static_cast<std::size_t>(size()), bytes);
    const staged all = room(bytes * each.size());
    gpus_->all_gather(function, own.data(), all.data(), each);
    if (!wanted) return;
    std::vector<std::byte> here(bytes * each.size());
    fetch(all, here.data());
    for (std::size_t r = 1; r < each.size(); ++r)
      combining_for(type, how)(here.data() + r * bytes, here.data(), count);
    std::memcpy(into, here.data(), bytes);
  }

  std::shared_ptr<gpu_mover> gpus_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail

#endif
