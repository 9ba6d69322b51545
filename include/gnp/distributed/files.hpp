// SPDX-License-Identifier: MIT
// One .npy file for an array of several processes: each process writes and reads its own rows. All processes
// see the same file system.
#pragma once

#include <gnp/distributed/creation.hpp>
#include <gnp/io/npy_file.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

/// The text that one process has.
inline std::string told_by(const group& among, const char* function, int process, std::string text) {
  std::size_t length = text.size();
  among.engine()->broadcast(function, &length, sizeof length, process);
  text.resize(length);
  among.engine()->broadcast(function, text.data(), length, process);
  return text;
}

/// Does f(), which may fail in some processes. If it does, all processes throw what the first of these throws.
template <class F>
void together(const group& among, const char* function, const F& f) {
  std::string why;
  try {
    f();
  } catch (const std::exception& e) {
    why = e.what();
  }
  const std::int32_t own = why.empty() ? among.size() : among.rank();
  std::int32_t first = 0;
  among.engine()->all_reduce(function, &own, &first, 1, dtype::int32, reduction::min);
  if (first < among.size()) throw io_error(told_by(among, function, first, why));
}

/// The offset, in elements, of the first of a process's rows.
inline index_t elements_before(const box& rows, const shape_t& shape) {
  index_t row = 1;
  for (int d = 1; d < shape.rank(); ++d) row *= shape[d];
  return shape.empty() ? 0 : rows.begin[0] * row;
}
inline layout rows_of_file(const shape_t& shape) { return shape.empty() ? everywhere() : along(0); }

}  // namespace detail

/// Writes a .npy file as gnp::save does. The file gets its name when all processes have written their rows.
template <class X>
  requires gnp::detail::is_spread_v<X>
void save(const path_arg& path, const X& x) {
  using T = typename X::value_type;
  const group& among = x.among();
  const array<T> rows = detail::laid_out(x, among, detail::rows_of_file(x.shape()), "save");
  const std::string target = gnp::detail::with_ending(path.text(), ".npy");
  const gnp::detail::file_errors errors{"save", target};
  const std::string header = gnp::detail::npy_header_text(dtype_of<T>, false, x.shape());
  const bool is_first = among.rank() == 0;
  std::optional<gnp::detail::output_file> made;
  detail::together(among, "save", [&] {
    if (!is_first) return;
    made.emplace("save", target);
    if (made->is_direct())
      errors.fail("is not a regular file, so several processes cannot write to it together");
    made->write(header.data(), header.size());
  });
  const std::string temporary = detail::told_by(among, "save", 0, is_first ? made->temporary_name() : "");
  detail::together(among, "save", [&] {
    const detail::box own = rows.here();
    if (own.is_empty() || (x.shape().empty() && !is_first)) return;
    gnp::detail::file_descriptor file(::open(temporary.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file) errors.fail_with_errno("cannot be written");
    std::uint64_t at =
        header.size() + static_cast<std::uint64_t>(detail::elements_before(own, x.shape())) * sizeof(T);
    gnp::detail::write_elements(gnp::any_array(ascontiguousarray(rows.local())), nullptr,
                                [&](const char* from, std::size_t bytes) {
                                  if (!gnp::detail::write_at(file.get(), from, bytes, at))
                                    errors.fail_with_errno("cannot be written");
                                  at += bytes;
                                });
    if (!file.close()) errors.fail_with_errno("cannot be written");
  });
  detail::together(among, "save", [&] {
    if (is_first) made->finish();
  });
}

/// The array of a .npy file, of which each process reads its own rows. The type must be the file's.
template <element T>
array<T> load(const path_arg& path, const array_options& options = {}) {
  const group& among = options.among ? *options.among : world();
  std::optional<array<T>> rows;
  detail::together(among, "load", [&] {
    const gnp::detail::input_file file("load", path);
    const gnp::detail::npy_header header = gnp::detail::read_npy_header(
        [&](void* to, std::size_t bytes, std::uint64_t offset) { file.read(to, bytes, offset); }, file.size(),
        0, file.errors());
    constexpr dtype wanted = dtype_of<T>;
    gnp::detail::require_type(header, &wanted, file.errors());
    if (header.fortran_order)
      file.errors().fail("is in Fortran's order, whose columns processes cannot share by rows");
    const detail::sharing how(among, header.shape, detail::rows_of_file(header.shape), "load");
    rows.emplace(how, default_device(), "load");
    const std::size_t before =
        static_cast<std::size_t>(detail::elements_before(how.here(), header.shape)) * sizeof(T);
    gnp::detail::read_elements(gnp::any_array(rows->block()), header.is_swapped, nullptr,
                               [&](char* to, std::size_t bytes, std::size_t offset) {
                                 file.read(to, bytes, header.size + before + offset);
                               });
  });
  const layout how = rows->shape().empty() ? everywhere() : options.layout;
  return detail::laid_out(*rows, among, how, "load");
}

}}}  // namespace gnp::GNP_ABI::distributed
