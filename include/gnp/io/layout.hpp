// SPDX-License-Identifier: MIT
// An array as text: brackets, columns, line breaks and "..." by NumPy's rules. Only the elements shown are
// read, so an array of any size prints at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/core/shape.hpp>
#include <gnp/io/format.hpp>
#include <iterator>
#include <string_view>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

namespace detail::printing {

GNP_INLINE void check_print_options(const print_options& options, const char* function) {
  const auto require = [&](index_t value, const char* what) {
    if (value >= 0) return;
    throw error(std::string(function) + ": " + what + " must be >= 0, got " + std::to_string(value));
  };
  require(options.precision, "precision");
  require(options.threshold, "threshold");
  require(options.edgeitems, "edgeitems");
  require(options.linewidth, "linewidth");
  const auto refuse = [&](const std::string& what, const std::string& given) {
    throw error(std::string(function) + ": " + what + ", got '" + given + "'");
  };
  if (options.sign != '-' && options.sign != '+' && options.sign != ' ')
    refuse("sign must be one of '-', '+' and ' '", std::string(1, options.sign));
  constexpr std::string_view modes[] = {"maxprec", "maxprec_equal", "unique", "fixed"};
  if (std::find(std::begin(modes), std::end(modes), options.floatmode) == std::end(modes))
    refuse("floatmode must be one of 'maxprec', 'maxprec_equal', 'unique' and 'fixed'", options.floatmode);
}

/// Takes the array as a pointer and a dtype, so that it is compiled only once, and not for every element type.
class array_printer {
 public:
  array_printer(const void* data, dtype type, const shape_t& shape, const shape_t& held,
                const print_options& options)
      : data_(data),
        type_(type),
        shape_(shape),
        held_(held),
        strides_(shape),
        size_(element_count(shape, "array2string")),
        options_(options),
        summarize_(size_ > options.threshold),
        real_(part_type(type), options, options.sign),
        imaginary_(part_type(type), options, '+') {
    check_print_options(options, "array2string");
    index_t stride = 1;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
      strides_[at(axis)] = stride;
      stride *= held_[at(axis)];
    }
  }

  /// NumPy's array2string.
  GNP_INLINE std::string text() {
    return lines(options_.separator, static_cast<index_t>(options_.prefix.size()),
                 options_.linewidth - static_cast<index_t>(options_.suffix.size()));
  }

  GNP_INLINE std::string str() { return shape_.empty() ? scalar() : lines(" ", 0, options_.linewidth); }

  GNP_INLINE std::string repr() {
    std::string text = std::string("array(") + lines(", ", 6, options_.linewidth - 1);
    std::string extras;
    if ((size_ == 0 && shape_ != shape_t{0}) || summarize_) extras = std::string("shape=") + to_string(shape_);
    const bool implied =
        type_ == dtype::bool_ || type_ == dtype::int64 || type_ == dtype::float64 || type_ == dtype::complex128;
    if (!implied || size_ == 0) {
      if (!extras.empty()) extras += ", ";
      extras += std::string("dtype=") + name(type_);
    }
    if (extras.empty()) return text + ')';
    text += ',';
    const std::size_t last_line = text.size() - (text.rfind('\n') + 1);
    const bool fits = static_cast<index_t>(last_line + extras.size()) + 2 <= options_.linewidth;
    return text + (fits ? " " : "\n      ") + extras + ')';
  }

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  template <class T>
  T load(index_t position) const {
    T value;
    std::memcpy(&value, static_cast<const char*>(data_) + position * static_cast<index_t>(sizeof(T)),
                sizeof(T));
    return value;
  }

  /// A real element, or one part of a complex one.
  GNP_INLINE double real(index_t position, int part = 0) const {
    switch (type_) {
      case dtype::float16:
        return load<half>(position);
      case dtype::bfloat16:
        return load<bfloat16>(position);
      case dtype::float32:
        return load<float>(position);
      case dtype::complex64:
        return load<float>(2 * position + part);
      case dtype::complex128:
        return load<double>(2 * position + part);
      default:
        return load<double>(position);
    }
  }

