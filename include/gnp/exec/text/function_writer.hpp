// SPDX-License-Identifier: MIT
// The functions of a kernel: one for each operation of its expressions, and the scalar functions that these
// need.
#pragma once

#include <gnp/exec/text/names.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Writes calls of operations, and afterwards the functions that have been called.
class function_writer {
 public:
  using operation = operation_source;
  struct operand {
    dtype wanted;
    dtype given;
    std::string text;
  };

  /// "sin_0(v1)" or "cast<half>(sin_0(cast<float>(v1)))": the call of an operation. If all types are C++'s own,
  /// the operation's function has these types and converts by itself, which spares the compiler the casts.
  [[gnu::cold]] GNP_INLINE std::string call(const operation& op, dtype result,
                                            const std::vector<operand>& operands) {
    bool typed = is_plain(result);
    std::vector<dtype> types;
    for (const operand& x : operands) {
      uses(x.wanted);
      typed = typed && is_plain(x.wanted);
      types.push_back(x.wanted);
    }
    uses(result);
    types.push_back(result);
    if (!typed) types.clear();
    std::string text = function(op, types);
    const char* separator = "(";
    for (const operand& x : operands) {
      text += separator;
      std::string argument =
          x.given == x.wanted || (typed && is_plain(x.given)) ? x.text : cast(x.wanted, x.text);
      text += op.literals_are_weak && !typed ? "into_body(" + argument + ")" : argument;
      separator = ", ";
    }
    text += ")";
    if (op.literals_are_weak) text = "out_of_body(" + text + ")";
    return typed ? text : cast(result, text);
  }

  [[gnu::cold]] GNP_INLINE void uses(dtype type) {
    uses_half_ = uses_half_ || type == dtype::float16 || type == dtype::bfloat16;
    uses_complex_ = uses_complex_ || is_complex(type);
  }

  /// Requests a scalar function (or a reducer) that no operation names.
  void needs(std::string_view name) { needed_.push_back(name); }

  /// Adds a definition that is written once, after the operations.
  void define(const std::string& definition) {
    if (definitions_.find(definition) == std::string::npos) definitions_ += definition;
  }

  /// Notes that the kernel draws random numbers.
  void draws() { draws_ = true; }

  /// Is this one of gnp's own functions of a sum, difference, product or quotient?
  [[gnu::cold]] GNP_INLINE bool is_arithmetic(std::string_view function) const {
    for (const written_operation& o : operations_) {
      const std::string_view body(o.op.body);
      if (o.function == function && !o.op.users)
        return body == "plus(x, y)" || body == "minus(x, y)" || body == "times(x, y)" || body == "over(x, y)";
    }
    return false;
  }

  bool uses_half() const { return uses_half_; }
  bool uses_complex() const { return uses_complex_; }

  /// The scalar functions that a text names, after those that they use.
  [[gnu::cold]] GNP_INLINE std::string functions_for(std::string_view code) const {
    std::string text;
    std::vector<const device_text*> written;
    for_each_token(code, [&](std::string_view id) { require(id, text, written); }, [](std::string_view) {});
    return text;
  }

  /// The scalar functions that the operations need, then the operations.
  [[gnu::cold]] GNP_INLINE std::string functions() const {
    std::string text;
    std::vector<const device_text*> written;
    for (const std::string_view name : needed_) require(name, text, written);
    std::string bodies;
    const auto type_name = [](dtype type, const operation& op) {
      return op.literals_are_weak && type == dtype::float32 ? "body_float" : device_name(type);
    };
    for (const written_operation& o : operations_) {
      for_each_token(
          o.op.body, [&](std::string_view id) { require(id, text, written); }, [](std::string_view) {});
      const bool typed = !o.types.empty();
      bodies += o.op.users ? "namespace body { inline " : "inline ";
      bodies += typed ? type_name(o.types.back(), o.op) : "auto";
      bodies += " " + o.function + "(";
      const std::string_view parameters(o.op.parameters);
      std::size_t count = 0;
      for (const std::string& parameter : split_arguments(parameters.substr(1, parameters.size() - 2))) {
        if (count > 0) bodies += ", ";
        bodies += typed ? type_name(o.types[count], o.op) : "auto";
        bodies += " " + parameter;
        ++count;
      }
      bodies += ") { ";
      const bool is_part = o.op.part >= 0;  // of the value at each return statement of the body
      if (is_part) bodies += "return part_of_results<" + std::to_string(o.op.part) + ">([&] { ";
      const std::vector<std::string> statements = split_arguments(o.op.body);
      for (std::size_t i = 0; i < statements.size(); ++i) {
        bodies += (i + 1 == statements.size() ? "return " : "") + statements[i] + "; ";
      }
      if (is_part) bodies += "}()); ";
      bodies += o.op.users ? "} } using body::" + o.function + ";\n" : "}\n";
    }
    return text + standard_names(bodies) + bodies + definitions_;
  }

