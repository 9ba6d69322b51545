// SPDX-License-Identifier: MIT
// What a profile calls a computation: its expression, with letters for arrays, k for numbers and i for
// positions.
#pragma once

#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Writes nodes as a person would write them. Inputs with the same memory have the same letter.
class expression_name {
 public:
  /// `memory` has an address for each input of the text, null for positions; `functions` are the names of the
  /// reductions in it.
  expression_name(std::vector<const void*> memory, std::vector<const char*> functions)
      : memory_(std::move(memory)), functions_(std::move(functions)) {}

  [[gnu::cold]] GNP_INLINE std::string of(const node_source& node) { return cut(written(node).text); }
  /// The same for a reduction or a scan of the node.
  [[gnu::cold]] GNP_INLINE std::string of(const char* function, const node_source& node) {
    return cut(reduced(function, node));
  }

 private:
  /// How tightly the outermost operator of a text binds; `call` never needs parentheses.
  enum binding { logic, comparison, sum, product, call };
  struct part {
    std::string text;
    binding how = call;
  };
  struct infix {
    const char* name;
    const char* sign;
    binding how;
  };

  static const infix* infix_of(std::string_view name) {
    static constexpr infix known[] = {{"add", " + ", sum},
                                      {"subtract", " - ", sum},
                                      {"multiply", " * ", product},
                                      {"divide", " / ", product},
                                      {"remainder", " % ", product},
                                      {"less", " < ", comparison},
                                      {"greater", " > ", comparison},
                                      {"less_equal", " <= ", comparison},
                                      {"greater_equal", " >= ", comparison},
                                      {"equal", " == ", comparison},
                                      {"not_equal", " != ", comparison},
                                      {"logical_and", " && ", logic},
                                      {"logical_or", " || ", logic},
                                      {"bitwise_and", " & ", logic},
                                      {"bitwise_or", " | ", logic},
                                      {"bitwise_xor", " ^ ", logic}};
    for (const infix& one : known) {
      if (name == one.name) return &one;
    }
    return nullptr;
  }

  GNP_INLINE std::string within(const node_source& node, binding least) {
    const part inner = written(node);
    return inner.how < least ? "(" + inner.text + ")" : inner.text;
  }

  GNP_INLINE static std::string cut(const std::string& text) {
    constexpr std::size_t longest = 60;
    return text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
  }

  /// In a GNP_REDUCTION, the mapping already has the name of the reduction.
  [[gnu::cold]] GNP_INLINE std::string reduced(const std::string& function, const node_source& elements) {
    const std::string text = written(elements).text;
    const bool named = elements.operation.name != nullptr && function == elements.operation.name;
    return named ? text : function + "(" + text + ")";
  }

  [[gnu::cold]] GNP_INLINE part written(const node_source& node) {
    if (node.operand_count == 0) return {node.write == write_number ? "k" : input()};
    if (node.reducer != nullptr) {
      const std::size_t which = reductions_++;
      return {reduced(which < functions_.size() ? functions_[which] : "reduce", *node.operands[0])};
    }
    const std::string_view name = node.operation.name == nullptr ? "" : node.operation.name;
    if (const infix* sign = infix_of(name); sign != nullptr && node.operand_count == 2) {
      const std::string left = within(*node.operands[0], sign->how);
      return {left + sign->sign + within(*node.operands[1], static_cast<binding>(sign->how + 1)), sign->how};
    }
    if (name == "astype") return written(*node.operands[0]);
    if (name.empty()) return {indexed(node)};
    std::string text(name);
    for (int i = 0; i < node.operand_count; ++i)
      text += (i == 0 ? "(" : ", ") + written(*node.operands[i]).text;
    return {text + ")"};
  }

  /// "a[b, c]": those operands of a gather that are arrays.
  [[gnu::cold]] GNP_INLINE std::string indexed(const node_source& node) {
    std::vector<std::string> parts;
    for (int i = 0; i < node.operand_count; ++i) {
      const std::string text = written(*node.operands[i]).text;
      if (text != "k" && text != "i") parts.push_back(text);
    }
    if (parts.empty()) return "i";
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) text += (i == 1 ? "[" : ", ") + parts[i];
    return parts.size() > 1 ? text + "]" : text;
  }

  GNP_INLINE std::string input() {
    const std::size_t which = inputs_++;
    if (which >= memory_.size() || memory_[which] == nullptr) return "i";
    std::size_t letter = 0;
    for (std::size_t i = 0; memory_[i] != memory_[which]; ++i) {
      bool first = memory_[i] != nullptr;
      for (std::size_t before = 0; before < i; ++before) first = first && memory_[before] != memory_[i];
      letter += first ? 1 : 0;
    }
    constexpr std::string_view letters = "abcdefgh";
    return letter < letters.size() ? std::string(1, letters[letter]) : "x" + std::to_string(letter);
  }

  std::vector<const void*> memory_;
  std::vector<const char*> functions_;
  std::size_t inputs_ = 0;
  std::size_t reductions_ = 0;
};

/// The memory that a job's inputs are in.
GNP_INLINE std::vector<const void*> memory_of_inputs(const job& j) {
  std::vector<const void*> memory;
  for (int i = 1; i < j.operand_count(); ++i)
    memory.push_back(j.operands[i].block == nullptr ? nullptr : j.operands[i].data);
  return memory;
}

/// The bytes of everything that a job reads and writes. What it reads again is in a cache and does not count.
[[gnu::cold]] GNP_INLINE std::size_t bytes_moved(const job& j) {
  std::size_t bytes = 0;
  for (int i = 0; i < j.operand_count(); ++i) {
    const job_operand& o = j.operands[i];
    bool again = o.block == nullptr;
    for (int k = 1; k < i; ++k)
      again = again || (j.operands[k].data == o.data && j.operands[k].block == o.block);
    if (again) continue;
    index_t elements = 1;
    if (o.table) {
      elements = (std::min)(o.reach.last - o.reach.first + 1, j.count);
    } else {
      for (int d = 0; d < j.rank; ++d) elements *= o.strides[d] == 0 ? 1 : j.shape[d];
    }
    bytes += static_cast<std::size_t>(elements) * static_cast<std::size_t>(o.itemsize);
  }
  return bytes;
}

/// "sin(a) * b float32", "copy float32", "fill int64".
[[gnu::cold]] GNP_INLINE work_facts facts_of(const job& j) {
  std::string what = j.code->plain ? "copy" : expression_name(memory_of_inputs(j), {}).of(*j.code->source);
  if (what == "a") what = "copy";
  if (what == "k") what = "fill";
  if (what == "i") what = "positions";
  return {what + " " + name(j.code->result), bytes_moved(j)};
}

/// "sum(a * b) float32": of a reduction or a scan of a job's elements.
[[gnu::cold]] GNP_INLINE work_facts facts_of(const job& j, const char* function, dtype result) {
  const std::string what = expression_name(memory_of_inputs(j), {}).of(function, *j.code->source);
  return {what + " " + name(result), bytes_moved(j)};
}

}}}  // namespace gnp::GNP_ABI::detail
