// SPDX-License-Identifier: MIT
// test: asan, tsan, alone
// DLPack both ways, beside producers and consumers that have the standard's structs as any library has them.
#include <atomic>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "devices.hpp"

// What a program that includes dlpack.h has in these names.
struct DLTensor {
  void* data;
  struct {
    std::int32_t device_type;
    std::int32_t device_id;
  } device;
  std::int32_t ndim;
  struct {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
  } dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};
struct DLManagedTensorVersioned {
  struct {
    std::uint32_t major_number;
    std::uint32_t minor_number;
  } version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

namespace {

using gnp::index_t;
using gnp::shape_t;

constexpr std::uint64_t read_only = 1;
constexpr std::uint64_t is_copied = 2;

void set_version(DLManagedTensorVersioned& tensor) { tensor.version = {1, 1}; }
void set_version(DLManagedTensor&) {}

/// A library's tensor, which counts how often it is given back.
template <class Tensor>
struct produced {
  explicit produced(std::vector<std::int64_t> the_shape, std::vector<std::int64_t> the_strides = {})
      : shape(std::move(the_shape)), strides(std::move(the_strides)) {
    set_version(tensor);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    tensor.dl_tensor.data = values.data();
    tensor.dl_tensor.device = {1, 0};
    tensor.dl_tensor.ndim = static_cast<std::int32_t>(shape.size());
    tensor.dl_tensor.dtype = {2, 32, 1};
    tensor.dl_tensor.shape = shape.data();
    tensor.dl_tensor.strides = strides.empty() ? nullptr : strides.data();
    tensor.manager_ctx = this;
    tensor.deleter = [](Tensor* self) { ++static_cast<produced*>(self->manager_ctx)->deleted; };
  }

  std::vector<float> values = std::vector<float>(24);
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Tensor tensor{};
  std::atomic<int> deleted{0};
};
using versioned = produced<DLManagedTensorVersioned>;
using unversioned = produced<DLManagedTensor>;

struct deletes {
  template <class Tensor>
  void operator()(Tensor* tensor) const {
    tensor->deleter(tensor);
  }
};
template <class Tensor>
using held = std::unique_ptr<Tensor, deletes>;

/// What a consumer that computes nothing but addresses reads of a tensor of the CPU.
template <class T>
std::vector<T> elements(const DLTensor& t) {
  std::vector<T> all;
  std::vector<std::int64_t> index(static_cast<std::size_t>(t.ndim), 0);
  std::int64_t count = 1;
  for (std::int32_t d = 0; d < t.ndim; ++d) count *= t.shape[d];
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    std::int64_t rest = i;
    for (std::int32_t d = t.ndim; d-- > 0;) {
      offset += rest % t.shape[d] * t.strides[d];
      rest /= t.shape[d];
    }
    all.push_back(static_cast<const T*>(t.data)[offset]);
  }
  return all;
}

}  // namespace

TEST_CASE("a tensor is an array without a copy, and is given back once") {
  const auto check = [](auto& from) {
    {
      gnp::array<float> x = gnp::from_dlpack<float>(&from.tensor);
      CHECK(x.device() == gnp::device::cpu());
      CHECK(x.shape() == shape_t{2, 3, 4});
      CHECK(x.is_contiguous());
      CHECK(x.data() == from.values.data());
      x(1, 2, 3) = 100.0F;
      CHECK(from.values[23] == 100);
      const gnp::array<float> row = x(1, 2);
      x = gnp::array<float>();
      CHECK(from.deleted == 0);
      CHECK(row.item(0) == 20);
    }
    CHECK(from.deleted == 1);
  };
  versioned current({2, 3, 4});
  check(current);
  unversioned earlier({2, 3, 4});
  check(earlier);
  versioned later({2, 3, 4}, {12, 4, 1});
  later.tensor.version = {1, 99};
  check(later);

  versioned nobody({2});
  nobody.tensor.deleter = nullptr;
  CHECK(gnp::from_dlpack<float>(&nobody.tensor).item(1) == 1);
}

