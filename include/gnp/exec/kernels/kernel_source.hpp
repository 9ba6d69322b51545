// SPDX-License-Identifier: MIT
// The whole text of a kernel: prelude, the expression as a function, and the loop of one of the kernel shapes.
#pragma once

#include <gnp/exec/kernels/prelude.hpp>
#include <gnp/exec/plan.hpp>
#include <gnp/exec/source.hpp>

namespace gnp::inline GNP_ABI::detail {

/// Types of the slots: slot 0 is the destination.
inline std::vector<dtype> slot_types(const program& code, const kernel_plan& plan) {
  std::vector<dtype> types(plan.slots, code.result);
  for (int i = 0; i < plan.inputs; ++i) types[plan.slot_of[static_cast<std::size_t>(i)]] = code.input_types[i];
  return types;
}

/// Builds the statements of a kernel that depend on the operands.
class kernel_text {
 public:
  kernel_text(const kernel_plan& plan, std::vector<dtype> types) : plan_(plan), types_(std::move(types)) {}

  std::string type(int slot) const { return device_name(types_[static_cast<std::size_t>(slot)]); }
  std::string pointer(int slot) const { return std::string("pointer_") + std::to_string(slot); }
  std::string stride(int slot, int axis) const {
    return std::string("static_cast<offset_t>(p.stride[") + std::to_string(slot) + "][" + std::to_string(axis) + "])";
  }
  lane_access access(int slot) const { return plan_.access[static_cast<std::size_t>(slot)]; }

  /// The element a thread starts at: a pointer, or for positions the number itself.
  std::string start(int slot, const std::string& offset) const {
    const std::string index = std::string("[") + std::to_string(slot) + "]";
    if (access(slot) == lane_access::counted) {
      return std::string("  const long long ") + pointer(slot) + " = static_cast<long long>(p.data" + index + ") + (" + offset + ");\n";
    }
    const std::string element = slot == 0 ? type(slot) + "*" : std::string("const ") + type(slot) + "*";
    return std::string("  ") + element + " const " + pointer(slot) + " = reinterpret_cast<" + element + ">(p.data" + index + ") + (" +
           offset + ");\n";
  }

  /// x_s: the V elements of an input.
  std::string load(int slot, int axis) const {
    const std::string x = std::string("x") + std::to_string(slot);
    std::string text = std::string("  pack<") + type(slot) + ", vector> " + x + ";\n";
    switch (access(slot)) {
      case lane_access::run: return text + "  load_run(" + x + ", " + pointer(slot) + ", valid);\n";
      case lane_access::repeated: return text + "  load_repeated(" + x + ", " + pointer(slot) + ");\n";
      case lane_access::every_other: return text + "  load_every_other(" + x + ", " + pointer(slot) + ", valid);\n";
      case lane_access::strided:
        return text + "  load_strided(" + x + ", " + pointer(slot) + ", " + stride(slot, axis) + ", valid);\n";
      case lane_access::counted:
        return text + "  for (int e = 0; e < vector; ++e) " + x + ".v[e] = std::string(" + pointer(slot) + ") + e * " +
               stride(slot, axis) + ";\n";
      case lane_access::transposed:
        return text + "  for (int e = 0; e < vector; ++e) " + x + ".v[e] = tile_" + std::to_string(slot) +
               "[column + e][row];\n";
    }
    return text;
  }

  std::string compute_and_store(int axis) const {
    std::string text = std::string("  pack<") + type(0) + ", vector> result;\n  for (int e = 0; e < vector; ++e) result.v[e] = compute(p";
    for (int slot = 1; slot < plan_.slots; ++slot) text += std::string(", x") + std::to_string(slot) + ".v[e]";
    text += ");\n";
    text += access(0) == lane_access::run
                ? std::string("  store_run(") + pointer(0) + ", result, valid);\n"
                : std::string("  store_strided(") + pointer(0) + ", " + stride(0, axis) + ", result, valid);\n";
    return text;
  }

