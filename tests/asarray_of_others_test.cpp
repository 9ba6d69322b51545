// SPDX-License-Identifier: MIT
// test: asan, alone
// Matrices of Eigen, its tensors, mdspans and memory with strides as arrays: NumPy's answer for the same
// values.
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <unsupported/Eigen/CXX11/Tensor>
#define HAVE_EIGEN 1
#elif __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#include <eigen3/Eigen/SparseCore>
#include <eigen3/unsupported/Eigen/CXX11/Tensor>
#define HAVE_EIGEN 1
#endif
#if __has_include(<mdspan>)
#include <mdspan>
#endif

#include <array>
#include <complex>

#include "devices.hpp"

namespace {

using gnp::index_t;
using gnp::shape_t;

template <class T, class Source>
void check(const Source& source, const shape_t& shape, const std::vector<T>& values) {
  for_each_device([&](gnp::device) {
    const gnp::array<T> a = gnp::asarray(source);
    CHECK(a.shape() == shape);
    CHECK(a.is_contiguous());
    CHECK(gnp::to_vector(a) == values);
  });
}

}  // namespace

#if defined(HAVE_EIGEN)

TEST_CASE("matrices of Eigen, by columns and by rows") {
  Eigen::MatrixXd m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  check<double>(m, {2, 3}, {1, 2, 3, 4, 5, 6});
  check<double>(m.transpose(), {3, 2}, {1, 4, 2, 5, 3, 6});
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = m.cast<float>();
  check<float>(rows, {2, 3}, {1, 2, 3, 4, 5, 6});
  check<float>(rows.transpose(), {3, 2}, {1, 4, 2, 5, 3, 6});
  Eigen::Matrix<int, 2, 2> fixed;
  fixed << 1, 2, 3, 4;
  check<int>(fixed, {2, 2}, {1, 2, 3, 4});
  const Eigen::ArrayXXd squares = m.array().square();
  check<double>(squares, {2, 3}, {1, 4, 9, 16, 25, 36});
  Eigen::Matrix<bool, 2, 2> truths;
  truths << true, false, false, true;
  check<bool>(truths, {2, 2}, {true, false, false, true});
  // One column is a matrix where its number of columns is not part of the type.
  check<double>(Eigen::MatrixXd(m.col(1)), {2, 1}, {2, 5});
  check<double>(Eigen::MatrixXd(0, 3), {0, 3}, {});
  CHECK(gnp::to_vector(gnp::asarray<float>(m)) == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("vectors, rows, columns, blocks and diagonals of Eigen") {
  Eigen::MatrixXd m(3, 4);
  m << 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
  check<double>(Eigen::VectorXd(m.row(0).transpose()), {4}, {1, 2, 3, 4});
  check<double>(m.row(1), {4}, {5, 6, 7, 8});
  check<double>(m.col(2), {3}, {3, 7, 11});
  check<double>(m.diagonal(), {3}, {1, 6, 11});
  check<double>(m.block(1, 1, 2, 2), {2, 2}, {6, 7, 10, 11});
  check<double>(m.topRightCorner<2, 2>(), {2, 2}, {3, 4, 7, 8});
  check<double>(m.row(2).segment(1, 2), {2}, {10, 11});
  check<double>(m.reverse(), {3, 4}, {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  check<double>(Eigen::Matrix<double, 1, 1>(7.0), {1}, {7});
  check<double>(Eigen::VectorXd(), {0}, {});
}

TEST_CASE("maps of Eigen with strides, and expressions") {
  const std::vector<float> memory = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const matrix, 0, Eigen::OuterStride<>> padded(memory.data(), 3, 2, Eigen::OuterStride<>(4));
  check<float>(padded, {3, 2}, {0, 1, 4, 5, 8, 9});
  const Eigen::Map<const Eigen::VectorXf, 0, Eigen::InnerStride<>> every_third(memory.data(), 4,
                                                                               Eigen::InnerStride<>(3));
  check<float>(every_third, {4}, {0, 3, 6, 9});
  const Eigen::Map<const Eigen::MatrixXf, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> both(
      memory.data(), 2, 2, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(5, 2));
  check<float>(both, {2, 2}, {0, 5, 2, 7});
  Eigen::Matrix2d a;
  a << 1, 2, 3, 4;
  check<double>(a * a, {2, 2}, {7, 10, 15, 22});
  check<double>(2 * a + a.transpose(), {2, 2}, {3, 7, 8, 12});
  check<double>((a * Eigen::Vector2d(1, 1)).eval(), {2}, {3, 7});
  check<double>(a * Eigen::Vector2d(1, 1), {2}, {3, 7});
  Eigen::Matrix2cf z;
  z << std::complex<float>(1, 1), 2, 3, std::complex<float>(0, -4);
  check<std::complex<float>>(z.adjoint(), {2, 2}, {{1, -1}, {3, 0}, {2, 0}, {0, 4}});
}

TEST_CASE("tensors of Eigen") {
  Eigen::Tensor<int, 3> by_columns(2, 3, 2);
  Eigen::Tensor<int, 3, Eigen::RowMajor> by_rows(2, 3, 2);
  std::vector<int> values;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) {
        by_columns(i, j, k) = by_rows(i, j, k) = 100 * i + 10 * j + k;
        values.push_back(100 * i + 10 * j + k);
      }
    }
  }
  check<int>(by_columns, {2, 3, 2}, values);
  check<int>(by_rows, {2, 3, 2}, values);
  check<int>(Eigen::TensorMap<Eigen::Tensor<int, 2>>(by_columns.data(), 2, 6), {2, 6},
             {0, 10, 20, 1, 11, 21, 100, 110, 120, 101, 111, 121});
  Eigen::TensorFixedSize<float, Eigen::Sizes<2, 2>> fixed;
  fixed.setValues({{1, 2}, {3, 4}});
  check<float>(fixed, {2, 2}, {1, 2, 3, 4});
  Eigen::Tensor<double, 0> number;
  number.setConstant(3);
  check<double>(number, {}, {3});
}

#endif

namespace {

// As much of a std::mdspan as asarray asks for.
template <class T, std::size_t Rank>
struct small_span {
  using element_type = T;
  using index_type = int;
  struct strided {
    std::array<int, Rank> steps;
    template <class... Index>
    int operator()(Index... index) const {
      const std::array<int, Rank> at{static_cast<int>(index)...};
      int place = 0;
      for (std::size_t d = 0; d < Rank; ++d) place += at[d] * steps[d];
      return place;
    }
  };
  struct plain {
    T& access(T* first, std::size_t i) const { return first[i]; }
  };
  static constexpr std::size_t rank() { return Rank; }
  int extent(std::size_t d) const { return extents[d]; }
  strided mapping() const { return {strides}; }
  plain accessor() const { return {}; }
  T* data_handle() const { return memory; }

  T* memory;
  std::array<int, Rank> extents;
  std::array<int, Rank> strides;
};

}  // namespace

TEST_CASE("spans of several dimensions, in any layout") {
  std::vector<int> memory(24);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<int>(i);
  check<int>(small_span<int, 2>{memory.data(), {2, 3}, {3, 1}}, {2, 3}, {0, 1, 2, 3, 4, 5});
  check<int>(small_span<const int, 2>{memory.data(), {2, 3}, {1, 2}}, {2, 3}, {0, 2, 4, 1, 3, 5});
  check<int>(small_span<int, 3>{memory.data(), {2, 1, 2}, {12, 5, 4}}, {2, 1, 2}, {0, 4, 12, 16});
  check<int>(small_span<int, 1>{memory.data(), {0}, {1}}, {0}, {});
  check<int>(small_span<int, 0>{memory.data() + 7, {}, {}}, {}, {7});
#if defined(__cpp_lib_mdspan)
  check<int>(std::mdspan(memory.data(), 2, 3), {2, 3}, {0, 1, 2, 3, 4, 5});
  check<int>(std::mdspan(memory.data(), std::layout_left::mapping(std::extents(2, 3))), {2, 3},
             {0, 2, 4, 1, 3, 5});
#endif
}

TEST_CASE("memory with strides is copied") {
  for_each_device([](gnp::device) {
    // Rows of three with a byte of padding, as images have them.
    const std::vector<std::uint8_t> image = {1, 2, 3, 99, 4, 5, 6, 99};
    CHECK(gnp::to_vector(gnp::asarray(image.data(), {2, 3}, {.strides = {4, 1}})) ==
          std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
    const std::vector<float> x = {0, 1, 2, 3, 4, 5};
    CHECK(gnp::to_vector(gnp::asarray(x.data() + 5, {3}, {.strides = {-8}})) == std::vector<float>{5, 3, 1});
    CHECK(gnp::to_vector(gnp::asarray(x.data(), {2, 2}, {.strides = {0, 4}})) ==
          std::vector<float>{0, 1, 0, 1});
    const gnp::array<float> copy = gnp::asarray(x.data(), {3, 2}, {.strides = {4, 12}});
    CHECK(copy.is_contiguous());
    CHECK(gnp::to_vector(copy) == std::vector<float>{0, 3, 1, 4, 2, 5});
    CHECK(gnp::to_vector(gnp::asarray(x.data(), {6}, {})) == x);
    CHECK(gnp::asarray(static_cast<const float*>(nullptr), {0, 2}, {.strides = {8, 4}}).size() == 0);
    CHECK_THROWS_WITH(gnp::asarray(x.data(), {2, 2}, {.strides = {8}}),
                      "asarray: shape (2, 2) and strides (8,) must have the same length");
    CHECK_THROWS_WITH(gnp::asarray(x.data(), {2}, {.strides = {6}}),
                      "asarray: the stride 6 is not a multiple of the element size, 4 bytes");
    CHECK_THROWS_WITH(gnp::asarray(static_cast<const float*>(nullptr), {2}, {.strides = {4}}),
                      "asarray: the pointer is null, and an array of shape (2,) has elements");
  });
}
