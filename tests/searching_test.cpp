// SPDX-License-Identifier: MIT
// searchsorted, digitize and lexsort beside NumPy's (tests/golden/make_sorting.py says what a line is);
// partition, argpartition and top_k beside sort.
#include <algorithm>

#include "sorting_golden.hpp"

TEMPLATE_TEST_CASE("searchsorted is NumPy's", "", bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, gnp::half, float, double,
                   gnp::complex64, gnp::complex128) {
  using T = TestType;
  const auto lines = golden::split(golden::read_file("sorting.txt"), "\n");
  for_each_device([&](gnp::device) {
    int found = 0;
    for (const std::string& line : lines) {
      const auto fields = golden::split(line, ";");
      if (fields.at(0) != "searchsorted" || fields.at(1) != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(line);
      const shape_t sizes = golden::parse_shape(fields.at(2));
      const array<T> unsorted = made<T>({sizes[0]}, 1);
      const array<T> table = gnp::sort(unsorted);
      const array<T> queries = made<T>({sizes[1]}, 2);
      const std::vector<index_t> right = parsed_numbers(fields.at(4));
      CHECK(gnp::to_vector(gnp::searchsorted(table, queries, {.side = fields.at(3)})) == right);
      CHECK(gnp::to_vector(gnp::searchsorted(
                unsorted, queries, {.side = fields.at(3), .sorter = gnp::argsort(unsorted)})) == right);
    }
    CHECK(found == 10);
  });
}

TEST_CASE("searchsorted: long tables, other types, shapes, errors") {
  for_each_device([&](gnp::device) {
    // Every fourth number is there twice.
    const array<int> table = gnp::floor_divide(gnp::arange<int>(100000), 2) * 4;
    const array<int> queries = gnp::arange<int>(-3, 200013).reshape(-1, 8);
    const auto left = gnp::asnumpy(gnp::searchsorted(table, queries));
    const auto right = gnp::asnumpy(gnp::searchsorted(table, queries, {.side = "right"}));
    const auto in = gnp::asnumpy(table);
    index_t wrong = 0;
    for (index_t i = 0; i < left.size(); ++i) {
      const int query = static_cast<int>(i) - 3;
      wrong += left[i] != std::lower_bound(in.begin(), in.end(), query) - in.begin();
      wrong += right[i] != std::upper_bound(in.begin(), in.end(), query) - in.begin();
    }
    CHECK(wrong == 0);
    CHECK(left.shape() == queries.shape());

    const array<float> few = gnp::asarray<float>({1, 2, 3});
    CHECK(index_t(gnp::searchsorted(few, 2)) == 1);
    CHECK(index_t(gnp::searchsorted(few, 2.5)) == 2);
    CHECK(gnp::searchsorted(few, 2).ndim() == 0);
    CHECK(gnp::array_equal(gnp::searchsorted(few * 2, few + 1), gnp::asarray<index_t>({0, 1, 1})));
    // In the type that holds both, as NumPy.
    CHECK(index_t(gnp::searchsorted(gnp::asarray<float>({0.1F}), 0.1)) == 0);
    CHECK(index_t(gnp::searchsorted(gnp::asarray<float>({0.3F}), 0.3, {.side = "right"})) == 0);
    CHECK(gnp::searchsorted(few, gnp::zeros<double>({0, 3})).shape() == gnp::shape_t{0, 3});

    CHECK_THROWS_WITH(gnp::searchsorted(few, 1, {.side = "up"}),
                      contains("search side must be 'left' or 'right' (got 'up')"));
    CHECK_THROWS_AS(gnp::searchsorted(gnp::zeros({2, 2}), 1), gnp::shape_error);
    CHECK_THROWS_AS(gnp::searchsorted(few, 1, {.sorter = gnp::arange<index_t>(2)}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::searchsorted(few, 1, {.sorter = gnp::arange<index_t>(1, 4)}).item(),
                      contains("searchsorted: index 3 is out of bounds"));
  });
}

TEST_CASE("digitize and lexsort are NumPy's") {
  const auto lines = golden::split(golden::read_file("sorting.txt"), "\n");
  for_each_device([&](gnp::device) {
    const double nan = std::nan("");
    const double infinity = std::numeric_limits<double>::infinity();
    const array<double> x = gnp::asarray<double>({-1, 0.2, 0, 1, 6.4, 3, 2.5, 4, 10, 11, nan, infinity});
    const array<std::int16_t> minor = made<std::int16_t>({4, 60}, 2);
    const array<float> middle = made<float>({4, 60}, 1);
    const array<bool> major = made<bool>({4, 60}, 0);
    int found = 0;
    for (const std::string& line : lines) {
      const auto fields = golden::split(line, ";");
      INFO(line);
      if (fields.at(0) == "digitize") {
        const std::vector<double> bins = fields.at(1) == "up"     ? std::vector<double>{0, 1, 2.5, 4, 10}
                                         : fields.at(1) == "down" ? std::vector<double>{10, 4, 2.5, 1, 0}
                                         : fields.at(1) == "flat" ? std::vector<double>{1, 1, 1}
                                                                  : std::vector<double>{2.5};
        CHECK(gnp::to_vector(gnp::digitize(x, asarray(bins), {.right = fields.at(2) == "1"})) ==
              parsed_numbers(fields.at(3)));
        ++found;
      } else if (fields.at(0) == "lexsort") {
        CHECK(gnp::to_vector(gnp::lexsort(std::tuple(minor, middle, major + 0),
                                          {.axis = std::stoi(fields.at(1))})) == parsed_numbers(fields.at(2)));
        ++found;
      }
    }
    CHECK(found == 10);
    CHECK(index_t(gnp::digitize(2.0, gnp::asarray<int>({1, 2, 3}))) == 2);
    CHECK_THROWS_WITH(gnp::digitize(x, gnp::asarray<double>({1, 3, 2})),
                      contains("bins must be monotonically increasing or decreasing"));
    CHECK_THROWS_AS(gnp::digitize(x, gnp::zeros({2, 2})), gnp::shape_error);
    // NaN among the bins is after every number: NumPy's values where it takes the bins in this order, too.
    const array<double> few = gnp::asarray<double>({-1, 1, 1.5, 3, nan});
    const auto places = [&](const std::vector<double>& bins, bool on_the_right) {
      return gnp::to_vector(gnp::digitize(few, asarray(bins), {.right = on_the_right}));
    };
    CHECK(places({0, 1, nan}, false) == std::vector<index_t>{0, 2, 2, 2, 3});
    CHECK(places({0, 1, nan}, true) == std::vector<index_t>{0, 1, 2, 2, 2});
    CHECK(places({nan, 2, 1}, false) == std::vector<index_t>{3, 2, 2, 1, 0});
    CHECK(places({nan, 2, 1}, true) == std::vector<index_t>{3, 3, 2, 1, 1});
    CHECK(places({1, nan, nan}, false) == std::vector<index_t>{0, 1, 1, 1, 3});
    CHECK(places({nan}, false) == std::vector<index_t>{0, 0, 0, 0, 1});
    CHECK_THROWS_WITH(places({0, nan, 2}, false),
                      contains("bins must be monotonically increasing or decreasing"));
    CHECK_THROWS_WITH(places({2, 1, nan}, false),
                      contains("bins must be monotonically increasing or decreasing"));

    const array<int> keys = gnp::asarray<int>({{1, 2, 3}, {1, 0, 1}});
    CHECK(gnp::array_equal(gnp::lexsort(keys), gnp::asarray<index_t>({1, 0, 2})));
    CHECK(gnp::array_equal(gnp::lexsort({keys(0), keys(1)}), gnp::lexsort(keys)));
    CHECK_THROWS_WITH(gnp::lexsort({gnp::zeros({2}), gnp::zeros({3})}),
                      contains("all keys need to be the same shape, got shapes (2,) (3,)"));
    CHECK_THROWS_WITH(gnp::lexsort(std::tuple<>()), contains("need sequence of keys with len > 0"));
    CHECK_THROWS_AS(gnp::lexsort(keys, {.axis = 1}), gnp::index_error);
  });
}

namespace {

/// In each row what is at a place is what sorting puts there, with nothing greater before it and nothing less
/// behind.
template <class T>
bool is_parted(const array<T>& parted, const array<T>& sorted, const std::vector<index_t>& kth) {
  const gnp::host_array<T> values = gnp::asnumpy(parted);
  const gnp::host_array<T> right = gnp::asnumpy(sorted);
  const index_t length = values.shape()[1];
  const auto key = [](const T& x) { return gnp::detail::sort_key(x); };
  bool all_right = true;
  for (index_t i = 0; i < values.size(); ++i) {
    for (const index_t k : kth) {
      const index_t place = i / length * length + (k < 0 ? k + length : k);
      all_right = all_right && key(values[place]) == key(right[place]);
      all_right = all_right &&
                  (i < place ? !(key(values[place]) < key(values[i])) : !(key(values[i]) < key(values[place])));
    }
  }
  return all_right;
}

}  // namespace

TEMPLATE_TEST_CASE("partition, argpartition and top_k are parts of sort", "", std::uint8_t, float,
                   gnp::complex128) {
  using T = TestType;
  for_each_device([&](gnp::device) {
    for (const index_t length : {1, 7, 60, 300, 5000, sanitized ? 9001 : 70001}) {
      const array<T> x = made<T>({3, length}, 4);
      const array<T> across = gnp::copy(x.T());
      const array<T> sorted = gnp::sort(x);
      const array<index_t> order = gnp::argsort(x);
      for (const std::vector<index_t>& kth :
           {std::vector<index_t>{length / 2}, {0, -1}, {length - 1, length / 3, length / 3, length / 2}}) {
        INFO("length " << length << ", " << kth.size() << " places");
        const array<T> parted = gnp::partition(x, kth);
        CHECK(is_parted(parted, sorted, kth));
        CHECK(gnp::array_equal(gnp::sort(parted), sorted, {.equal_nan = true}));
        CHECK(is_parted(gnp::copy(gnp::partition(across, kth, 0).T()), sorted, kth));
        const array<index_t> places = gnp::argpartition(x, kth);
        CHECK(is_parted(gnp::take_along_axis(x, places).eval(), sorted, kth));
        CHECK(gnp::array_equal(gnp::sort(places), gnp::sort(order)));
        CHECK(gnp::array_equal(gnp::argpartition(across, kth, {.axis = 0}).T(), places));
      }
      for (const index_t k : {index_t{0}, index_t{1}, (std::min)(length, index_t{7}), length / 2, length}) {
        INFO("length " << length << ", k " << k);
        const auto [least, where] = gnp::top_k(x, k, {.largest = false});
        CHECK(gnp::array_equal(least, sorted(gnp::all, gnp::slice(k)), {.equal_nan = true}));
        CHECK(gnp::array_equal(where, order(gnp::all, gnp::slice(k))));
        const auto [largest, at] = gnp::top_k(across, k, 0);
        CHECK(gnp::array_equal(largest.T(), gnp::sort(x, {.descending = true})(gnp::all, gnp::slice(k)),
                               {.equal_nan = true}));
        CHECK(gnp::array_equal(at.T(), gnp::argsort(x, {.descending = true})(gnp::all, gnp::slice(k))));
      }
    }
    const array<T> x = made<T>({2, 3}, 4);
    CHECK(gnp::partition(x, 4, gnp::none).shape() == shape_t{6});
    CHECK(gnp::top_k(x, 4, gnp::none).values.shape() == shape_t{4});
    CHECK(gnp::partition(gnp::zeros<T>({0, 3}), 2).shape() == shape_t{0, 3});
    CHECK(gnp::top_k(gnp::zeros<T>({0, 3}), 2).indices.shape() == shape_t{0, 2});
    CHECK_THROWS_WITH(gnp::partition(x, 3), contains("partition: kth(=3) out of bounds (3)"));
    CHECK_THROWS_WITH(gnp::argpartition(x, {0, -4}), contains("argpartition: kth(=-4) out of bounds (3)"));
    CHECK_THROWS_WITH(gnp::top_k(x, 4), contains("top_k: k(=4) out of bounds (3)"));
    CHECK_THROWS_AS(gnp::top_k(x, 1, 2), gnp::index_error);
  });
}
