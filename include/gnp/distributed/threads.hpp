// SPDX-License-Identifier: MIT
// Threads of one process as an engine: each reads the others' memory, between two points at which all threads
// wait for each other.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <gnp/core/error.hpp>
#include <gnp/distributed/combine.hpp>
#include <gnp/distributed/meeting.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

class threads_engine final : public engine {
 public:
  threads_engine(int rank, std::shared_ptr<meeting> where) : rank_(rank), meeting_(std::move(where)) {}
  /// If an exception destroys it, run() ends the calls of the other threads because of that exception.
  ~threads_engine() override {
    if (std::uncaught_exceptions() <= exceptions_) meeting_->leave(rank_);
  }

  int rank() const override { return rank_; }
  int size() const override { return meeting_->size(); }
  std::string failure() const override { return meeting_->run().failure(); }
  void end(const std::string& why) override { meeting_->run().end(why); }

  void barrier(const char* function) override {
    together({.function = function, .kind = kind_of_barrier}, [] {});
  }
  void broadcast(const char* function, void* data, std::size_t bytes, int root) override {
    together({.function = function, .from = data, .size = bytes, .kind = kinds + root}, [&] {
      if (rank_ != root) copy(offer_of(root).from, data, bytes);
    });
  }
  void all_reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                  reduction how) override {
    together(reduced(function, from, into, count, type, how, -1),
             [&] { combine_own_share(count, type, how, [&](int) { return true; }); });
  }
  void reduce(const char* function, const void* from, void* into, index_t count, dtype type, reduction how,
              int root) override {
    together(reduced(function, from, into, count, type, how, root),
             [&] { combine_own_share(count, type, how, [root](int r) { return r == root; }); });
  }
  void all_gather(const char* function, const void* part, void* all,
                  std::span<const std::size_t> bytes) override {
    std::size_t sum = 0;
    for (const std::size_t b : bytes) sum += b;
    together({.function = function, .from = part, .size = sum, .kind = kind_of_gather}, [&] {
      char* at = static_cast<char*>(all);
      for (int r = 0; r < size(); ++r) {
        const std::size_t length = bytes[static_cast<std::size_t>(r)];
        copy(offer_of(r).from, at, length);
        at += length;
      }
    });
  }
  void exchange(const char* function, std::span<const message> sent,
                std::span<const message> received) override {
    std::string wrong;
    meeting_->share_memory([&] {
      const auto taken = put(sent);
      for (const message& m : received) take(function, m, wrong);
      for (const auto& [by, one] : taken) meeting_->wait_until_taken(function, by, *one);
    });
    if (!wrong.empty()) throw distributed_error(wrong);
  }
  std::shared_ptr<engine> split(const char* function, int color, int key) override {
    meeting_->colors_and_keys[static_cast<std::size_t>(rank_)] = {color, key};
    std::vector<std::pair<int, int>> members;  // keys and ranks here
    together({.function = function, .kind = kind_of_split}, [&] {
      for (int r = 0; r < size(); ++r) {
        const auto [its_color, its_key] = meeting_->colors_and_keys[static_cast<std::size_t>(r)];
        if (its_color == color) members.emplace_back(its_key, r);
      }
      std::sort(members.begin(), members.end());
      if (color < 0 || members.front().second != rank_) return;
      std::vector<int> threads;
      for (const auto& [its_key, r] : members) threads.push_back(meeting_->thread_of(r));
      meeting_->made[static_cast<std::size_t>(rank_)] =
          std::make_shared<meeting>(std::move(threads), meeting_->shared_run());
    });
    const auto first = static_cast<std::size_t>(members.front().second);
    const auto own = std::find(members.begin(), members.end(), std::pair(key, rank_));
    const std::shared_ptr<meeting> part = color < 0 ? nullptr : meeting_->made[first];
    meeting_->meet(function);
    if (own == members.begin()) meeting_->made[first] = nullptr;
    if (part == nullptr) return nullptr;
    return std::make_shared<threads_engine>(static_cast<int>(own - members.begin()), part);
  }

 private:
  static constexpr std::size_t most_copied = 65536;
  // Kinds of calls: these; from `kinds` on, broadcasts from each root; below zero, reductions.
  enum { kind_of_barrier, kind_of_gather, kind_of_split, kinds };

  static void copy(const void* from, void* into, std::size_t bytes) {
    if (bytes > 0 && from != into) std::memcpy(into, from, bytes);
  }
  static meeting::offer reduced(const char* function, const void* from, void* into, index_t count, dtype type,
                                reduction how, int root) {
    const int kind = -1 - (((root + 1) * 64 + static_cast<int>(type)) * 4 + static_cast<int>(how));
    return {function, from, into, static_cast<std::size_t>(count) * itemsize(type), kind};
  }
  const meeting::offer& offer_of(int r) const { return meeting_->offers[static_cast<std::size_t>(r)]; }

  /// Waits for the others, which have to make the same call, and runs f(), which uses the memory of all. No
  /// thread's memory changes until all have done so.
  template <class F>
  void together(const meeting::offer& own, const F& f) {
    std::string wrong;
    meeting_->share_memory([&] {
      meeting_->offers[static_cast<std::size_t>(rank_)] = own;
      meeting_->meet_and_use(own.function, [&] {
        wrong = other_call(own.function);
        if (wrong.empty()) f();
      });
    });
    if (!wrong.empty()) throw distributed_error(wrong);
  }
  /// How a process's call differs from the first one's; empty if all make the same call.
  std::string other_call(const char* function) const {
    const meeting::offer& first = offer_of(0);
    for (int r = 1; r < size(); ++r) {
      const meeting::offer& other = offer_of(r);
      if (other.size == first.size && other.kind == first.kind) continue;
      return std::string(function) + ": process 0 calls " + first.function + " with " +
             std::to_string(first.size) + " bytes, process " + std::to_string(r) + " " + other.function +
             " with " + std::to_string(other.size) + (other.size == first.size ? " in another way" : "");
    }
    return {};
  }

  /// Sends these messages, small ones as copies. For each of the others, returns the thread that will take it,
  /// and the flag that will mark it as taken.
  std::vector<std::pair<int, std::shared_ptr<bool>>> put(std::span<const message> sent) {
    std::vector<std::pair<int, std::shared_ptr<bool>>> taken;
    for (const message& m : sent) {
      meeting::letter l{.data = m.data, .bytes = m.bytes};
      if (m.bytes <= most_copied) {
        const auto* const bytes = static_cast<const std::byte*>(m.data);
        l.copy.assign(bytes, bytes + m.bytes);
      } else {
        l.taken = taken.emplace_back(m.peer, std::make_shared<bool>(false)).second;
      }
      meeting_->put(rank_, m.peer, std::move(l));
    }
    return taken;
  }
  /// Receives a message; `wrong` is set if it has another length.
  void take(const char* function, const message& m, std::string& wrong) {
    meeting_->take(function, m.peer, rank_, [&](const meeting::letter& l) {
      if (l.bytes == m.bytes) return copy(l.taken == nullptr ? l.copy.data() : l.data, m.data, m.bytes);
      wrong = std::string(function) + ": process " + std::to_string(m.peer) + " sends " +
              std::to_string(l.bytes) + " bytes where process " + std::to_string(rank_) + " has room for " +
              std::to_string(m.bytes);
    });
  }

  /// Each thread combines its share of the elements of all threads, and writes it to the threads that need it.
  template <class Wants>
  void combine_own_share(index_t count, dtype type, reduction how, const Wants& wants) const {
    constexpr index_t piece = 4096;
    const std::size_t item = itemsize(type);
    const combining combine_into = combining_for(type, how);
    const index_t begin = count * rank_ / size();
    const index_t end = count * (rank_ + 1) / size();
    std::vector<std::byte> sum(static_cast<std::size_t>(piece) * item);
    for (index_t at = begin; at < end; at += piece) {
      const index_t length = (std::min)(piece, end - at);
      const std::size_t offset = static_cast<std::size_t>(at) * item;
      const std::size_t bytes = static_cast<std::size_t>(length) * item;
      std::memcpy(sum.data(), static_cast<const char*>(offer_of(0).from) + offset, bytes);
      for (int r = 1; r < size(); ++r)
        combine_into(static_cast<const char*>(offer_of(r).from) + offset, sum.data(), length);
      for (int r = 0; r < size(); ++r) {
        if (wants(r)) std::memcpy(static_cast<char*>(offer_of(r).into) + offset, sum.data(), bytes);
      }
    }
  }

  int rank_;
  int exceptions_ = std::uncaught_exceptions();
  std::shared_ptr<meeting> meeting_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
