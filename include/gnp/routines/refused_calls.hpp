// SPDX-License-Identifier: MIT
// Functions whose second or third argument was forgotten, shapes and axes without braces, and options of other
// functions: one sentence as the compiler's message.
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/wrong_calls.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_NEEDS_TWO(allclose, "gnp::allclose(x, y)")
GNP_NEEDS_TWO(append, "gnp::append(x, 5)")
GNP_NEEDS_TWO(argpartition, "gnp::argpartition(x, 2)")
GNP_NEEDS_TWO(array_equal, "gnp::array_equal(x, y)")
GNP_NEEDS_TWO(array_equiv, "gnp::array_equiv(x, y)")
GNP_NEEDS_TWO(array_split, "gnp::array_split(x, 3)")
GNP_NEEDS_TWO(broadcast_to, "gnp::broadcast_to(x, {2, 3})")
GNP_NEEDS_TWO(clip, "gnp::clip(x, 0, 1)")
GNP_NEEDS_TWO(convolve, "gnp::convolve(x, {1, 2, 1})")
GNP_NEEDS_TWO(correlate, "gnp::correlate(x, {1, 2, 1})")
GNP_NEEDS_TWO(delete_, "gnp::delete_(x, 1)")
GNP_NEEDS_TWO(digitize, "gnp::digitize(x, {0, 1, 2})")
GNP_NEEDS_TWO(expand_dims, "gnp::expand_dims(x, 0)")
GNP_NEEDS_TWO(full_like, "gnp::full_like(x, 7)")
GNP_NEEDS_TWO(interp, "gnp::interp(x, xp, fp)")
GNP_NEEDS_TWO(intersect1d, "gnp::intersect1d(x, y)")
GNP_NEEDS_TWO(isclose, "gnp::isclose(x, y)")
GNP_NEEDS_TWO(isin, "gnp::isin(x, {1, 2})")
GNP_NEEDS_TWO(partition, "gnp::partition(x, 2)")
GNP_NEEDS_TWO(percentile, "gnp::percentile(x, 50)")
GNP_NEEDS_TWO(polyval, "gnp::polyval({1, 0, -2}, x)")
GNP_NEEDS_TWO(quantile, "gnp::quantile(x, 0.5)")
GNP_NEEDS_TWO(repeat, "gnp::repeat(x, 2)")
GNP_NEEDS_TWO(reshape, "gnp::reshape(x, {2, 3})")
GNP_NEEDS_TWO(resize, "gnp::resize(x, {2, 3})")
GNP_NEEDS_TWO(roll, "gnp::roll(x, 1)")
GNP_NEEDS_TWO(searchsorted, "gnp::searchsorted(x, 0.5)")
GNP_NEEDS_TWO(setdiff1d, "gnp::setdiff1d(x, y)")
GNP_NEEDS_TWO(setxor1d, "gnp::setxor1d(x, y)")
GNP_NEEDS_TWO(sliding_window_view, "gnp::sliding_window_view(x, 3)")
GNP_NEEDS_TWO(split, "gnp::split(x, 3)")
GNP_NEEDS_TWO(take, "gnp::take(x, {0, 2})")
GNP_NEEDS_TWO(take_along_axis, "gnp::take_along_axis(x, i, 0)")
GNP_NEEDS_TWO(tile, "gnp::tile(x, 2)")
GNP_NEEDS_TWO(top_k, "gnp::top_k(x, 3)")
GNP_NEEDS_TWO(union1d, "gnp::union1d(x, y)")
GNP_NEEDS_THREE(insert, "gnp::insert(x, 1, 5)")
GNP_NEEDS_THREE(interp, "gnp::interp(x, xp, fp)")
GNP_NEEDS_THREE(moveaxis, "gnp::moveaxis(x, 0, 1)")
GNP_NEEDS_THREE(put, "gnp::put(x, {0, 2}, 7)")
GNP_NEEDS_THREE(swapaxes, "gnp::swapaxes(x, 0, 1)")

GNP_REFUSES_LOOSE_NUMBERS(broadcast_to, "gnp::broadcast_to(x, {2, 3})")
GNP_REFUSES_LOOSE_NUMBERS(expand_dims, "gnp::expand_dims(x, {0, 1})")
GNP_REFUSES_LOOSE_NUMBERS(flip, "gnp::flip(x, {0, 1})")
GNP_REFUSES_LOOSE_NUMBERS(permute_dims, "gnp::permute_dims(x, {1, 0})")
GNP_REFUSES_LOOSE_NUMBERS(reshape, "gnp::reshape(x, {2, 3})")
GNP_REFUSES_LOOSE_NUMBERS(resize, "gnp::resize(x, {2, 3})")
GNP_REFUSES_LOOSE_NUMBERS(squeeze, "gnp::squeeze(x, {0, 1})")
GNP_REFUSES_LOOSE_NUMBERS(tile, "gnp::tile(x, {2, 3})")
GNP_REFUSES_LOOSE_NUMBERS(transpose, "gnp::transpose(x, {1, 0})")

GNP_REFUSES_DDOF(max)
GNP_REFUSES_DDOF(mean)
GNP_REFUSES_DDOF(median)
GNP_REFUSES_DDOF(min)
GNP_REFUSES_DDOF(prod)
GNP_REFUSES_DDOF(sum)

}}  // namespace gnp::GNP_ABI