  /// Threads take vectors one after the other; where there is more than one axis, rows are whole vectors.
  std::string elementwise() const {
    const int inner = plan_.rank - 1;
    std::string text =
        "extern \"C\" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p) {\n"
        "  index_t rest = static_cast<index_t>(blockIdx.x) * 256 + threadIdx.x;\n"
        "  if (rest >= static_cast<index_t>(p.count)) return;\n";
    for (int d = inner; d > 0; --d) {
      const std::string axis = std::to_string(d);
      text += std::string("  const index_t outer_") + axis + " = divided(rest, static_cast<index_t>(p.magic[" + axis +
              "]), static_cast<index_t>(p.shift[" + axis + "]));\n  const offset_t c" + axis +
              " = static_cast<offset_t>(rest - outer_" + axis + " * static_cast<index_t>(p.size[" + axis +
              "]));\n  rest = outer_" + axis + ";\n";
    }
    text += "  const offset_t c0 = static_cast<offset_t>(rest);\n";
    text += inner == 0 ? "  const index_t left = static_cast<index_t>(p.size[0]) - rest * vector;\n"
                         "  const int valid = left >= vector ? vector : static_cast<int>(left);\n"
                       : "  constexpr int valid = vector;\n";
    for (int slot = 0; slot < plan_.slots; ++slot) {
      std::string offset = "0";
      for (int d = 0; d <= inner; ++d) {
        offset += std::string(" + c") + std::to_string(d) + (d == inner ? " * vector" : "");
        const bool unit = d == inner && access(slot) == lane_access::run;
        if (!unit) offset += std::string(" * ") + stride(slot, d);
      }
      text += start(slot, offset);
    }
    for (int slot = 1; slot < plan_.slots; ++slot) text += load(slot, inner);
    return text + compute_and_store(inner) + "}\n";
  }

  /// Square tiles of the two last axes. Transposed inputs are read along the last axis but one into shared
  /// memory, then everything proceeds along the last; both sides of the transposition move whole vectors.
  std::string tile() const {
    const int x = plan_.rank - 1;
    const int y = plan_.rank - 2;
    const std::string sx = std::to_string(x);
    const std::string sy = std::to_string(y);
    std::size_t widest = 1;
    for (int slot = 0; slot < plan_.slots; ++slot) widest = (std::max)(widest, itemsize(types_[static_cast<std::size_t>(slot)]));
    std::string text =
        "constexpr int edge = " + std::to_string(tile_edge(static_cast<int>(widest))) + ";\n"
        "extern \"C\" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p) {\n";
    for (int slot = 1; slot < plan_.slots; ++slot) {
      if (access(slot) != lane_access::transposed) continue;
      // One element more per row keeps the columns in different banks. Raw storage: elements have constructors.
      const std::string s = std::to_string(slot);
      text += std::string("  __shared__ alignas(16) unsigned char memory_") + s + "[edge * (edge + 1) * sizeof(" + type(slot) + ")];\n" +
              "  auto tile_" + s + " = reinterpret_cast<" + type(slot) + "(*)[edge + 1]>(memory_" + s + ");\n";
    }
    text += std::string("  unsigned long long block = blockIdx.x;\n"
            "  const unsigned long long tiles_x = (p.size[") + sx + "] + edge - 1) / edge;\n"
            "  const unsigned long long tiles_y = (p.size[" + sy + "] + edge - 1) / edge;\n"
            "  const offset_t x0 = static_cast<offset_t>(block % tiles_x) * edge;\n  block /= tiles_x;\n"
            "  const offset_t y0 = static_cast<offset_t>(block % tiles_y) * edge;\n  block /= tiles_y;\n";
    for (int d = y - 1; d >= 0; --d) {
      const std::string axis = std::to_string(d);
      text += std::string("  const offset_t c") + axis + " = static_cast<offset_t>(block % p.size[" + axis + "]);\n  block /= p.size[" +
              axis + "];\n";
    }
    text += std::string("  const offset_t size_x = static_cast<offset_t>(p.size[") + sx + "]);\n  const offset_t size_y = static_cast<offset_t>(p.size[" +
            sy + "]);\n  const int threads_across = edge / vector;\n"
            "  const int first_row = threadIdx.x / threads_across;\n"
            "  const int column = threadIdx.x % threads_across * vector;\n"
            "  constexpr int rows_at_once = 256 * vector / edge;\n";
    const auto offset = [&](int slot, const std::string& along_x, const std::string& along_y) {
      std::string sum = "0";
      for (int d = 0; d < y; ++d) sum += std::string(" + c") + std::to_string(d) + " * " + stride(slot, d);
      sum += std::string(" + (") + along_x + ")" + (access(slot) == lane_access::run ? "" : std::string(" * ") + stride(slot, x));
      sum += std::string(" + (") + along_y + ")" + (access(slot) == lane_access::transposed ? "" : std::string(" * ") + stride(slot, y));
      return sum;
    };
    for (int slot = 1; slot < plan_.slots; ++slot) {
      if (access(slot) != lane_access::transposed) continue;
      text += "  for (int row = first_row; row < edge; row += rows_at_once) {\n"
              "  if (x0 + row >= size_x || y0 + column >= size_y) continue;\n"
              "  const int valid = static_cast<int>(size_y - y0 - column < vector ? size_y - y0 - column : vector);\n" +
              start(slot, offset(slot, "x0 + row", "y0 + column")) +
              "  pack<" + type(slot) + ", vector> x;\n  load_run(x, " + pointer(slot) + ", valid);\n"
              "  for (int e = 0; e < vector; ++e) tile_" + std::to_string(slot) + "[row][column + e] = x.v[e];\n  }\n";
    }
    text += "  __syncthreads();\n"
            "  for (int row = first_row; row < edge; row += rows_at_once) {\n"
            "  if (y0 + row >= size_y || x0 + column >= size_x) continue;\n"
            "  const int valid = static_cast<int>(size_x - x0 - column < vector ? size_x - x0 - column : vector);\n";
    for (int slot = 0; slot < plan_.slots; ++slot) {
      if (access(slot) != lane_access::transposed) text += start(slot, offset(slot, "x0 + column", "y0 + row"));
    }
    for (int slot = 1; slot < plan_.slots; ++slot) text += load(slot, x);
    return text + compute_and_store(x) + "  }\n}\n";
  }

