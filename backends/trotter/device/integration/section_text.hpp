// Generates the kernels of a step: the operators between two force evaluations, for small clusters and networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

/// Operators between two force evaluations.
struct Section {
    std::size_t first, end;
    bool needs_forces, moves;
    int set = 0;  ///< of forces, if there are several
};

struct SectionText {
    StepSequence const& sequence;
    int copies;
    bool are_many;                ///< more groups than run concurrently
    bool draws_beforehand;        ///< random numbers come from `draw_noise`
    std::string slot_parameters;  ///< see PairList; empty if the step does not fill slots

    /// Definitions for the kernels.
    std::string defines() const;
    /// Kernel for small clusters; `loop` calls `of_cluster` for each, using the `parameters`.
    std::string small_kernel(std::string const& name, std::string const& parameters, std::string const& loop) const;
    std::string of_cluster(ClusterKind kind, Section const& section) const;
    /// Kernel for constraint networks.
    std::string network_kernel(std::string const& name, Section const& section) const;
    /// `count_step`, `keep_forces` and, if used, `draw_noise`.
    std::string other_kernels() const;

private:
    bool places() const { return !slot_parameters.empty(); }
    bool kicks(Section const& section) const;
    std::string noise_define() const;
    std::string first_draw() const;
    std::string kernel_begin(std::string const& name, std::string const& parameters) const;
};

}  // namespace trotter::device