TEST_CASE("strides of any sign, offsets, rank 0, no elements") {
  versioned turned({4, 3}, {-1, 4});
  turned.tensor.dl_tensor.byte_offset = 12;
  const gnp::array<float> x = gnp::from_dlpack<float>(&turned.tensor);
  CHECK(gnp::to_vector(x) == std::vector<float>{3, 7, 11, 2, 6, 10, 1, 5, 9, 0, 4, 8});
  CHECK(x.block()->data == turned.values.data());
  CHECK(x.block()->bytes == 48);

  versioned repeated({2, 3}, {0, 2});
  const gnp::array<float> rows = gnp::from_dlpack<float>(&repeated.tensor);
  CHECK(gnp::to_vector(rows) == std::vector<float>{0, 2, 4, 0, 2, 4});
  CHECK(rows.is_read_only());

  versioned number({});
  number.tensor.dl_tensor.shape = nullptr;
  number.tensor.dl_tensor.byte_offset = 20;
  CHECK(gnp::from_dlpack<float>(&number.tensor).item() == 5);
  CHECK(number.deleted == 1);

  versioned empty({3, 0, 2});
  empty.tensor.dl_tensor.data = nullptr;
  empty.tensor.dl_tensor.byte_offset = 8;
  CHECK(gnp::from_dlpack<float>(&empty.tensor).shape() == shape_t{3, 0, 2});
  CHECK(empty.deleted == 1);

  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::min();
  versioned unfollowed({1, 3}, {any, 1});
  CHECK(gnp::from_dlpack<float>(&unfollowed.tensor).is_contiguous());
  versioned unfollowed_too({0, 3}, {any, any});
  CHECK(gnp::from_dlpack<float>(&unfollowed_too.tensor).size() == 0);

  unversioned host({4});
  host.tensor.dl_tensor.device = {3, 1};  // page-locked by the second GPU
  CHECK(gnp::from_dlpack<float>(&host.tensor).device() == gnp::device::cpu());
}

TEST_CASE("what is for reading is copied, or shared by an array that is not written") {
  versioned from({2, 3});
  from.tensor.flags = read_only;
  {
    const gnp::array<float> x = gnp::from_dlpack<float>(&from.tensor);
    CHECK(from.deleted == 1);
    CHECK(x.data() != from.values.data());
    CHECK(gnp::to_vector(x) == std::vector<float>{0, 1, 2, 3, 4, 5});
  }
  {
    const gnp::array<float> shared = gnp::from_dlpack<float>(&from.tensor, {.copy = false});
    CHECK(shared.data() == from.values.data());
    CHECK(shared.is_read_only());
    CHECK_THROWS_AS(shared.fill(1), gnp::error);
  }
  CHECK(from.deleted == 2);
  from.tensor.flags = is_copied;
  CHECK(gnp::from_dlpack<float>(&from.tensor).data() == from.values.data());
  CHECK(gnp::from_dlpack<float>(&from.tensor, {.copy = true}).data() != from.values.data());
  CHECK(from.deleted == 4);
}

TEST_CASE("a tensor of any type is an any_array") {
  versioned rows({2, 3});
  {
    const gnp::any_array x = gnp::from_dlpack(&rows.tensor);
    CHECK(x.dtype() == gnp::dtype::float32);
    CHECK(x.data() == rows.values.data());
    CHECK(x.get<float>().item(1, 2) == 5);
    CHECK(rows.deleted == 0);
  }
  CHECK(rows.deleted == 1);
  versioned columns({3, 2}, {1, 3});
  CHECK(gnp::from_dlpack(&columns.tensor).data() == columns.values.data());
  versioned gaps({3, 2}, {8, 2});
  const gnp::any_array copied = gnp::from_dlpack(&gaps.tensor);
  CHECK(gaps.deleted == 1);
  CHECK(gnp::to_vector(copied.get<float>()) == std::vector<float>{0, 2, 8, 10, 16, 18});
  CHECK_THROWS_WITH(gnp::from_dlpack(&gaps.tensor, {.copy = false}), contains("cannot be one without a copy"));
  CHECK(gaps.deleted == 1);
}

