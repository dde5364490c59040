// The kernels of a step as text: what stands between two evaluations of the forces, for small clusters and for networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

/// Operators between two evaluations of the forces.
struct Section {
    std::size_t first, end;
    bool needs_forces, moves;
    int set = 0;  ///< of forces, where there are several
};

struct SectionText {
    StepSequence const& sequence;
    int copies;
    bool are_many;                ///< groups: more than stand side by side
    bool draws_beforehand;        ///< noise comes from `draw_noise`
    std::string slot_parameters;  ///< see PairList; none where the step does not place particles

    /// In front of the kernels, and of what these are made of besides.
    std::string defines() const;
    /// Small clusters; `loop` does `of_cluster` for each of them, with what `parameters` declare.
    std::string small_kernel(std::string const& name, std::string const& parameters, std::string const& loop) const;
    std::string of_cluster(ClusterKind kind, Section const& section) const;
    /// Networks of constraints.
    std::string network_kernel(std::string const& name, Section const& section) const;
    /// `count_step`, `keep_forces` and, where it is used, `draw_noise`.
    std::string other_kernels() const;

private:
    bool places() const { return !slot_parameters.empty(); }
    bool kicks(Section const& section) const;
    std::string noise_define() const;
    std::string first_draw() const;
    std::string kernel_begin(std::string const& name, std::string const& parameters) const;
};

}  // namespace trotter::device
