// SPDX-License-Identifier: MIT
// The singular value decomposition of a bidiagonal matrix, by implicitly shifted QR iterations, on the CPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <gnp/cpu/threads.hpp>
#include <limits>
#include <vector>

namespace gnp::inline GNP_ABI::detail {

/// A rotation of two columns by an angle of sine s, as a change of each, small where the angle is: with the
/// cosine itself, which is rounded, the columns would drift. tau is s / (1 + cosine).
template <class R>
struct column_rotation {
  std::int64_t column;
  std::int64_t other;
  R s;
  R tau;
};

/// (r, 0) from (f, g).
template <class R>
R make_rotation(R f, R g, R& c, R& s) {
  if (g == R(0)) {
    c = R(1);
    s = R(0);
    return f;
  }
  const R r = std::copysign(std::hypot(f, g), f);
  c = f / r;
  s = g / r;
  return r;
}

/// Columns that wait for rotations. They are turned in strips of rows that stay in the cache while many sweeps
/// of rotations pass, and strips share nothing, so each thread takes its own.
template <class T, class R>
class rotated_columns {
 public:
  rotated_columns(T* data, std::int64_t rows, std::int64_t columns)
      : data_(data), rows_(rows), columns_(columns) {}
  ~rotated_columns() = default;
  rotated_columns(const rotated_columns&) = delete;
  rotated_columns& operator=(const rotated_columns&) = delete;

  void add(std::int64_t column, std::int64_t other, R c, R s) {
    if (data_ == nullptr || s == R(0)) return;
    waiting_.push_back({column, other, s, s / (1 + c)});
    if (static_cast<std::int64_t>(waiting_.size()) >= 16 * columns_) apply();
  }

  void apply() {
    constexpr std::int64_t strip = 64;
    const std::int64_t strips = (rows_ + strip - 1) / strip;
    const auto work = static_cast<std::int64_t>(waiting_.size()) * strip;
    parallel_for(strips, work > 20000 ? 1 : 20000 / (work + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i * strip;
        const std::int64_t height = rows_ - first < strip ? rows_ - first : strip;
        for (std::size_t k = 0; k < waiting_.size(); ++k) {
          T* x = data_ + waiting_[k].column * rows_ + first;
          T* y = data_ + waiting_[k].other * rows_ + first;
          const R s = waiting_[k].s;
          const R tau = waiting_[k].tau;
          for (std::int64_t r = 0; r < height; ++r) {
            const T a = x[r];
            const T b = y[r];
            x[r] = a + (b - a * tau) * s;
            y[r] = b - (a + b * tau) * s;
          }
        }
      }
    });
    waiting_.clear();
  }

 private:
  T* data_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<column_rotation<R>> waiting_;
};

/// Makes the diagonal d, with e above it, diagonal, and turns the columns of u and v along; d may be left with
/// either sign and in any order. False where it does not converge.
template <class T, class R>
bool diagonalise(std::vector<R>& d, std::vector<R>& e, rotated_columns<T, R>& u, rotated_columns<T, R>& v) {
  const auto n = static_cast<std::int64_t>(d.size());
  const auto at = [](std::vector<R>& x, std::int64_t i) -> R& { return x[static_cast<std::size_t>(i)]; };
  constexpr R eps = std::numeric_limits<R>::epsilon();
  R size = 0;
  for (std::int64_t i = 0; i < n; ++i) size = std::fmax(size, std::fabs(at(d, i)));
  for (std::int64_t i = 0; i + 1 < n; ++i) size = std::fmax(size, std::fabs(at(e, i)));
  const R nothing = size * eps;  // what may be set to zero without a trace in the residual

  std::int64_t steps = 60 * n + 100;
  std::int64_t hi = n - 1;
  while (hi > 0) {
    if (--steps < 0) return false;
    // The last block without a zero above the diagonal.
    std::int64_t lo = hi;
    while (lo > 0) {
      R& above = at(e, lo - 1);
      if (std::fabs(above) <= eps * (std::fabs(at(d, lo - 1)) + std::fabs(at(d, lo))) ||
          std::fabs(above) <= nothing * R(0.01)) {
        above = 0;
        break;
      }
      --lo;
    }
    if (lo == hi) {
      --hi;
      continue;
    }
    // A zero on the diagonal: what is beside it turns into the rows below, or for the last one the columns
    // before.
    std::int64_t zero = -1;
    for (std::int64_t k = lo; k <= hi && zero < 0; ++k) {
      if (std::fabs(at(d, k)) <= nothing * R(0.01)) zero = k;
    }
    R c = 0;
    R s = 0;
    if (zero >= 0 && zero < hi) {
      at(d, zero) = 0;
      R f = at(e, zero);
      at(e, zero) = 0;
      for (std::int64_t k = zero + 1; k <= hi && f != R(0); ++k) {
        at(d, k) = make_rotation(at(d, k), f, c, s);
        u.add(k, zero, c, s);
        if (k == hi) break;
        f = -s * at(e, k);
        at(e, k) *= c;
      }
      continue;
    }
    if (zero == hi) {
      at(d, hi) = 0;
      R f = at(e, hi - 1);
      at(e, hi - 1) = 0;
      for (std::int64_t k = hi - 1; k >= lo && f != R(0); --k) {
        at(d, k) = make_rotation(at(d, k), f, c, s);
        v.add(k, hi, c, s);
        if (k == lo) break;
        f = -s * at(e, k - 1);
        at(e, k - 1) *= c;
      }
      continue;
    }
    // The shift: the eigenvalue of the last two columns' products that is nearer to the last one's.
    const R before = hi - 1 > lo ? at(e, hi - 2) / size : R(0);
    const R d1 = at(d, hi - 1) / size;
    const R d2 = at(d, hi) / size;
    const R e1 = at(e, hi - 1) / size;
    const R a = d1 * d1 + before * before;
    const R b = d2 * d2 + e1 * e1;
    const R ab = d1 * e1;
    const R half = (a - b) / 2;
    const R root = std::hypot(half, ab);
    const R shift = b - (root == R(0) ? R(0) : ab * (ab / (half + std::copysign(root, half))));
    const R first = at(d, lo) / size;
    // f and g are the first column of the product minus the shift, both over the first entry.
    R f = first - shift / first;
    R g = at(e, lo) / size;
    for (std::int64_t k = lo; k < hi; ++k) {
      const R r = make_rotation(f, g, c, s);
      if (k > lo) at(e, k - 1) = r;
      v.add(k, k + 1, c, s);
      f = c * at(d, k) + s * at(e, k);
      at(e, k) = c * at(e, k) - s * at(d, k);
      g = s * at(d, k + 1);
      at(d, k + 1) *= c;
      at(d, k) = make_rotation(f, g, c, s);
      u.add(k, k + 1, c, s);
      f = c * at(e, k) + s * at(d, k + 1);
      at(d, k + 1) = c * at(d, k + 1) - s * at(e, k);
      if (k + 1 < hi) {
        g = s * at(e, k + 1);
        at(e, k + 1) *= c;
      }
    }
    at(e, hi - 1) = f;
  }
  u.apply();
  v.apply();
  return true;
}

}  // namespace gnp::inline GNP_ABI::detail
