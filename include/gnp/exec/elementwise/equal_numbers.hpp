// SPDX-License-Identifier: MIT
// Equal numbers that make parts of an expression equal. In s * (1 - s) with s = 1 / (1 + exp(-x)), s is written
// twice, and each time its 1 is a separate number in the launch. If the kernel's text uses one number for both,
// the compiler computes s only once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gnp/exec/text/expression_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Two parts of an expression with the same operations. They are equal if their inputs and numbers are equal:
/// `inputs` and `numbers` many, counted from where each part begins.
struct alike_parts {
  std::uint8_t input, other_input, inputs;
  std::uint8_t number, other_number, numbers;
};

/// A part of an expression, and where its inputs and numbers begin.
struct expression_part {
  const node_source* node;
  int input;
  int number;
};
[[gnu::cold]] GNP_INLINE void list_parts(const node_source& node, int input, int number,
                                         std::vector<expression_part>& parts) {
  if (node.operand_count == 0) return;
  parts.push_back({&node, input, number});
  for (int i = 0; i < node.operand_count; ++i) {
    const node_source& operand = *node.operands[i];
    list_parts(operand, input, number, parts);
    input += operand.inputs;
    number += operand.numbers;
  }
}

/// All such pairs among several expressions. The inputs and numbers of all expressions are counted
/// consecutively. Each part comes before the parts that it consists of.
[[gnu::cold]] GNP_INLINE std::vector<alike_parts> find_alike_parts(const node_source* const* sources,
                                                                   int count) {
  constexpr std::size_t most = 256;
  std::vector<expression_part> parts;
  int input = 0, number = 0;
  for (int i = 0; i < count; ++i) {
    list_parts(*sources[i], input, number, parts);
    input += sources[i]->inputs;
    number += sources[i]->numbers;
  }
  std::vector<alike_parts> found;
  for (std::size_t b = 1; b < parts.size(); ++b) {
    const node_source& node = *parts[b].node;
    const bool noted = parts[b].number + node.numbers <= most_compared_numbers;
    if (node.numbers == 0 || node.inputs == 0 || !noted) continue;
    for (std::size_t a = 0; a < b && found.size() < most; ++a) {
      if (parts[a].node != &node) continue;
      const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
      found.push_back({byte(parts[b].input), byte(parts[a].input), byte(node.inputs), byte(parts[b].number),
                       byte(parts[a].number), byte(node.numbers)});
    }
  }
  return found;
}

/// Notes in a plan which numbers are equal. The plan's inputs must have slots already. `slot_of_number` gives
/// each number's place in the launch, if there are other numbers between them.
GNP_INLINE void note_equal_numbers(const job& j, const std::vector<alike_parts>& alike, kernel_plan& plan,
                                   const std::uint8_t* slot_of_number = nullptr) {
  const auto value = [&](int number) {
    const auto slot = static_cast<std::size_t>(slot_of_number != nullptr ? slot_of_number[number] : number);
    return j.constants + slot * constant_slot;
  };
  int known_until = 0;  // of the numbers before this one, no more is to be found out
  for (const alike_parts& p : alike) {
    if (p.number + p.numbers <= known_until) continue;
    const auto* const slots = plan.slot_of.data();
    bool equal = std::equal(slots + p.input, slots + p.input + p.inputs, slots + p.other_input);
    for (int k = 0; k < p.numbers && equal; ++k)
      equal = std::memcmp(value(p.number + k), value(p.other_number + k), constant_slot) == 0;
    if (!equal) continue;
    known_until = p.number + p.numbers;
    plan.numbers.some_are_equal = true;
    for (int k = p.number; k < known_until; ++k)
      plan.numbers.equal[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(p.number - p.other_number);
  }
}

/// Notes which numbers are 1.
GNP_INLINE void note_ones(const job& j, kernel_plan& plan, const std::uint8_t* slot_of_number = nullptr) {
  const auto is = [](const unsigned char* value, auto one) {
    unsigned char slot[constant_slot] = {};
    std::memcpy(slot, &one, sizeof one);
    return std::memcmp(value, slot, constant_slot) == 0;
  };
  const int numbers = (std::min)(int{j.code->source->numbers}, most_noted_numbers);
  for (int k = 0; k < numbers; ++k) {
    const auto slot = static_cast<std::size_t>(slot_of_number != nullptr ? slot_of_number[k] : k);
    const unsigned char* const value = j.constants + slot * constant_slot;
    if (is(value, 1.0F)) plan.numbers.ones |= 1U << k;
    if (is(value, 1.0)) plan.numbers.ones |= 1U << (most_noted_numbers + k);
  }
}

/// Is a number of this type, in the memory of a launch, a power of two whose reciprocal is an ordinary number?
template <class Bits>
bool is_power_of_two(const unsigned char* value, int digits) {
  Bits bits;
  std::memcpy(&bits, value, sizeof bits);
  const Bits exponent = (bits << 1) >> (digits + 1);
  const Bits most = (Bits{1} << (8 * sizeof(Bits) - 1 - static_cast<std::size_t>(digits))) - 1;
  return (bits << (8 * sizeof(Bits) - static_cast<std::size_t>(digits))) == 0 && exponent > 0 &&
         exponent < most - 1;
}

/// Notes the numbers by which a kernel may divide without a division: powers of two, whose reciprocals are
/// exact; and those by which small integers may be divided through a reciprocal, where quotient, remainder and
/// reciprocal stay far from the limits of their type.
GNP_INLINE void note_divisors(const job& j, kernel_plan& plan, const std::uint8_t* slot_of_number = nullptr) {
  const expression_code& code = *j.code;
  if (!code.source->divides || (slot_of_number == nullptr && code.source->numbers != code.constants)) return;
  const auto is_small = [](dtype type) {
    return !is_floating(type) && !is_complex(type) && itemsize(type) <= 4;
  };
  const bool has_small = std::any_of(code.input_types, code.input_types + code.inputs, is_small);
  const int numbers = (std::min)(int{code.source->numbers}, most_noted_numbers);
  for (int k = 0; k < numbers; ++k) {
    const auto place = static_cast<std::size_t>(slot_of_number != nullptr ? slot_of_number[k] : k);
    const unsigned char* const value = j.constants + place * constant_slot;
    const std::uint32_t as_float_bit = 1U << k;
    const std::uint32_t as_double_bit = 1U << (most_noted_numbers + k);
    if (is_power_of_two<std::uint32_t>(value, 23)) plan.numbers.powers |= as_float_bit;
    if (is_power_of_two<std::uint64_t>(value, 52)) plan.numbers.powers |= as_double_bit;
    if (!has_small) continue;
    float as_float;
    double as_double;
    std::memcpy(&as_float, value, sizeof as_float);
    std::memcpy(&as_double, value, sizeof as_double);
    if (std::abs(as_float) >= 0x1p-64F && std::abs(as_float) <= 0x1p64F) plan.numbers.divisors |= as_float_bit;
    if (std::abs(as_double) >= 0x1p-500 && std::abs(as_double) <= 0x1p500)
      plan.numbers.divisors |= as_double_bit;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
