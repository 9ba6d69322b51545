// SPDX-License-Identifier: MIT
// An expression as CUDA C++: nested calls of its operations, and the scalar functions those need.
#pragma once

#include <gnp/exec/compute.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gnp::inline GNP_ABI::detail {

/// The name of an element type in kernels.
constexpr const char* device_name(dtype d) {
  constexpr const char* names[dtype_count] = {"bool",
                                              "signed char",
                                              "short",
                                              "int",
                                              "long long",
                                              "unsigned char",
                                              "unsigned short",
                                              "unsigned int",
                                              "unsigned long long",
                                              "half",
                                              "bfloat16",
                                              "float",
                                              "double",
                                              "std::complex<float>",
                                              "std::complex<double>"};
  return names[static_cast<int>(d)];
}

/// Calls f(identifier) for each identifier of a text, and other(rest) for what is between them.
template <class F, class G>
void for_each_token(std::string_view text, const F& identifier, const G& other) {
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto continues = [&starts](char c) { return starts(c) || (c >= '0' && c <= '9'); };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (starts(text[i])) {
      while (end < text.size() && continues(text[end])) ++end;
      identifier(text.substr(i, end - i));
    } else {
      // A number takes its suffix along: the f of 1.0f is no identifier.
      const bool number = text[i] >= '0' && text[i] <= '9';
      ++end;
      while (end < text.size() && (number ? continues(text[end]) || text[end] == '.' : !continues(text[end])))
        ++end;
      other(text.substr(i, end - i));
    }
    i = end;
  }
}

/// The parts of a macro's argument list: split at the commas outside parentheses, as the preprocessor does.
inline std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "v" and 2 make "v2".
inline std::string numbered(const char* name, std::size_t number) {
  std::string text(name);
  text += std::to_string(number);
  return text;
}

class source_writer {
 public:
  explicit source_writer(const std::uint8_t* slot_of_input) : slot_of_input_(slot_of_input) {}

  /// "v2": the variable that holds an input.
  std::string input() { return numbered("v", slot_of_input_[inputs_++]); }

  /// "k0": the variable that holds a constant, whose type is remembered.
  std::string constant(dtype type) {
    uses(type);
    constant_types_.push_back(type);
    return numbered("k", constant_types_.size() - 1);
  }

  /// The function of an operation, written out once however often it is called.
  [[gnu::cold]] const std::string& function(const char* name, const char* parameters, const char* body) {
    for (const operation& known : operations_) {
      if (known.body == body || (known.name == name && std::string_view(known.body) == body &&
                                 std::string_view(known.parameters) == parameters)) {
        return known.function;
      }
    }
    operations_.push_back(
        {name, parameters, body, std::string(name) + "_" + std::to_string(operations_.size())});
    return operations_.back().function;
  }

  /// "cast<float>(sin_0(": what stands before an operation's operands.
  [[gnu::cold]] void open_call(dtype result, const char* name, const char* parameters, const char* body) {
    open_cast(result);
    value += function(name, parameters, body);
    value += "(";
  }
  [[gnu::cold]] void open_operand(bool first, dtype type) {
    if (!first) value += ", ";
    open_cast(type);
  }

  void uses(dtype type) {
    uses_half_ = uses_half_ || type == dtype::float16 || type == dtype::bfloat16;
    uses_complex_ = uses_complex_ || is_complex(type);
  }

  /// Asks for a scalar function (or a reducer) that no operation names.
  void needs(std::string_view name) { needed_.push_back(name); }

  /// The kernel draws random numbers.
  void draws() { draws_ = true; }

  bool uses_half() const { return uses_half_; }
  bool uses_complex() const { return uses_complex_; }
  const std::vector<dtype>& constant_types() const { return constant_types_; }

  /// The value of the whole expression, as text.
  std::string value;

  /// The scalar functions that a text names, after those that they use.
  [[gnu::cold]] std::string functions_for(std::string_view code) const {
    std::string text;
    std::vector<const device_text*> written;
    require("traits", text, written);
    for_each_token(
        code, [&](std::string_view id) { require(id, text, written); }, [](std::string_view) {});
    return text;
  }

