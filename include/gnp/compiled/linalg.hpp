// SPDX-License-Identifier: MIT
// The bodies that gnp::compiled has for each of the four types of linear algebra.
#pragma once

#include <gnp/gnp.hpp>
#include <gnp/linalg/cpu/lapack/product.hpp>
#include <gnp/linalg/product/gemm_blocks.hpp>
#include <gnp/linalg/stacks/cholesky.hpp>
#include <gnp/linalg/stacks/determinant.hpp>
#include <gnp/linalg/stacks/eig.hpp>
#include <gnp/linalg/stacks/eigh.hpp>
#include <gnp/linalg/stacks/least_squares.hpp>
#include <gnp/linalg/stacks/qr.hpp>
#include <gnp/linalg/stacks/solve.hpp>
#include <gnp/linalg/stacks/svd.hpp>
