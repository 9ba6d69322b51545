// SPDX-License-Identifier: MIT
// eigh and eigvalsh: A = V diag(w) Vᴴ of Hermitian matrices, with eigenvalues in ascending order.
#pragma once

#include <concepts>
#include <gnp/core/unknown_name.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <string_view>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/eigh.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// 'L' or 'U', as a character or as a text with one character.
class triangle {
 public:
  template <std::same_as<char> Letter>
  constexpr triangle(Letter letter) : letter_(letter) {}
  template <std::convertible_to<std::string_view> Text>
  triangle(const Text& text) : triangle(std::string_view(text), only_letter()) {}
  char letter(const char* function) const {
    unknown_.refuse(function, "UPLO must be 'L' or 'U', got ");
    return letter_;
  }

 private:
  struct only_letter {};
  triangle(std::string_view text, only_letter) : letter_(text.empty() ? ' ' : text[0]) {
    if (text.size() != 1) unknown_ = unknown_name(text);
  }

  char letter_;
  unknown_name unknown_;
};

}  // namespace detail

namespace linalg {

struct eigh_options {
  by_name only = by_name();
  detail::triangle UPLO = 'L';  // the triangle that is read
};

/// Eigenvalues, ascending, and orthonormal eigenvectors of Hermitian matrices.
template <array_like X>
auto eigh(const X& x, eigh_options options = {}) {
  return detail::eigh_of(detail::operand_as<detail::factor_t<X>>(x), options.UPLO.letter("eigh"), true, "eigh");
}
template <array_like X, std::convertible_to<detail::triangle> Triangle>
auto eigh(const X& x, const Triangle& UPLO) {
  return eigh(x, eigh_options{.UPLO = UPLO});
}

/// The eigenvalues of Hermitian matrices, ascending.
template <array_like X>
auto eigvalsh(const X& x, eigh_options options = {}) {
  return detail::eigh_of(detail::operand_as<detail::factor_t<X>>(x), options.UPLO.letter("eigvalsh"), false,
                         "eigvalsh")
      .eigenvalues;
}
template <array_like X, std::convertible_to<detail::triangle> Triangle>
auto eigvalsh(const X& x, const Triangle& UPLO) {
  return eigvalsh(x, eigh_options{.UPLO = UPLO});
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI
