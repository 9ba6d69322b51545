// SPDX-License-Identifier: MIT
// test: asan, alone
// Arrow's columns both ways, beside producers and consumers that have the standard's structs as any library has
// them.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "devices.hpp"

// What a program that includes Arrow's header has in these names.
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
struct ArrowDeviceArray {
  ArrowArray array;
  std::int64_t device_id;
  std::int32_t device_type;
  void* sync_event;
  std::int64_t reserved[3];
};

namespace {

/// A library's column of 0, 1, 2, ... or of bits, which counts how often it and its type are given back.
template <class T>
struct produced {
  explicit produced(const char* format, std::int64_t length = 10) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i);
    schema = {format,
              "x",
              nullptr,
              0,
              0,
              nullptr,
              nullptr,
              [](ArrowSchema* s) {
                ++static_cast<produced*>(s->private_data)->schemas_released;
                s->release = nullptr;
              },
              this};
    column = {length,
              0,
              0,
              2,
              0,
              buffers,
              nullptr,
              nullptr,
              [](ArrowArray* a) {
                ++static_cast<produced*>(a->private_data)->released;
                a->release = nullptr;
              },
              this};
  }
  produced(const produced&) = delete;
  produced& operator=(const produced&) = delete;

  std::vector<T> values = std::vector<T>(40);
  std::vector<std::uint8_t> bits = {0b10110101, 0b01101110, 0b11111111};
  const void* buffers[2] = {nullptr, values.data()};
  ArrowSchema schema{};
  ArrowArray column{};
  int released = 0;
  int schemas_released = 0;
};

bool bit_of(const std::vector<std::uint8_t>& bytes, std::size_t i) {
  return (bytes[i / 8] >> (i % 8)) % 2 != 0;
}

template <class T>
void check_type(const char* format) {
  INFO(format);
  produced<T> from(format);
  from.column.offset = 3;
  {
    const gnp::array<T> x = gnp::from_arrow<T>(&from.schema, &from.column);
    CHECK(from.schemas_released == 1);
    CHECK(from.column.release == nullptr);  // it is gnp's
    CHECK(from.schema.release == nullptr);
    CHECK(x.shape() == gnp::shape_t{10});
    CHECK(x.data() == from.values.data() + 3);  // shared
    for (int i = 0; i < 10; ++i) CHECK(static_cast<double>(static_cast<T>(x(i))) == i + 3);

    ArrowSchema schema;
    ArrowArray column;
    gnp::to_arrow(x, &schema, &column, {.name = "the column"});
    CHECK(std::string(schema.format) == format);
    CHECK(std::string(schema.name) == "the column");
    CHECK(schema.flags == 0);
    CHECK(column.length == 10);
    CHECK(column.null_count == 0);
    CHECK(column.n_buffers == 2);
    CHECK(column.buffers[0] == nullptr);
    CHECK(column.buffers[1] == x.data());
    schema.release(&schema);
    CHECK(schema.release == nullptr);
    column.release(&column);
    CHECK(column.release == nullptr);
    CHECK(from.released == 0);
  }
  CHECK(from.released == 1);
}

}  // namespace

TEST_CASE("columns of every type of number, shared both ways") {
  const gnp::use_device guard(gnp::device::cpu());
  check_type<std::int8_t>("c");
  check_type<std::uint8_t>("C");
  check_type<std::int16_t>("s");
  check_type<std::uint16_t>("S");
  check_type<std::int32_t>("i");
  check_type<std::uint32_t>("I");
  check_type<std::int64_t>("l");
  check_type<std::uint64_t>("L");
  check_type<gnp::half>("e");
  check_type<float>("f");
  check_type<double>("g");
}

TEST_CASE("a column that leaves outlives its array") {
  const gnp::use_device guard(gnp::device::cpu());
  ArrowSchema schema;
  ArrowArray column;
  {
    const gnp::array<double> x = gnp::arange(5.0);
    gnp::to_arrow(x * 2.0 + 1.0, &schema, &column);
  }
  const auto* const values = static_cast<const double*>(column.buffers[1]);
  for (int i = 0; i < 5; ++i) CHECK(values[i] == 2 * i + 1);
  const gnp::array<double> back = gnp::from_arrow<double>(&schema, &column);
  CHECK(static_cast<double>(back(4)) == 9);
  const gnp::array<double> every_other = back(gnp::slice(gnp::none, gnp::none, -2));  // 9, 5, 1
  gnp::to_arrow(every_other, &schema, &column);
  const auto* const backwards = static_cast<const double*>(column.buffers[1]);
  CHECK(column.length == 3);
  CHECK(backwards[0] == 9);
  CHECK(backwards[2] == 1);
  schema.release(&schema);
  column.release(&column);
}

TEST_CASE("a column is given back with its last handle; a copy at once") {
  const gnp::use_device guard(gnp::device::cpu());
  produced<float> from("f");
  gnp::array<float> part;
  {
    const gnp::array<float> x = gnp::from_arrow<float>(&from.schema, &from.column);
    part = x(gnp::slice(2, 4));
  }
  CHECK(from.released == 0);
  CHECK(static_cast<float>(part(1)) == 3);
  part = gnp::array<float>();
  CHECK(from.released == 1);

  produced<float> other("f");
  const gnp::array<float> copied = gnp::from_arrow<float>(&other.schema, &other.column, {.copy = true});
  CHECK(other.released == 1);
  other.values[4] = 100;
  CHECK(static_cast<float>(copied(4)) == 4);
}