 private:
  const kernel_plan& plan_;
  std::vector<dtype> types_;
};

/// The kernel's one parameter. gpu_run.hpp packs it in the same order.
inline std::string arguments_text(const kernel_plan& plan, std::size_t constants) {
  const std::string rank = std::string("[") + std::to_string(plan.rank) + "]";
  const std::string slots = std::string("[") + std::to_string(plan.slots) + "]";
  return std::string("struct arguments {\n  unsigned long long count;\n  unsigned long long size") + rank +
         ";\n  unsigned long long magic" + rank + ";\n  unsigned long long shift" + rank +
         ";\n  unsigned long long data" + slots + ";\n  long long stride" + slots + rank + ";\n" +
         (constants > 0 ? std::string("  alignas(16) unsigned char constant[") + std::to_string(constants) + "][16];\n" : "") + "};\n";
}

inline std::string kernel_source(const program& code, const kernel_plan& plan) {
  source_writer writer(plan.slot_of.data());
  code.write_source(writer);
  const std::vector<dtype> types = slot_types(code, plan);

  std::string text = prelude_text;
  if (writer.uses_half()) text += half_text;
  if (writer.uses_complex()) text += complex_text;
  text += std::string("namespace gnp {\nnamespace scalar {\n") + writer.functions() + "}\nusing namespace scalar;\n" + memory_text;
  text += std::string("using index_t = ") + (plan.wide ? "unsigned long long" : "unsigned") + ";\nusing offset_t = " +
          (plan.wide ? "long long" : "int") + ";\nconstexpr int vector = " + std::to_string(plan.vector) + ";\n";
  text += arguments_text(plan, writer.constant_types().size());
  text += std::string("inline ") + device_name(code.result) + " compute(const arguments& p";
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    text += std::string(", ") + device_name(types[slot]) + " v" + std::to_string(slot);
  }
  text += ") {\n";
  for (std::size_t i = 0; i < writer.constant_types().size(); ++i) {
    const std::string type = device_name(writer.constant_types()[i]);
    const std::string number = std::to_string(i);
    text += std::string("  const ") + type + " k" + number + " = *reinterpret_cast<const " + type + "*>(p.constant[" + number + "]);\n";
  }
  text += std::string("  return ") + writer.value + ";\n}\n";
  const kernel_text kernel(plan, types);
  text += plan.shape == kernel_shape::tile ? kernel.tile() : kernel.elementwise();
  return text + "}\n";
}

}  // namespace gnp::inline GNP_ABI::detail
