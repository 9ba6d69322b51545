// SPDX-License-Identifier: MIT
// An expression of four 8-bit elements at once, in words of 32 bits: sums, comparisons and logic of bytes.
// Element by element, extracting bytes from words and inserting them again would be most of the work, and take
// about as long as memory does.
#pragma once

#include <gnp/exec/elementwise/kernel_plan.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* packed_functions_text = R"(
// Four elements of 8 bits.
template <class T> inline unsigned word_of(const pack<T>& x, int i) { return reinterpret_cast<const unsigned*>(x.whole)[i]; }
template <class T> inline void set_word(pack<T>& x, int i, unsigned word) { reinterpret_cast<unsigned*>(x.whole)[i] = word; }
// Truth values are bytes of 0 and 1.
inline unsigned four(int x) { return static_cast<unsigned>(x & 255) * 0x01010101u; }
template <class K> inline unsigned equal_u4(unsigned x, K k) {
  return k >= K(0) && static_cast<unsigned long long>(k) <= 255 ? __vseteq4(x, four(static_cast<int>(k))) : 0;
}
template <class K> inline unsigned equal_s4(unsigned x, K k) {
  const bool possible = k < K(0) ? static_cast<long long>(k) >= -128 : static_cast<unsigned long long>(k) <= 127;
  return possible ? __vseteq4(x, four(static_cast<int>(k))) : 0;
}
inline unsigned chosen4(unsigned condition, unsigned x, unsigned y) {
  const unsigned mask = condition * 255;
  return (x & mask) | (y & ~mask);
}
)";

/// Writes such an expression, if that is possible: functions of packed bytes have the names of the operations.
class packed_writer {
 public:
  explicit packed_writer(const std::uint8_t* slot_of_input) : slot_of_input_(slot_of_input) {}

  /// The value of an expression as a word, in terms of the words w1, w2, ... of the slots and the constants
  /// k0, k1, ...; nothing if that is not possible. The next expression goes on with the inputs and constants.
  [[gnu::cold]] GNP_INLINE std::string value(const expression_code& code) {
    const part whole = written(*code.source);
    return whole.type == code.result && !whole.number && possible_ ? whole.text : std::string();
  }

  /// The constants, in the order of the source_writer's.
  const std::vector<dtype>& constant_types() const { return constant_types_; }

 private:
  struct part {
    std::string text;
    dtype type = dtype::float64;
    bool number = false;  // is it one number for all elements?
  };

  static bool is_byte(dtype type) {
    return type == dtype::bool_ || type == dtype::int8 || type == dtype::uint8;
  }
  static bool is_whole(dtype type) { return type != dtype::bool_ && type <= dtype::uint64; }

  part nothing() {
    possible_ = false;
    return {};
  }

  GNP_INLINE part written(const node_source& node) {
    if (!possible_) return {};
    if (node.write == write_input) {
      if (!is_byte(node.type)) return nothing();
      return {numbered("w", slot_of_input_[inputs_++]), node.type, false};
    }
    if (node.write == write_number) {
      constant_types_.push_back(node.type);
      return {numbered("k", constant_types_.size() - 1), node.type, true};
    }
    if (node.write != write_operation || node.operation.users || !is_byte(node.type)) return nothing();
    std::vector<part> x;
    bool all_numbers = true;
    for (int i = 0; i < node.operand_count; ++i) {
      x.push_back(written(*node.operands[i]));
      all_numbers = all_numbers && x.back().number;
    }
    if (!possible_ || all_numbers) return nothing();
    const std::string text = operation(node.operation.name, node.type, x);
    if (text.empty()) return nothing();
    return {text, node.type, false};
  }

  /// An operand as bytes of this type. Sets possible_ to false if its bytes would differ.
  [[gnu::cold]] GNP_INLINE std::string bytes(const part& x, dtype type) {
    if (x.number && x.type != type) possible_ = false;
    if (x.number) return "four(" + x.text + ")";
    return type == dtype::bool_ ? truth(x) : x.text;
  }
  [[gnu::cold]] GNP_INLINE std::string truth(const part& x) {
    if (x.number) possible_ = false;
    return x.type == dtype::bool_ ? x.text : "__vsetne4(" + x.text + ", 0)";
  }

