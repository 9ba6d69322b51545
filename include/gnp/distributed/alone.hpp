// SPDX-License-Identifier: MIT
// The engine of a single process, which sends only to itself.
#pragma once

#include <cstring>
#include <gnp/distributed/engine.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

class alone final : public engine {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void barrier(const char*) override {}
  void broadcast(const char*, void*, std::size_t, int) override {}
  void all_reduce(const char*, const void* from, void* into, index_t count, dtype type, reduction) override {
    copy(from, into, static_cast<std::size_t>(count) * itemsize(type));
  }
  void reduce(const char*, const void* from, void* into, index_t count, dtype type, reduction, int) override {
    copy(from, into, static_cast<std::size_t>(count) * itemsize(type));
  }
  void all_gather(const char*, const void* part, void* all, std::span<const std::size_t> bytes) override {
    copy(part, all, bytes[0]);
  }
  void exchange(const char*, std::span<const message> sent, std::span<const message> received) override {
    for (std::size_t i = 0; i < sent.size(); ++i) copy(sent[i].data, received[i].data, sent[i].bytes);
  }
  std::shared_ptr<engine> split(const char*, int color, int) override {
    return color < 0 ? nullptr : std::make_shared<alone>();
  }

 private:
  static void copy(const void* from, void* into, std::size_t bytes) {
    if (bytes > 0 && from != into) std::memcpy(into, from, bytes);
  }
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