TEST_CASE("what a tensor cannot be, which then stays the caller's") {
  const auto refused = [](const auto& change, const std::string& why) {
    versioned from({2, 3}, {3, 1});
    change(from.tensor);
    CHECK_THROWS_WITH(gnp::from_dlpack<float>(&from.tensor), contains(why));
    CHECK_THROWS_WITH(gnp::from_dlpack(&from.tensor), contains(why));
    CHECK_THROWS_WITH(gnp::from_dlpack<float>(&from.tensor, {.copy = true}), contains(why));
    CHECK(from.deleted == 0);
    unversioned earlier({2, 3}, {3, 1});
    earlier.tensor.dl_tensor = from.tensor.dl_tensor;
    if (from.tensor.version.major_number == 1) {
      CHECK_THROWS_WITH(gnp::from_dlpack<float>(&earlier.tensor), contains(why));
      CHECK(earlier.deleted == 0);
    }
  };
  using tensor = DLManagedTensorVersioned;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t shape[] = {most, 3};
  std::int64_t strides[] = {3, 1};

  refused([](tensor& t) { t.version = {2, 0}; },
          "from_dlpack: the tensor is of DLPack 2.0, and gnp reads version 1");
  refused([](tensor& t) { t.version = {0, 8}; }, "of DLPack 0.8");
  refused([](tensor& t) { t.dl_tensor.device = {10, 0}; }, "on a device of DLPack's type 10");
  refused([](tensor& t) { t.dl_tensor.device = {0, 0}; }, "on a device of DLPack's type 0");
  refused([](tensor& t) { t.dl_tensor.device = {2, -1}; }, "on the CUDA device -1");
  refused([](tensor& t) { t.dl_tensor.device = {13, 63}; }, "cuda:63: ");
  refused([](tensor& t) { t.dl_tensor.ndim = -1; }, "the tensor has -1 dimensions, and an array 0 to 16");
  refused([](tensor& t) { t.dl_tensor.ndim = 17; }, "the tensor has 17 dimensions");
  refused([](tensor& t) { t.dl_tensor.shape = nullptr; }, "the tensor has 2 dimensions and no shape");
  refused([](tensor& t) { t.dl_tensor.data = nullptr; }, "the pointer is null, and an array of shape (2, 3)");
  refused([](tensor& t) { t.dl_tensor.byte_offset = 2; }, "is not a multiple of the 4 bytes that float32");
  refused([](tensor& t) { t.dl_tensor.byte_offset = ~std::uint64_t{3}; },
          "the byte_offset 18446744073709551612 reaches out of the address space");
  const auto of_type = [&](std::uint8_t code, std::uint8_t bits, std::uint16_t lanes, const std::string& why) {
    refused([&](tensor& t) { t.dl_tensor.dtype = {code, bits, lanes}; }, why);
  };
  of_type(2, 32, 4, "DLPack's code 2 with 32 bits and 4 lanes");
  of_type(2, 32, 0, "and 0 lanes");
  of_type(3, 64, 1, "code 3 with 64 bits");  // a handle
  of_type(0, 4, 1, "code 0 with 4 bits");    // a part of a byte
  of_type(2, 128, 1, "code 2 with 128 bits");
  of_type(5, 32, 1, "code 5 with 32 bits");  // complex of halves
  of_type(6, 1, 1, "code 6 with 1 bits");
  of_type(10, 8, 1, "code 10 with 8 bits");  // a float of 8 bits
  const auto of_shape = [&](std::int64_t rows, std::int64_t step, const std::string& why) {
    shape[0] = rows;
    strides[0] = step;
    refused(
        [&](tensor& t) {
          t.dl_tensor.shape = shape;
          t.dl_tensor.strides = strides;
        },
        why);
  };
  of_shape(-2, 3, "negative dimensions are not allowed");
  of_shape(most, 3, "has more than 2^62 elements");
  of_shape(most / 4, 0, "has more than 2^62 elements");
  of_shape(2, most, "reaches out of the address space");
  of_shape(2, -most, "reaches out of the address space");
  of_shape(2, -most - 1, "reaches out of the address space");
  of_shape(std::int64_t{1} << 60, 3, "reaches out of the address space");

  CHECK_THROWS_WITH(gnp::from_dlpack<float>(static_cast<DLManagedTensor*>(nullptr)), contains("is null"));
  CHECK_THROWS_WITH(gnp::from_dlpack(static_cast<DLManagedTensorVersioned*>(nullptr)), contains("is null"));

  versioned from({2, 3});
  CHECK_THROWS_AS(gnp::from_dlpack<double>(&from.tensor), gnp::dtype_error);
  CHECK_THROWS_WITH(gnp::from_dlpack<double>(&from.tensor),
                    contains("from_dlpack: the elements are float32, and float64 was asked for"));
  CHECK(from.deleted == 0);
}