  [[gnu::cold]] GNP_INLINE std::string operation(std::string_view name, dtype result,
                                                 const std::vector<part>& x) {
    const auto call = [&](const char* function) {
      std::string text = function;
      text += std::string("(") + bytes(x[0], result);
      if (x.size() > 1) text += std::string(", ") + bytes(x[1], result);
      return text + ")";
    };
    const auto infix = [&](const char* sign) {
      return std::string("(") + bytes(x[0], result) + sign + bytes(x[1], result) + ")";
    };
    const auto logical = [&](const char* sign) {
      return std::string("(") + truth(x[0]) + sign + truth(x[1]) + ")";
    };
    const bool is_bool = result == dtype::bool_;
    if (name == "astype") return bytes(x[0], result);
    if (name == "add" && !is_bool) return call("__vadd4");
    if (name == "subtract" && !is_bool) return call("__vsub4");
    if (name == "maximum" || name == "minimum") {
      const bool larger = name == "maximum";
      return call(result == dtype::int8 ? (larger ? "__vmaxs4" : "__vmins4")
                                        : (larger ? "__vmaxu4" : "__vminu4"));
    }
    if (name == "bitwise_and") return infix(" & ");
    if (name == "bitwise_or") return infix(" | ");
    if (name == "bitwise_xor") return infix(" ^ ");
    if (name == "invert") return is_bool ? std::string("(") + truth(x[0]) + " ^ 0x01010101u)" : call("~");
    if (name == "logical_and") return logical(" & ");
    if (name == "logical_or") return logical(" | ");
    if (name == "logical_xor") return logical(" ^ ");
    if (name == "logical_not") return std::string("(") + truth(x[0]) + " ^ 0x01010101u)";
    if (name == "equal") return equality(x);
    if (name == "not_equal") return std::string("(") + equality(x) + " ^ 0x01010101u)";
    if (name == "less") return order("lt", x);
    if (name == "less_equal") return order("le", x);
    if (name == "greater") return order("gt", x);
    if (name == "greater_equal") return order("ge", x);
    if (name == "where") {
      return std::string("chosen4(") + truth(x[0]) + ", " + bytes(x[1], result) + ", " + bytes(x[2], result) +
             ")";
    }
    return {};
  }

  [[gnu::cold]] GNP_INLINE std::string equality(const std::vector<part>& x) {
    const part& first = x[0].number ? x[1] : x[0];
    const part& second = x[0].number ? x[0] : x[1];
    if (second.number) {
      if (!is_whole(second.type)) possible_ = false;
      return (first.type == dtype::int8 ? "equal_s4(" : "equal_u4(") + first.text + ", " + second.text + ")";
    }
    // -1 and 255 are the same byte.
    if ((first.type == dtype::int8) != (second.type == dtype::int8)) possible_ = false;
    return "__vseteq4(" + first.text + ", " + second.text + ")";
  }

  [[gnu::cold]] GNP_INLINE std::string order(const char* sign, const std::vector<part>& x) {
    const dtype type = x[0].type;
    if (x[1].type != type) possible_ = false;
    return std::string("__vset") + sign + (type == dtype::int8 ? "s4(" : "u4(") + bytes(x[0], type) + ", " +
           bytes(x[1], type) + ")";
  }

  const std::uint8_t* slot_of_input_;
  int inputs_ = 0;
  bool possible_ = true;
  std::vector<dtype> constant_types_;
};

/// compute_packed_0(), compute_packed_1() and so on: four elements of each of these expressions, whose inputs
/// and constants are counted together. Empty if they cannot all be written like this.
[[gnu::cold]] GNP_INLINE std::string packed_text(std::span<const expression_code* const> values,
                                                 const kernel_plan& plan) {
  packed_writer writer(plan.slot_of.data());
  std::string text = packed_functions_text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (plan.vector % 4 != 0 || itemsize(values[k]->result) != 1) return {};
    const std::string value = writer.value(*values[k]);
    if (value.empty()) return {};
    text += numbered("inline unsigned compute_packed_", k) + "(const arguments& p";
    for (std::size_t slot = 1; slot < plan.slots; ++slot) text += numbered(", unsigned w", slot);
    text += ") {\n";
    text += constants_text(writer.constant_types(), value);
    text += "  return " + value + ";\n}\n";
  }
  return text;
}

}}}  // namespace gnp::GNP_ABI::detail
