// SPDX-License-Identifier: MIT
// Runs the snippets of a documentation page and compares what they print with what the page says.
#pragma once

#include <cstdint>
#include <gnp/core/error.hpp>
#include <gnp/memory/device.hpp>
#include <gnp/memory/stream.hpp>
#include <iostream>
#include <sstream>
#include <string>

// What a header of another library has for Arrow's columns.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

namespace snippets {

class page {
 public:
  explicit page(const char* name) : name_(name) {}

  /// `expected` is null where the page shows no output.
  void run(int line, void (*program)(), const char* expected) {
    std::ostringstream output;
    std::streambuf* const console = std::cout.rdbuf(output.rdbuf());
    const std::string failure = failure_of(program);
    std::cout.rdbuf(console);
    ++run_;

    std::string text = output.str() + failure;
    if (text.ends_with('\n')) text.pop_back();
    if (expected != nullptr) ++compared_;
    if (expected != nullptr ? text == expected : failure.empty()) return;
    all_right_ = false;
    std::cout << name_ << ':' << line << ": this snippet prints\n" << text << '\n';
    if (expected != nullptr) std::cout << "and the page says\n" << expected << '\n';
    std::cout << '\n';
  }

  /// With arrays on the first GPU, where there are so many.
  void run_on_gpus(int wanted, int line, void (*program)(), const char* expected) {
    if (gnp::detail::cuda_device_count() < wanted) {
      std::cout << name_ << ':' << line << ": skipped: no " << (wanted == 1 ? "" : "second ")
                << "CUDA device\n";
      return;
    }
    const gnp::use_device guard(gnp::device::cuda(0));
    run(line, program, expected);
    gnp::synchronize();
  }

  int finish(int snippets) const {
    std::cout << name_ << ": " << snippets << " snippets, " << run_ << " run, " << compared_ << " compared\n";
    return all_right_ ? 0 : 1;
  }

 private:
  /// An exception that leaves a snippet is part of what it shows: its type and its message.
  static std::string failure_of(void (*program)()) {
    try {
      program();
      return {};
    } catch (const gnp::shape_error& e) {
      return std::string("shape_error: ") + e.what();
    } catch (const gnp::index_error& e) {
      return std::string("index_error: ") + e.what();
    } catch (const gnp::dtype_error& e) {
      return std::string("dtype_error: ") + e.what();
    } catch (const gnp::device_error& e) {
      return std::string("device_error: ") + e.what();
    } catch (const gnp::out_of_memory& e) {
      return std::string("out_of_memory: ") + e.what();
    } catch (const gnp::linalg_error& e) {
      return std::string("linalg_error: ") + e.what();
    } catch (const gnp::compile_error& e) {
      return std::string("compile_error: ") + e.what();
    } catch (const gnp::io_error& e) {
      return std::string("io_error: ") + e.what();
    } catch (const std::exception& e) {
      return std::string("exception: ") + e.what();
    }
  }

  const char* name_;
  int run_ = 0;
  int compared_ = 0;
  bool all_right_ = true;
};

}  // namespace snippets