  GNP_INLINE std::string integer(index_t position) const {
    const std::size_t bytes = itemsize(type_);
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char*>(data_) + position * static_cast<index_t>(bytes), bytes);
    if (is_unsigned_integer(type_)) return std::to_string(bits);
    const std::size_t unused = 64 - 8 * bytes;  // shifted out and back in as copies of the sign
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  GNP_INLINE std::string signed_integer(index_t position) const {
    const std::string digits = integer(position);
    return integer_sign_ == '-' || digits[0] == '-' ? digits : integer_sign_ + digits;
  }

  GNP_INLINE std::string scalar() const {
    if (type_ == dtype::bool_) return load<bool>(0) ? "True" : "False";
    if (is_integer(type_)) return integer(0);
    if (is_complex(type_)) return complex_scalar_text(part_type(type_), real(0, 0), real(0, 1));
    return scalar_text(type_, real(0), false, false);
  }

  /// Indices [0, leading) and [length - trailing, length) of an axis are shown.
  struct shown {
    index_t leading;
    index_t trailing;
    bool gap;
  };
  GNP_INLINE shown shown_of(int axis) const {
    const index_t length = shape_[at(axis)];
    // Compared in this form, because 2 * edge could overflow.
    if (!summarize_ || options_.edgeitems > (length - 1) / 2) return {0, length, false};
    return {options_.edgeitems, (std::max)(options_.edgeitems, index_t{1}), true};
  }

  /// The elements that are shown; all of them if edgeitems is 0, as in NumPy, whose a[-0:] is all of a.
  template <class F>
  void for_each_measured(F&& visit, int axis = 0, index_t position = 0) const {
    if (axis == shape_.rank()) return visit(position);
    const index_t length = held_[at(axis)];
    const shown items = options_.edgeitems == 0 ? shown{0, length, false} : shown_of(axis);
    for (index_t i = 0; i < items.leading; ++i) {
      for_each_measured(visit, axis + 1, position + i * strides_[at(axis)]);
    }
    for (index_t i = length - items.trailing; i < length; ++i) {
      for_each_measured(visit, axis + 1, position + i * strides_[at(axis)]);
    }
  }

  /// One format for all elements.
  GNP_INLINE void measure() {
    if (type_ == dtype::bool_) {
      integer_width_ = shape_.empty() ? 0 : 5;
    } else if (is_integer(type_)) {
      integer_sign_ = options_.sign;
      for_each_measured([&](index_t i) {
        if (integer_sign_ == ' ' && integer(i)[0] == '-') integer_sign_ = '-';
      });
      for_each_measured(
          [&](index_t i) { integer_width_ = (std::max)(integer_width_, signed_integer(i).size()); });
    } else {
      const int parts = is_complex(type_) ? 2 : 1;
      for (int part = 0; part < parts; ++part) {
        float_format& format = part == 0 ? real_ : imaginary_;
        for_each_measured([&](index_t i) { format.measure(real(i, part)); });
        format.choose();
        for_each_measured([&](index_t i) { format.fit(real(i, part)); });
        format.finish();
      }
    }
  }

  GNP_INLINE std::string element_text(index_t position) const {
    if (type_ == dtype::bool_ || is_integer(type_)) {
      std::string text = type_ != dtype::bool_  ? signed_integer(position)
                         : load<bool>(position) ? "True"
                                                : "False";
      if (text.size() < integer_width_) text.insert(0, integer_width_ - text.size(), ' ');
      return text;
    }
    std::string text = real_.text(real(position, 0));
    if (!is_complex(type_)) return text;
    const std::string part = imaginary_.text(real(position, 1));
    const std::size_t end = part.find_last_not_of(' ') + 1;
    return text.append(part, 0, end).append("j").append(part, end);
  }