 private:
  static bool is_plain(dtype type) {
    return type != dtype::float16 && type != dtype::bfloat16 && !is_complex(type);
  }

  [[gnu::cold]] GNP_INLINE std::string cast(dtype type, const std::string& text) {
    needs("cast");
    return std::string("cast<") + device_name(type) + ">(" + text + ")";
  }

  /// The function of an operation, written out once however often it is called.
  GNP_INLINE const std::string& function(const operation& op, const std::vector<dtype>& types) {
    const auto same = [](const char* a, const char* b) { return a == b || std::string_view(a) == b; };
    for (const written_operation& known : operations_) {
      if (same(known.op.body, op.body) && same(known.op.parameters, op.parameters) &&
          same(known.op.name, op.name) && known.op.part == op.part && known.types == types) {
        return known.function;
      }
    }
    operations_.push_back({op, types, std::string(op.name) + "_" + std::to_string(operations_.size())});
    uses_bodies_ = uses_bodies_ || op.users;
    if (op.part >= 0) needs("results_of");
    if (op.literals_are_weak) {
      needs("into_body");
      needs("out_of_body");
    }
    return operations_.back().function;
  }

  /// std::sqrt in a body is one of the functions for bodies (body_std). On the device, std gets those that are
  /// used. Two of NumPy's functions mean something else in std, which the device has.
  [[gnu::cold]] GNP_INLINE static std::string standard_names(std::string_view bodies) {
    std::string text;
    for (std::size_t at = bodies.find("std::"); at != std::string_view::npos;
         at = bodies.find("std::", at + 1)) {
      std::string_view name;
      for_each_token(
          bodies.substr(at + 5), [&name](std::string_view id) { name = name.empty() ? id : name; },
          [](std::string_view) {});
      for (const device_text* chunk = device_text::head; chunk != nullptr; chunk = chunk->next) {
        if (name != chunk->name || chunk->family != text_family::body) continue;
        text += "} } namespace std { using ";
        text += name == "round" || name == "remainder" ? "::" : "gnp::scalar::body::";
        text += name;
        text += "; } namespace gnp { namespace scalar {\n";
        break;
      }
    }
    return text;
  }

  struct written_operation {
    operation op;
    std::vector<dtype> types;  // of its parameters and its result; empty if it takes what it is given
    std::string function;
  };

  /// Writes the scalar functions of this name, after those that they use. Functions for bodies are named only
  /// by bodies, and come after all other functions of the same name.
  [[gnu::cold]] GNP_INLINE void require(std::string_view name, std::string& text,
                                        std::vector<const device_text*>& written, bool by_body = true) const {
    // Real functions come first, because the complex ones of the same name use them.
    for (const text_family family : {text_family::base, text_family::half, text_family::real,
                                     text_family::complex, text_family::body, text_family::random}) {
      if (family == text_family::half && !uses_half_) continue;
      if (family == text_family::complex && !uses_complex_) continue;
      if (family == text_family::body && !(uses_bodies_ && by_body)) continue;
      if (family == text_family::random && !draws_) continue;
      for (const device_text* chunk = device_text::head; chunk != nullptr; chunk = chunk->next) {
        if (chunk->family == family && name == chunk->name) write_chunk(chunk, text, written);
      }
    }
  }

  [[gnu::cold]] GNP_INLINE void write_chunk(const device_text* chunk, std::string& text,
                                            std::vector<const device_text*>& written) const {
    for (const device_text* known : written) {
      if (known == chunk) return;
    }
    written.push_back(chunk);
    require("traits", text, written);  // what every other scalar function may name
    std::string code;
    bool is_member = false;  // z.real() is not the function real
    for_each_token(
        chunk->code,
        [&](std::string_view id) {
          if (id.starts_with("gnp_")) {  // the C library's function; on the device it has its own name
            code += "::";
            code += id.substr(4);
          } else {
            // (Overloads of one name keep their order.)
            if (!is_member && id != chunk->name) {
              require(id, text, written, chunk->family == text_family::body);
            }
            code += id;
          }
          is_member = false;
        },
        [&](std::string_view rest) {
          is_member = rest.ends_with('.') && !rest.ends_with("...");
          code += rest;
        });
    text += code;
    text += '\n';
  }

  std::vector<std::string_view> needed_;
  std::vector<written_operation> operations_;
  std::string definitions_;
  bool uses_half_ = false;
  bool uses_complex_ = false;
  bool uses_bodies_ = false;
  bool draws_ = false;
};

}}}  // namespace gnp::GNP_ABI::detail