  /// The scalar functions that the operations need, then the operations.
  [[gnu::cold]] std::string functions() const {
    std::string text;
    std::vector<const device_text*> written;
    require("traits", text, written);
    require("cast", text, written);
    for (const std::string_view name : needed_) require(name, text, written);
    std::string bodies;
    for (const operation& o : operations_) {
      for_each_token(
          o.body, [&](std::string_view id) { require(id, text, written); }, [](std::string_view) {});
      bodies += std::string("inline auto ") + o.function + "(";
      const std::string_view parameters(o.parameters);
      const char* separator = "";
      for (const std::string& parameter : split_arguments(parameters.substr(1, parameters.size() - 2))) {
        bodies += separator + (std::string("auto ") + parameter);
        separator = ", ";
      }
      bodies += ") { ";
      const std::vector<std::string> statements = split_arguments(o.body);
      for (std::size_t i = 0; i < statements.size(); ++i) {
        bodies += (i + 1 == statements.size() ? "return " : "") + statements[i] + "; ";
      }
      bodies += "}\n";
    }
    return text + standard_names(bodies) + bodies;
  }

 private:
  void open_cast(dtype type) {
    uses(type);
    value += "cast<";
    value += device_name(type);
    value += ">(";
  }

  /// std::sqrt in a body is found on the host; for the device, std gets the scalar functions of the names used.
  static std::string standard_names(std::string_view bodies) {
    std::string text;
    for (std::size_t at = bodies.find("std::"); at != std::string_view::npos;
         at = bodies.find("std::", at + 1)) {
      std::string_view name;
      for_each_token(
          bodies.substr(at + 5), [&name](std::string_view id) { name = name.empty() ? id : name; },
          [](std::string_view) {});
      for (const device_text* chunk = device_text::head; chunk != nullptr; chunk = chunk->next) {
        if (name != chunk->name) continue;
        text += "} } namespace std { using gnp::scalar::";
        text += name;
        text += "; } namespace gnp { namespace scalar {\n";
        break;
      }
    }
    return text;
  }

  struct operation {
    std::string name;
    const char* parameters;
    const char* body;
    std::string function;
  };

  /// Writes the scalar functions of this name, those that they use before them.
  void require(std::string_view name, std::string& text, std::vector<const device_text*>& written) const {
    // Real functions first: the complex ones of the same name are made of them.
    for (const text_family family :
         {text_family::base, text_family::half, text_family::real, text_family::complex, text_family::random}) {
      if (family == text_family::half && !uses_half_) continue;
      if (family == text_family::complex && !uses_complex_) continue;
      if (family == text_family::random && !draws_) continue;
      for (const device_text* chunk = device_text::head; chunk != nullptr; chunk = chunk->next) {
        if (chunk->family == family && name == chunk->name) write_chunk(chunk, text, written);
      }
    }
  }

  void write_chunk(const device_text* chunk, std::string& text,
                   std::vector<const device_text*>& written) const {
    for (const device_text* known : written) {
      if (known == chunk) return;
    }
    written.push_back(chunk);
    std::string code;
    for_each_token(
        chunk->code,
        [&](std::string_view id) {
          if (id.starts_with("gnp_")) {  // the C library's function; on the device it has its own name
            code += "::";
            code += id.substr(4);
          } else {
            if (id != chunk->name) require(id, text, written);  // overloads of one name keep their order
            code += id;
          }
        },
        [&](std::string_view rest) { code += rest; });
    text += code;
    text += '\n';
  }

  const std::uint8_t* slot_of_input_;
  int inputs_ = 0;
  std::vector<std::string_view> needed_;
  std::vector<dtype> constant_types_;
  std::vector<operation> operations_;
  bool uses_half_ = false;
  bool uses_complex_ = false;
  bool draws_ = false;
};

/// Writes a node's value: v1, k0, or cast<float>(sin_0(cast<float>(v1))).
template <class X>
void write_node(source_writer& writer);

template <class Op, class... X, std::size_t... Index>
[[gnu::cold]] void write_operation(const expression<Op, X...>*, source_writer& writer,
                                   std::index_sequence<Index...>) {
  using node = expression<Op, X...>;
  writer.open_call(dtype_of<typename node::value_type>, Op::name, Op::parameter_text, Op::body_text);
  (
      [&writer] {
        writer.open_operand(Index == 0, dtype_of<body_type<node::signature, Index>>);
        write_node<X>(writer);
        writer.value += ")";
      }(),
      ...);
  writer.value += "))";
}

template <class X>
void write_node(source_writer& writer) {
  if constexpr (is_expression_v<X>) {
    write_operation(static_cast<const X*>(nullptr), writer, std::make_index_sequence<X::operand_count>());
  } else if constexpr (is_constant_v<X>) {
    writer.value += writer.constant(dtype_of<typename X::value_type>);
  } else {
    writer.uses(dtype_of<typename X::value_type>);
    writer.value += writer.input();
  }
}

/// program::write_source of an expression.
template <class X>
void write_source(source_writer& writer) {
  writer.uses(dtype_of<typename X::value_type>);
  write_node<X>(writer);
}

}  // namespace gnp::inline GNP_ABI::detail
