// SPDX-License-Identifier: MIT
// All of gnp, for one process.
#pragma once

#include <gnp/core/config.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // a user's ufunc may have the name of a template's variable
#endif

#include <gnp/compiled/templates.hpp>
#include <gnp/core.hpp>
#include <gnp/fft/frequencies.hpp>
#include <gnp/fft/transforms.hpp>
#include <gnp/graph/graph.hpp>
#include <gnp/graph/jit.hpp>
#include <gnp/interop/from_arrow.hpp>
#include <gnp/interop/from_dlpack.hpp>
#include <gnp/interop/to_arrow.hpp>
#include <gnp/interop/to_dlpack.hpp>
#include <gnp/io/base_repr.hpp>
#include <gnp/io/config.hpp>
#include <gnp/io/loadtxt.hpp>
#include <gnp/io/npy.hpp>
#include <gnp/io/npz.hpp>
#include <gnp/io/print.hpp>
#include <gnp/io/raw.hpp>
#include <gnp/io/savetxt.hpp>
#include <gnp/kernel/raw_kernel.hpp>
#include <gnp/kernel/user_gufunc.hpp>
#include <gnp/kernel/user_kernel.hpp>
#include <gnp/linalg/aliases.hpp>
#include <gnp/linalg/chains.hpp>
#include <gnp/linalg/cholesky.hpp>
#include <gnp/linalg/determinant.hpp>
#include <gnp/linalg/eig.hpp>
#include <gnp/linalg/eigh.hpp>
#include <gnp/linalg/einsum.hpp>
#include <gnp/linalg/least_squares.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/norm.hpp>
#include <gnp/linalg/products.hpp>
#include <gnp/linalg/qr.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/linalg/tensor_solve.hpp>
#include <gnp/polynomial/calculus.hpp>
#include <gnp/polynomial/fitting.hpp>
#include <gnp/polynomial/roots.hpp>
#include <gnp/polynomial/values.hpp>
#include <gnp/random/functions.hpp>
#include <gnp/random/multivariate_normal.hpp>
#include <gnp/routines/accumulations.hpp>
#include <gnp/routines/applied.hpp>
#include <gnp/routines/average.hpp>
#include <gnp/routines/blocks.hpp>
#include <gnp/routines/choosing.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/diagonal.hpp>
#include <gnp/routines/differences.hpp>
#include <gnp/routines/editing.hpp>
#include <gnp/routines/explain.hpp>
#include <gnp/routines/flat_indices.hpp>
#include <gnp/routines/gradients.hpp>
#include <gnp/routines/grids.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/lexsort.hpp>
#include <gnp/routines/lists_in_formulas.hpp>
#include <gnp/routines/machine_limits.hpp>
#include <gnp/routines/made_from.hpp>
#include <gnp/routines/masked_nan_reductions.hpp>
#include <gnp/routines/masked_reductions.hpp>
#include <gnp/routines/nan_reductions.hpp>
#include <gnp/routines/number_parts.hpp>
#include <gnp/routines/packing.hpp>
#include <gnp/routines/padding.hpp>
#include <gnp/routines/partition.hpp>
#include <gnp/routines/ranks.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/refused_calls.hpp>
#include <gnp/routines/refused_rows.hpp>
#include <gnp/routines/refused_vectors.hpp>
#include <gnp/routines/repeats.hpp>
#include <gnp/routines/rolling.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/sets.hpp>
#include <gnp/routines/several.hpp>
#include <gnp/routines/sorting.hpp>
#include <gnp/routines/splitting.hpp>
#include <gnp/routines/tiling.hpp>
#include <gnp/routines/together.hpp>
#include <gnp/routines/triangle_indices.hpp>
#include <gnp/routines/triangles.hpp>
#include <gnp/routines/types.hpp>
#include <gnp/routines/ufunc_methods.hpp>
#include <gnp/routines/unique.hpp>
#include <gnp/routines/updating.hpp>
#include <gnp/routines/user_reduction.hpp>
#include <gnp/routines/windowed_views.hpp>
#include <gnp/routines/windows.hpp>
#include <gnp/signal/convolve.hpp>
#include <gnp/signal/interpolation.hpp>
#include <gnp/statistics/bincount.hpp>
#include <gnp/statistics/covariance.hpp>
#include <gnp/statistics/histogram.hpp>
#include <gnp/statistics/histogram_grid.hpp>
#include <gnp/statistics/median.hpp>
#include <gnp/statistics/nan_quantile.hpp>
#include <gnp/statistics/quantile.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