TEST_CASE("truth values are bits, from any bit on") {
  const gnp::use_device guard(gnp::device::cpu());
  for (const std::int64_t offset : {0, 1, 7, 8, 9, 13}) {
    produced<std::uint8_t> from("b", 11);
    from.buffers[1] = from.bits.data();
    from.column.offset = offset;
    const gnp::array<bool> x = gnp::from_arrow<bool>(&from.schema, &from.column);
    CHECK(from.released == 1);
    REQUIRE(x.size() == 11);
    for (int i = 0; i < 11; ++i)
      CHECK(static_cast<bool>(x(i)) == bit_of(from.bits, static_cast<std::size_t>(i + offset)));

    ArrowSchema schema;
    ArrowArray column;
    gnp::to_arrow(x, &schema, &column);
    CHECK(std::string(schema.format) == "b");
    const auto* const bytes = static_cast<const std::uint8_t*>(column.buffers[1]);
    for (std::size_t i = 0; i < 11; ++i)
      CHECK(((bytes[i / 8] >> (i % 8)) % 2 != 0) == bit_of(from.bits, i + static_cast<std::size_t>(offset)));
    schema.release(&schema);
    column.release(&column);
  }
}

TEST_CASE("no truth values, from a bit within a byte on, need no memory") {
  const gnp::use_device guard(gnp::device::cpu());
  produced<std::uint8_t> from("b", 0);
  from.buffers[1] = nullptr;
  from.column.offset = 5;
  CHECK(gnp::from_arrow<bool>(&from.schema, &from.column).size() == 0);
}

TEST_CASE("nulls are refused, or taken with a mask") {
  const gnp::use_device guard(gnp::device::cpu());
  for (const std::int64_t null_count : {-1, 4}) {
    produced<double> from("g");
    from.buffers[0] = from.bits.data();
    from.column.offset = 1;
    from.column.null_count = null_count;
    CHECK_THROWS_WITH((gnp::from_arrow<double>(&from.schema, &from.column)),
                      "from_arrow: 4 of the 10 values are null: from_arrow_masked takes them, and says which");
    CHECK(from.released == 0);
    CHECK(from.column.release != nullptr);  // still the caller's
    CHECK(from.schemas_released == 0);
    {
      const auto [values, valid] = gnp::from_arrow_masked<double>(&from.schema, &from.column);
      for (int i = 0; i < 10; ++i) {
        CHECK(static_cast<double>(values(i)) == i + 1);
        CHECK(static_cast<bool>(valid(i)) == bit_of(from.bits, static_cast<std::size_t>(i + 1)));
      }
    }
    CHECK(from.released == 1);
  }
  {
    produced<double> from("g");  // a mask without a null in it
    from.bits = {255, 255};
    from.buffers[0] = from.bits.data();
    from.column.null_count = -1;
    CHECK(static_cast<double>(gnp::from_arrow<double>(&from.schema, &from.column)(9)) == 9);
  }
  produced<double> whole("g");
  const auto [values, valid] = gnp::from_arrow_masked<double>(&whole.schema, &whole.column);
  CHECK(static_cast<bool>(gnp::all(valid)));
  CHECK(valid.size() == 10);

  ArrowSchema schema;
  ArrowArray column;
  const gnp::array<bool> big = values > 6.0;
  gnp::to_arrow(values, &schema, &column, {.valid = big});
  CHECK(schema.flags == 2);
  CHECK(column.null_count == 7);
  const auto [again, there] = gnp::from_arrow_masked<double>(&schema, &column);
  CHECK(static_cast<bool>(gnp::array_equal(there, big)));
  CHECK(again.data() == values.data());
}

TEST_CASE("columns without elements") {
  const gnp::use_device guard(gnp::device::cpu());
  produced<float> from("f", 0);
  from.buffers[1] = nullptr;
  CHECK(gnp::from_arrow<float>(&from.schema, &from.column).size() == 0);
  CHECK(from.released == 1);
  produced<std::uint8_t> bits("b", 0);
  bits.buffers[1] = nullptr;
  const auto [values, valid] = gnp::from_arrow_masked<bool>(&bits.schema, &bits.column);
  CHECK(values.size() == 0);
  CHECK(valid.size() == 0);
  ArrowSchema schema;
  ArrowArray column;
  gnp::to_arrow(values, &schema, &column, {.valid = valid});
  CHECK(column.length == 0);
  CHECK(column.null_count == 0);
  schema.release(&schema);
  column.release(&column);
}