TEST_CASE("an array is a tensor that keeps it alive") {
  const gnp::use_device here(gnp::device::cpu());
  held<DLManagedTensorVersioned> tensor;
  held<DLManagedTensor> earlier;
  const float* data = nullptr;
  {
    const gnp::array<float> x = gnp::arange<float>(24).reshape(4, 6);
    const gnp::array<float> view = x(gnp::slice(gnp::none, gnp::none, -2), gnp::slice(1, gnp::none, 2)).T();
    tensor.reset(gnp::to_dlpack(view));
    earlier.reset(gnp::to_dlpack_unversioned(view));
    data = view.data();
  }
  CHECK(tensor->version.major_number == 1);
  CHECK(tensor->flags == 0);
  for (const DLTensor* t : {&tensor->dl_tensor, &earlier->dl_tensor}) {
    CHECK(t->data == data);
    CHECK(t->byte_offset == 0);
    CHECK(t->device.device_type == 1);
    CHECK(t->device.device_id == 0);
    CHECK(t->ndim == 2);
    CHECK(t->dtype.lanes == 1);
    CHECK(std::vector<std::int64_t>(t->shape, t->shape + 2) == std::vector<std::int64_t>{3, 2});
    CHECK(std::vector<std::int64_t>(t->strides, t->strides + 2) == std::vector<std::int64_t>{2, -12});
    CHECK(elements<float>(*t) == std::vector<float>{19, 7, 21, 9, 23, 11});
  }
  std::thread([last = std::move(tensor)] {}).join();
  CHECK(elements<float>(earlier->dl_tensor)[1] == 7);
}

TEST_CASE("what a tensor tells of an expression, a broadcast view, a number, nothing") {
  const gnp::use_device here(gnp::device::cpu());
  const gnp::array<int> x = gnp::arange<int>(3);
  const held<DLManagedTensorVersioned> sum(gnp::to_dlpack(x + 1));
  CHECK(sum->flags == is_copied);
  CHECK(elements<int>(sum->dl_tensor) == std::vector<int>{1, 2, 3});
  const held<DLManagedTensorVersioned> rows(gnp::to_dlpack(gnp::broadcast_to(x, {2, 3})));
  CHECK((rows->flags & read_only) != 0);
  CHECK(elements<int>(rows->dl_tensor) == std::vector<int>{0, 1, 2, 0, 1, 2});
  const held<DLManagedTensorVersioned> number(gnp::to_dlpack(x(2)));
  CHECK(number->dl_tensor.ndim == 0);
  CHECK(*static_cast<const int*>(number->dl_tensor.data) == 2);
  const held<DLManagedTensorVersioned> nothing(gnp::to_dlpack(gnp::array<int>(x(gnp::slice(2, 2)))));
  CHECK(nothing->dl_tensor.data == nullptr);
  CHECK(nothing->dl_tensor.shape[0] == 0);
  CHECK(gnp::from_dlpack<int>(gnp::to_dlpack(x(gnp::slice(2, 2)))).size() == 0);
  gnp::array<int> moved = x;
  const gnp::array<int> elsewhere = std::move(moved);
  CHECK_THROWS_WITH(gnp::to_dlpack_unversioned(gnp::broadcast_to(gnp::ones({1}), {3})),
                    Catch::Matchers::Contains("is for reading only"));
  const held<DLManagedTensor> empty(gnp::to_dlpack_unversioned(moved));
  CHECK(empty->dl_tensor.ndim == 1);
  CHECK(empty->dl_tensor.shape[0] == 0);
  const gnp::any_array any = x;
  const held<DLManagedTensorVersioned> of_any(gnp::to_dlpack(any));
  CHECK(of_any->flags == 0);
  CHECK(of_any->dl_tensor.data == x.data());
  const held<DLManagedTensor> of_any_earlier(gnp::to_dlpack_unversioned(any));
  CHECK(of_any_earlier->dl_tensor.data == x.data());
}

