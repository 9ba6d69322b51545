// SPDX-License-Identifier: MIT
// A compaction on the CPU.
#pragma once

#include <gnp/exec/gather/compact_code.hpp>
#include <gnp/exec/reduce/cpu_reduce.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Copies those elements of a contiguous run where `keep` is not 0; there are `kept` of them.
template <std::size_t Size>
GNP_LOOP void keep_elements(char* to, const char* from, const unsigned char* keep, index_t kept) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  for (index_t done = 0, i = 0; done < kept;) {
    std::uint64_t eight = 1;
    if (kept - done >= 8)
      std::memcpy(&eight, keep + i, 8);  // reads eight at a time, so `keep` has eight extra bytes
    if (eight == 0) {
      i += 8;
    } else if (eight == 0x0101010101010101U) {
      std::memcpy(out + done, in + i, 8 * Size);
      done += 8;
      i += 8;
    } else {  // without an unpredictable branch; never past the last one kept
      for (const index_t end = i + 8; i < end && done < kept; ++i) {
        std::memcpy(out + done, in + i, Size);
        done += keep[i] != 0 ? 1 : 0;
      }
    }
  }
}

/// The same for numbers that start at `first` and grow by `step`; they are stored `apart` places apart.
template <class Apart>
GNP_LOOP void keep_positions(std::int64_t* to, Apart apart, std::int64_t first, std::int64_t step,
                             const unsigned char* keep, index_t kept) {
  index_t done = 0, i = 0;
  while (kept - done >= 8) {
    std::uint64_t eight;
    std::memcpy(&eight, keep + i, 8);
    if (eight == 0x0101010101010101U) {
      for (index_t k = 0; k < 8; ++k) to[(done + k) * apart] = first + (i + k) * step;
      done += 8;
    } else if (eight != 0) {
      for (index_t k = 0; k < 8; ++k) {
        to[done * apart] = first + (i + k) * step;
        done += keep[i + k] != 0 ? 1 : 0;
      }
    }
    i += 8;
  }
  for (; done < kept; ++i) {
    to[done * apart] = first + i * step;
    done += keep[i] != 0 ? 1 : 0;
  }
}

GNP_INLINE index_t count_true(const unsigned char* keep, index_t count) {
  index_t sum = 0, done = 0;
  while (count - done >= 32) {  // counted in bytes, so that vectors hold many
    unsigned char part[32] = {};
    const index_t rows = (std::min)((count - done) / 32, index_t{255});
    for (index_t r = 0; r < rows; ++r) {
      GNP_INDEPENDENT
      for (index_t k = 0; k < 32; ++k)
        part[k] = static_cast<unsigned char>(part[k] + (keep[done + r * 32 + k] != 0 ? 1 : 0));
    }
    for (const unsigned char p : part) sum += p;
    done += rows * 32;
  }
  for (; count - done >= 8; done += 8) {
    constexpr std::uint64_t highest_bits = 0x8080808080808080U;
    std::uint64_t eight;
    std::memcpy(&eight, keep + done, 8);
    const std::uint64_t are_true = (((eight & ~highest_bits) + ~highest_bits) | eight) & highest_bits;
    sum += static_cast<index_t>((are_true >> 7) * 0x0101010101010101U >> 56);
  }
  for (; done < count; ++done) sum += keep[done] != 0 ? 1 : 0;
  return sum;
}

GNP_INLINE std::vector<index_t> kept_before(const unsigned char* keep, index_t count) {
  const index_t pieces = (count + reduced_piece - 1) / reduced_piece;
  std::vector<index_t> before(static_cast<std::size_t>(pieces) + 1);
  parallel_for(pieces, 1, [&](index_t p, index_t last) {
    for (; p < last; ++p) {
      const index_t begin = p * reduced_piece;
      before[static_cast<std::size_t>(p) + 1] =
          count_true(keep + begin, (std::min)(reduced_piece, count - begin));
    }
  });
  for (std::size_t p = 1; p < before.size(); ++p) before[p] += before[p - 1];
  return before;
}

GNP_INLINE void compact_on_cpu(const job& values, const unsigned char* keep, const std::vector<index_t>& before,
                               bool are_positions, char* to) {
  const int bytes = static_cast<int>(gnp::itemsize(values.code->result));
  // Positions along one axis need not be computed.
  const job_operand& only = values.operands[values.code->inputs];
  parallel_for(static_cast<index_t>(before.size()) - 1, 1, [&](index_t p, index_t last) {
    value_reader reader(values);
    for (; p < last; ++p) {
      index_t done = before[static_cast<std::size_t>(p)];
      const index_t end = before[static_cast<std::size_t>(p) + 1];
      if (are_positions && values.rank == 1) {
        const index_t at = p * reduced_piece;
        const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(only.data));
        keep_positions(reinterpret_cast<std::int64_t*>(to) + done, std::integral_constant<index_t, 1>(),
                       first + at * only.strides[0], only.strides[0], keep + at, end - done);
        continue;
      }
      for (index_t at = p * reduced_piece; done < end; at += values_at_once) {
        const index_t count = (std::min)(values_at_once, values.count - at);
        const index_t kept = count_true(keep + at, count);
        if (kept == 0) continue;
        const auto* from = static_cast<const char*>(reader.values(at, count));
        with_itemsize(bytes, [&](auto size) { keep_elements<size>(to + done * bytes, from, keep + at, kept); });
        done += kept;
      }
    }
  });
}

/// Row by row, because then no coordinate has to be computed from a position, which would take a division.
template <class Apart>
void keep_coordinates(const unsigned char* keep, const shape_t& shape, const std::vector<index_t>& before,
                      std::int64_t* const* to, Apart apart) {
  const int inner = shape.rank() - 1;
  const index_t length = shape[inner];
  const index_t count = element_count(shape, "nonzero");
  parallel_for(static_cast<index_t>(before.size()) - 1, 1, [&](index_t p, index_t last) {
    for (; p < last; ++p) {
      const index_t end = (std::min)((p + 1) * reduced_piece, count);
      index_t at = p * reduced_piece;
      index_t done = before[static_cast<std::size_t>(p)];
      index_t column = at % length;
      shape_t row = shape;
      index_t rows = at / length;
      for (int d = inner - 1; d >= 0; --d) {
        row[d] = rows % shape[d];
        rows /= shape[d];
      }
      for (index_t some = 0; at < end; at += some) {
        some = (std::min)(length - column, end - at);
        const index_t kept = count_true(keep + at, some);
        for (int d = 0; d < inner; ++d) {
          for (index_t i = done; i < done + kept; ++i) to[d][i * apart] = row[d];
        }
        keep_positions(to[inner] + done * apart, apart, column, 1, keep + at, kept);
        done += kept;
        column = 0;
        for (int d = inner - 1; d >= 0 && ++row[d] == shape[d]; --d) row[d] = 0;
      }
    }
  });
}

GNP_INLINE void coordinates_on_cpu(const unsigned char* keep, const shape_t& shape,
                                   const std::vector<index_t>& before, std::int64_t* const* to, index_t apart) {
  if (apart == 1) {
    keep_coordinates(keep, shape, before, to, std::integral_constant<index_t, 1>());
  } else {
    keep_coordinates(keep, shape, before, to, apart);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
