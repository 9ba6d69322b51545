// SPDX-License-Identifier: MIT
// Sorts a distributed array with one axis by sampling: each process sorts its part, a few values of all parts
// divide the whole range, and the elements between two of these values go to one process.
#pragma once

#include <gnp/distributed/creation.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/sorting.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace distributed { namespace detail {

/// Joins the elements of all processes, in the order of their ranks, into an array in even blocks. Each process
/// may bring any number of elements.
template <element T>
array<T> even_parts(const group& among, const gnp::array<T>& own) {
  const gnp::array<std::int64_t> counts = among.all_gather(gnp::full<std::int64_t>({1}, own.size()));
  std::vector<index_t> begins = {0};
  for (const std::int64_t count : gnp::asnumpy(counts)) begins.push_back(begins.back() + count);
  const sharing how(among, {begins.back()}, along(0), "sort");
  const array<T> result(how, own.device(), "sort");
  const int self = among.rank();
  const auto has = [&](int r) {
    return box{{begins[static_cast<std::size_t>(r)]}, {begins[static_cast<std::size_t>(r) + 1]}};
  };
  std::vector<parcel<T>> sent, received;
  for (int r = 0; r < among.size(); ++r) {
    const box out = intersection(has(self), how.of(r)), in = intersection(has(r), how.of(self));
    const index_t from = out.begin[0] - has(self).begin[0], to = in.begin[0] - how.here().begin[0];
    if (!out.is_empty()) sent.push_back({r, own(slice(from, from + out.shape()[0]))});
    if (!in.is_empty()) received.push_back({r, result.block()(slice(to, to + in.shape()[0]))});
  }
  exchange_arrays<T>(among, "sort", own.device(), sent, received);
  return result;
}

}}  // namespace distributed::detail

/// A sorted copy of an array with one axis, in blocks along it; NaN last.
template <detail::spread X>
auto sort(const X& x) {
  namespace dist = distributed::detail;
  using T = typename X::value_type;
  if (x.ndim() != 1)
    throw shape_error("sort: a distributed array of one axis is sorted, got shape " + to_string(x.shape()));
  const use_device beside(x.device());
  const distributed::group& among = x.among();
  const int parts = among.size();
  const gnp::array<T> own = gnp::sort(dist::laid_out(x, among, distributed::along(0), "sort").local());
  if (parts == 1) return dist::even_parts(among, own);

  // Evenly spaced values of each part: between two cuts lie at most about twice as many elements as a part has.
  const index_t samples = (std::min)(own.size(), index_t{16} * parts);
  const gnp::array<std::int64_t> at =
      floor_divide(gnp::arange<std::int64_t>(samples) * own.size(), (std::max)(samples, index_t{1}));
  const gnp::array<T> sampled = gnp::sort(among.all_gather(gnp::array<T>(own(at))));
  const gnp::array<std::int64_t> between =
      floor_divide(gnp::arange<std::int64_t>(1, parts) * sampled.size(), parts);
  gnp::array<std::int64_t> cuts = gnp::zeros<std::int64_t>({parts - 1});
  if (sampled.size() > 0 && own.size() > 0) cuts = gnp::searchsorted(own, gnp::array<T>(sampled(between)));

  std::vector<index_t> begins = {0};
  for (const std::int64_t cut : gnp::asnumpy(cuts)) begins.push_back(cut);
  begins.push_back(own.size());
  gnp::host_array<std::int64_t> lengths(shape_t{1, parts});
  for (int r = 0; r < parts; ++r) {
    lengths(0, r) = begins[static_cast<std::size_t>(r) + 1] - begins[static_cast<std::size_t>(r)];
  }
  const auto of_all = gnp::asnumpy(among.all_gather(gnp::asarray(lengths)));
  index_t count = 0;
  for (int r = 0; r < parts; ++r) count += of_all(r, among.rank());
  const gnp::array<T> arrived(shape_t{count}, own.device(), "sort");
  std::vector<dist::parcel<T>> sent, received;
  index_t filled = 0;
  for (int r = 0; r < parts; ++r) {
    const index_t begin = begins[static_cast<std::size_t>(r)], end = begins[static_cast<std::size_t>(r) + 1];
    if (end > begin) sent.push_back({r, own(slice(begin, end))});
    const index_t coming = of_all(r, among.rank());
    if (coming > 0) received.push_back({r, arrived(slice(filled, filled + coming))});
    filled += coming;
  }
  dist::exchange_arrays<T>(among, "sort", own.device(), sent, received);
  return dist::even_parts(among, gnp::array<T>(gnp::sort(arrived)));
}

}}  // namespace gnp::GNP_ABI
