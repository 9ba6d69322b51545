// SPDX-License-Identifier: MIT
// A std::vector in place of the array, in functions that have nothing else to say about it: one sentence as the
// compiler's message. (Other functions say so where they are.)
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_REFUSES_VECTORS(array_split)
GNP_REFUSES_VECTORS(astype)
GNP_REFUSES_VECTORS(broadcast_to)
GNP_REFUSES_VECTORS(copy)
GNP_REFUSES_VECTORS(delete_)
GNP_REFUSES_VECTORS(diag)
GNP_REFUSES_VECTORS(diagflat)
GNP_REFUSES_VECTORS(diagonal)
GNP_REFUSES_VECTORS(empty_like)
GNP_REFUSES_VECTORS(expand_dims)
GNP_REFUSES_VECTORS(flip)
GNP_REFUSES_VECTORS(fliplr)
GNP_REFUSES_VECTORS(flipud)
GNP_REFUSES_VECTORS(insert)
GNP_REFUSES_VECTORS(moveaxis)
GNP_REFUSES_VECTORS(nan_to_num)
GNP_REFUSES_VECTORS(nonzero)
GNP_REFUSES_VECTORS(ones_like)
GNP_REFUSES_VECTORS(packbits)
GNP_REFUSES_VECTORS(pad)
GNP_REFUSES_VECTORS(partition)
GNP_REFUSES_VECTORS(ravel)
GNP_REFUSES_VECTORS(reshape)
GNP_REFUSES_VECTORS(resize)
GNP_REFUSES_VECTORS(roll)
GNP_REFUSES_VECTORS(rot90)
GNP_REFUSES_VECTORS(round)
GNP_REFUSES_VECTORS(sliding_window_view)
GNP_REFUSES_VECTORS(split)
GNP_REFUSES_VECTORS(squeeze)
GNP_REFUSES_VECTORS(swapaxes)
GNP_REFUSES_VECTORS(trace)
GNP_REFUSES_VECTORS(transpose)
GNP_REFUSES_VECTORS(tril)
GNP_REFUSES_VECTORS(trim_zeros)
GNP_REFUSES_VECTORS(triu)
GNP_REFUSES_VECTORS(unpackbits)
GNP_REFUSES_VECTORS(unwrap)
GNP_REFUSES_VECTORS(zeros_like)

// The same with a shape in braces, whose type a template does not deduce: reshape(v, {3, 1}).
#define GNP_REFUSES_VECTORS_WITH_A_SHAPE(function)                                                           \
  template <detail::host_vector X>                                                                           \
  array<typename X::value_type> function(const X&, const shape_t&) {                                         \
    static_assert(!detail::host_vector<X>,                                                                   \
                  "gnp: a std::vector is brought to the device first: gnp::" #function "(gnp::asarray(v))"); \
    return {};                                                                                               \
  }
GNP_REFUSES_VECTORS_WITH_A_SHAPE(broadcast_to)
GNP_REFUSES_VECTORS_WITH_A_SHAPE(reshape)
GNP_REFUSES_VECTORS_WITH_A_SHAPE(resize)
GNP_REFUSES_VECTORS_WITH_A_SHAPE(transpose)
#undef GNP_REFUSES_VECTORS_WITH_A_SHAPE

}}  // namespace gnp::GNP_ABI