TEMPLATE_TEST_CASE("there and back, of every type", "", bool, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, gnp::half,
                   gnp::bfloat16, float, double, gnp::complex64, gnp::complex128) {
  using T = TestType;
  for_each_device([](gnp::device d) {
    const gnp::array<T> x = gnp::asarray<bool>({{true, false}, {true, true}, {false, true}}).astype<T>();
    gnp::array<T> back = gnp::from_dlpack<T>(gnp::to_dlpack(x.T()));
    CHECK(back.device() == d);
    CHECK(back.data() == x.data());
    CHECK(back.strides() == x.T().strides());
    CHECK(gnp::array_equal(back, x.T()));
    back = gnp::from_dlpack<T>(gnp::to_dlpack_unversioned(x));
    CHECK(gnp::array_equal(back, x));
    const gnp::any_array any = gnp::from_dlpack(gnp::to_dlpack(x));
    CHECK(any.dtype() == gnp::dtype_of<T>);
    CHECK(any.data() == x.data());

    // The codes and bits of the standard.
    const held<DLManagedTensorVersioned> tensor(gnp::to_dlpack(x));
    const int code = std::is_same_v<T, bool>             ? 6
                     : std::is_same_v<T, gnp::bfloat16>  ? 4
                     : gnp::is_complex(gnp::dtype_of<T>) ? 5
                     : !std::is_integral_v<T>            ? 2
                     : std::is_signed_v<T>               ? 0
                                                         : 1;
    CHECK(tensor->dl_tensor.dtype.code == code);
    CHECK(tensor->dl_tensor.dtype.bits == 8 * sizeof(T));
    CHECK(tensor->dl_tensor.device.device_type == (d.is_cpu() ? 1 : 2));
    CHECK(tensor->dl_tensor.device.device_id == 0);
  });
}

TEST_CASE("both sides write, on a stream of gnp's and on the default one") {
  for_each_device([](gnp::device d) {
    const gnp::stream side(d);
    gnp::array<float> x = gnp::zeros<float>({1 << 16});
    for (int round = 1; round <= 20; ++round) {
      gnp::array<float> y;
      {
        const gnp::use_stream on(side);
        x += 1;
        y = gnp::from_dlpack<float>(gnp::to_dlpack(x));
      }
      y += 1;
      const gnp::use_stream on(side);
      REQUIRE(gnp::max(x).item() == static_cast<float>(2 * round));
      REQUIRE(gnp::min(y).item() == static_cast<float>(2 * round));
    }
  });
}

TEST_CASE("a tensor is given back by the thread that drops the last handle") {
  for (int round = 0; round < 20; ++round) {
    versioned from({2, 3, 4});
    gnp::array<float> x = gnp::from_dlpack<float>(&from.tensor);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([mine = x] {
        const held<DLManagedTensorVersioned> passed_on(gnp::to_dlpack(mine));
        CHECK(passed_on->dl_tensor.shape[2] == 4);
      });
    }
    x = gnp::array<float>();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    CHECK(from.deleted == 1);
  }
}
