// Staged forces on Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/parts/stages.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/stages.hpp.
template <HasStages F> class Kernel<F, Reference, Double> : public reference::CompiledKernel<F> {
public:
    using reference::CompiledKernel<F>::CompiledKernel;
};

}  // namespace trotter
