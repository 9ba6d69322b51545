// SPDX-License-Identifier: MIT
// Memory of a GPU between gnp and other code, watched by the fake driver: in which order their streams work,
// and when an owner gets memory back.
#include <dlfcn.h>

#include <gnp/core.hpp>
#include <gnp/interop/from_arrow.hpp>
#include <gnp/interop/from_dlpack.hpp>
#include <gnp/interop/to_arrow.hpp>
#include <gnp/interop/to_dlpack.hpp>

#include "../catch.hpp"
#include "order_of_work.hpp"

// What a program that includes Arrow's header has in this name.
struct ArrowSchema {
  gnp::detail::arrow_schema members;
};
struct ArrowDeviceArray {
  gnp::detail::arrow_device_array members;
};

namespace {

using gnp::detail::submission;

order_of_work& watched() {
  void* const entry = ::dlsym(gnp::detail::driver().library.handle, "fake_order_of_work");
  return *reinterpret_cast<order_of_work* (*)()>(entry)();
}

constexpr gnp::device first_gpu = gnp::device::cuda(0);
const CUstream default_stream = CU_STREAM_LEGACY;

/// A stream of other code, which gnp knows by its handle alone.
struct other_stream {
  other_stream() { gnp::detail::driver().cuStreamCreate(&handle, CU_STREAM_NON_BLOCKING); }
  ~other_stream() { gnp::detail::driver().cuStreamDestroy(handle); }
  CUstream handle = nullptr;
};

/// Work of other code on its own stream, which writes the memory.
void write_on(CUstream stream, const void* memory) {
  const float value = 1;
  gnp::detail::driver().cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(memory), &value, sizeof value, stream);
}

/// Work of gnp, on this thread's current stream.
void write(const gnp::array<float>& x) {
  const submission work(x.device());
  write_on(work.handle(), work.writes(x));
}

void* new_memory() {
  gnp::detail::activate(0);
  CUdeviceptr memory = 0;
  gnp::detail::driver().cuMemAllocAsync(&memory, 1024, default_stream);
  return reinterpret_cast<void*>(memory);
}

void end(DLManagedTensorVersioned* tensor) {
  gnp::detail::delete_tensor<gnp::detail::dl_managed_versioned>(tensor);
}

}  // namespace

TEST_CASE("memory is given back after gnp's work on it, on every stream", "[streams]") {
  for (const bool by_tensor : {false, true}) {
    const other_stream owners;
    void* const memory = new_memory();
    const auto give_back = [stream = owners.handle](void* p) {
      gnp::detail::driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(p), stream);  // a conflict, if in use
    };
    gnp::array<float> x =
        gnp::from_pointer(static_cast<float*>(memory), {256}, {.device = first_gpu, .deleter = give_back});
    if (by_tensor) x = gnp::from_dlpack<float>(gnp::to_dlpack(x));
    const gnp::stream side(first_gpu);
    {
      const gnp::use_stream on(side);
      write(x);
    }
    write(x);
    const int before = watched().conflicts();
    x = gnp::array<float>();
    CHECK(watched().conflicts() == before);
  }
}

TEST_CASE("a consumer's stream comes after gnp's work, and gnp's later work after the default stream",
          "[streams]") {
  const gnp::stream side(first_gpu);
  const gnp::stream another(first_gpu);
  const gnp::array<float> x(gnp::shape_t{256}, first_gpu);
  {
    const gnp::use_stream on(side);
    write(x);
  }
  const other_stream consumer;
  CHECK_FALSE(watched().comes_after(consumer.handle, side.handle()));
  DLManagedTensorVersioned* const tensor = gnp::to_dlpack(x, {.stream = consumer.handle});
  CHECK(watched().comes_after(consumer.handle, side.handle()));
  end(tensor);
  {
    const gnp::use_stream on(side);
    write(x);
  }
  const int before = watched().conflicts();
  {
    const gnp::use_stream on(another);  // whatever the current stream is
    DLManagedTensorVersioned* const by_default = gnp::to_dlpack(x(gnp::slice(1, 5)));
    CHECK(watched().comes_after(default_stream, side.handle()));
    write_on(default_stream, x.data());
    end(by_default);
    write(x);
  }
  CHECK(watched().comes_after(another.handle(), default_stream));
  {
    const gnp::use_stream on(side);
    write(x);
  }
  CHECK(watched().conflicts() == before);
}

TEST_CASE("gnp's work comes after a producer's stream", "[streams]") {
  const int before = watched().conflicts();
  const other_stream producer;
  const gnp::stream side(first_gpu);
  gnp::array<float> owner(gnp::shape_t{256}, first_gpu);
  for (void* const stream : {static_cast<void*>(producer.handle), static_cast<void*>(nullptr)}) {
    DLManagedTensorVersioned* const tensor = gnp::to_dlpack(owner, {.stream = stream});
    write_on(stream == nullptr ? default_stream : producer.handle, owner.data());
    const gnp::use_stream on(side);
    const gnp::array<float> x = gnp::from_dlpack<float>(tensor, {.stream = stream});
    write(x);
    CHECK(watched().comes_after(side.handle(), stream == nullptr ? default_stream : producer.handle));
    gnp::synchronize(first_gpu);
  }
  CHECK(watched().conflicts() == before);
}

TEST_CASE("a tensor of a GPU stays the caller's where its array cannot be copied", "[streams]") {
  const gnp::array<float> owner(gnp::shape_t{1 << 25}, first_gpu);  // no freed block is kept that large
  DLManagedTensorVersioned* const tensor = gnp::to_dlpack(owner);
  watched().limit_memory(0);
  CHECK_THROWS_AS(gnp::from_dlpack<float>(tensor, {.copy = true}), gnp::out_of_memory);
  watched().limit_memory(~std::size_t{0});
  CHECK(gnp::from_dlpack<float>(tensor).data() == owner.data());
}

TEST_CASE("columns of a GPU come with an event, and gnp waits for those of others", "[streams]") {
  const gnp::stream side(first_gpu);
  const gnp::array<float> x(gnp::shape_t{256}, first_gpu);
  ArrowSchema schema;
  ArrowDeviceArray column;
  {
    const gnp::use_stream on(side);
    write(x);
    gnp::to_arrow(x, &schema, &column);
  }
  const other_stream consumer;
  CHECK_FALSE(watched().comes_after(consumer.handle, side.handle()));
  gnp::detail::driver().cuStreamWaitEvent(consumer.handle, *static_cast<CUevent*>(column.members.ready), 0);
  CHECK(watched().comes_after(consumer.handle, side.handle()));

  // The same column as of a library that writes it on its own stream, with an event of its own.
  write_on(consumer.handle, x.data());
  CUevent written = nullptr;
  gnp::detail::driver().cuEventCreate(&written, CU_EVENT_DISABLE_TIMING);
  gnp::detail::driver().cuEventRecord(written, consumer.handle);
  void* const of_gnp = std::exchange(column.members.ready, static_cast<void*>(&written));
  {
    const gnp::array<float> back = gnp::from_arrow<float>(&schema, &column);
    CHECK(back.data() == x.data());
    const gnp::use_stream on(side);
    write(back);
    CHECK(watched().comes_after(side.handle(), consumer.handle));
  }
  CHECK(of_gnp != nullptr);
  gnp::detail::driver().cuEventDestroy(written);
}