  /// The brackets and what is in them; on the first line, `indent` columns are already taken.
  GNP_INLINE std::string lines(std::string_view separator, index_t indent, index_t width) {
    if (size_ == 0) return "[]";
    measure();
    if (shape_.empty()) return element_text(0);
    text_.clear();
    separator_ = separator;
    block(0, 0, indent + 1, width);
    return std::move(text_);
  }

  GNP_INLINE void block(int axis, index_t position, index_t indent, index_t width) {
    const index_t length = held_[at(axis)];
    const shown items = shown_of(axis);
    index_t column = indent;
    text_ += '[';
    const auto item = [&](index_t i) {
      const index_t inner = position + i * strides_[at(axis)];
      if (axis + 1 < shape_.rank()) {
        block(axis + 1, inner, indent + 1, width - 1);
      } else {
        word(element_text(inner), column, indent, width);
      }
    };
    for (index_t i = 0; i < items.leading; ++i) {
      item(i);
      between(axis, column, indent);
    }
    if (items.gap) {
      if (axis + 1 < shape_.rank()) {
        text_ += "...";
      } else {
        word("...", column, indent, width);
      }
      between(axis, column, indent);
    }
    for (index_t i = length - items.trailing; i < length; ++i) {
      item(i);
      if (i + 1 < length) between(axis, column, indent);
    }
    text_ += ']';
  }

  GNP_INLINE void between(int axis, index_t& column, index_t indent) {
    const auto lines = static_cast<std::size_t>(shape_.rank() - 1 - axis);
    if (lines == 0) {
      text_ += separator_;
      column += static_cast<index_t>(separator_.size());
      return;
    }
    text_ += stripped(separator_);
    text_.append(lines, '\n').append(static_cast<std::size_t>(indent), ' ');
  }

  /// A text without the white space at its end.
  static std::string_view stripped(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\n\r\v\f") + 1);
  }

  /// One element of a row, on the next line if it would not fit together with the bracket or separator after
  /// it.
  GNP_INLINE void word(std::string_view text, index_t& column, index_t indent, index_t width) {
    const auto length = static_cast<index_t>(text.size());
    const auto after = static_cast<index_t>((std::max)(stripped(separator_).size(), std::size_t{1}));
    if (column + length > width - after && column > indent) {
      text_.erase(stripped(text_).size());
      text_.append(1, '\n').append(static_cast<std::size_t>(indent), ' ');
      column = indent;
    }
    text_ += text;
    column += length;
  }

  const void* data_;
  dtype type_;
  shape_t shape_;
  shape_t held_;
  shape_t strides_;
  index_t size_;
  print_options options_;
  bool summarize_;
  char integer_sign_ = '-';  // of integers that are not negative: '-' for none
  std::size_t integer_width_ = 0;
  float_format real_;
  float_format imaginary_;
  std::string_view separator_;
  std::string text_;
};

GNP_INLINE std::string printed(print_style style, const void* data, dtype type, const shape_t& shape,
                               const shape_t& held, const print_options& options) {
  array_printer printer(data, type, shape, held, options);
  return style == print_style::text  ? printer.text()
         : style == print_style::str ? printer.str()
                                     : printer.repr();
}

GNP_INLINE shown_ends ends_of(const shape_t& shape, const shape_t& strides, const print_options& options,
                              index_t least_cut) {
  const index_t size = element_count(shape, "array2string");
  const bool is_cut = size >= least_cut && size > options.threshold && options.edgeitems > 0;
  int more_axes = is_cut ? max_rank - shape.rank() : 0;  // an axis that this does not suffice for stays whole
  shown_ends ends{shape, {}, {}};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (more_axes > 0 && options.edgeitems <= (shape[axis] - 1) / 2) {
      --more_axes;
      ends.held[axis] = 2 * options.edgeitems;
      ends.shape.push_back(2);
      ends.strides.push_back((shape[axis] - options.edgeitems) * strides[axis]);
      ends.shape.push_back(options.edgeitems);
    } else {
      ends.shape.push_back(shape[axis]);
    }
    ends.strides.push_back(strides[axis]);
  }
  return ends;
}

}  // namespace detail::printing
}}  // namespace gnp::GNP_ABI