TEST_CASE("columns of a device, both ways") {
  for_each_device([](gnp::device where) {
    const gnp::array<float> x = gnp::arange<float>(1000) * 3.0f;
    const gnp::array<bool> valid = x > 30.0f;
    ArrowSchema schema;
    ArrowDeviceArray column;
    gnp::to_arrow(x, &schema, &column, {.valid = valid});
    CHECK(column.device_type == (where.is_cpu() ? 1 : 2));
    CHECK(column.device_id == (where.is_cpu() ? -1 : where.ordinal()));
    CHECK((column.sync_event != nullptr) == where.is_cuda());
    CHECK(column.array.buffers[1] == x.data());
    const auto [values, there] = gnp::from_arrow_masked<float>(&schema, &column);
    CHECK(column.array.release == nullptr);
    CHECK(values.data() == x.data());
    CHECK(values.device() == where);
    CHECK(static_cast<bool>(gnp::array_equal(values, x)));
    CHECK(static_cast<bool>(gnp::array_equal(there, valid)));
    gnp::to_arrow(there, &schema, &column);
    CHECK(static_cast<bool>(gnp::array_equal(gnp::from_arrow<bool>(&schema, &column), valid)));
    if (where.is_cuda()) {
      ArrowArray on_cpu;
      CHECK_THROWS_AS(gnp::to_arrow(x, &schema, &on_cpu), gnp::device_error);
      gnp::to_arrow(x, &schema, &column);
      produced<float> from("f");  // in the CPU's memory, and there behind a GPU's event
      ArrowDeviceArray pinned{from.column, -1, 3, column.sync_event, {}};
      const gnp::array<float> host = gnp::from_arrow<float>(&from.schema, &pinned);
      CHECK(host.device().is_cpu());
      CHECK(host(9).item() == 9);
      schema.release(&schema);
      column.array.release(&column.array);
    }
  });
}

TEST_CASE("columns that contradict themselves are errors, and stay the caller's") {
  const gnp::use_device guard(gnp::device::cpu());
  const auto refused = [](const char* message, const char* format, const auto& change) {
    produced<float> from(format);
    change(from);
    CHECK_THROWS_WITH((gnp::from_arrow<float>(&from.schema, &from.column)), contains(message));
    CHECK(from.released == 0);
    CHECK(from.schemas_released == 0);
  };
  const auto nothing = [](auto&) {};
  refused("the values are float64, and float32 was asked for", "g", nothing);
  refused("format 'u' does not hold numbers", "u", nothing);
  refused("format 'tsn:UTC' does not hold numbers", "tsn:UTC", nothing);
  refused("format '' does not hold numbers", nullptr, nothing);
  refused("encoded by a dictionary", "f", [](auto& from) { from.schema.dictionary = &from.schema; });
  refused("the schema has been released", "f", [](auto& from) { from.schema.release = nullptr; });
  refused("the column has been released", "f", [](auto& from) { from.column.release = nullptr; });
  refused("has the length -1", "f", [](auto& from) { from.column.length = -1; });
  refused("has the offset -8", "f", [](auto& from) { from.column.offset = -8; });
  refused("has the offset", "f",
          [](auto& from) { from.column.offset = (std::numeric_limits<std::int64_t>::max)() - 5; });
  refused("has 1 buffers", "f", [](auto& from) { from.column.n_buffers = 1; });
  refused("has 3 buffers", "f", [](auto& from) { from.column.n_buffers = 3; });
  refused("buffers, and one of numbers has 2", "f", [](auto& from) { from.column.buffers = nullptr; });
  refused("the pointer is null", "f", [](auto& from) { from.buffers[1] = nullptr; });
  refused("is not a multiple of the 4 bytes", "f",
          [](auto& from) { from.buffers[1] = reinterpret_cast<const char*>(from.values.data()) + 2; });
  refused("has 11 nulls", "f", [](auto& from) { from.column.null_count = 11; });
  refused("does not say which", "f", [](auto& from) { from.column.null_count = 2; });

  produced<float> from("f");
  ArrowDeviceArray elsewhere{from.column, 0, 7, nullptr, {}};
  CHECK_THROWS_AS((gnp::from_arrow<float>(&from.schema, &elsewhere)), gnp::device_error);
  elsewhere.device_id = 60;
  void* event = nullptr;
  elsewhere.sync_event = &event;  // nothing is read before this GPU's event has been waited for
  elsewhere.device_type = 3;
  CHECK_THROWS_AS((gnp::from_arrow<float>(&from.schema, &elsewhere)), gnp::device_error);
  elsewhere.sync_event = nullptr;
  elsewhere.device_type = 2;
  CHECK_THROWS_AS((gnp::from_arrow<float>(&from.schema, &elsewhere)), gnp::device_error);
  CHECK_THROWS_WITH((gnp::from_arrow<float>(nullptr, &from.column)),
                    "from_arrow: the pointer to the schema is null");
  ArrowSchema schema{};
  ArrowArray column{};
  CHECK_THROWS_WITH(gnp::to_arrow(gnp::ones<float>({2, 3}), &schema, &column),
                    "to_arrow: a column has one dimension, and the array has shape (2, 3): ravel() makes one");
  CHECK_THROWS_AS(gnp::to_arrow(gnp::ones<float>({2}), &schema, &column, {.valid = gnp::ones<bool>({3})}),
                  gnp::shape_error);
  CHECK(schema.release == nullptr);
  CHECK(column.release == nullptr);
}
