// Generates the kernels of a step: the operators between two force evaluations, for small clusters and networks.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/constraints/constraint_networks.hpp>
#include <trotter/device/integration/step_text.hpp>

namespace trotter::device {

/// Parameters of the kernels of a step, and what may follow these and those of clusters or networks.
inline constexpr char const
    *section_parameters =
        "GLOBAL coordinate4* RESTRICT positions, GLOBAL mixed4* RESTRICT velocities, GLOBAL mm_long* RESTRICT forces, "
        "GLOBAL const coordinate* RESTRICT stored, GLOBAL const mm_ulong* RESTRICT counter, "
        "GLOBAL const int* RESTRICT thermostats, mm_ulong seed, uint stream, GLOBAL const real4* RESTRICT drawn",
    *failure_parameter = "GLOBAL int* RESTRICT failures", *kept_parameter = "GLOBAL mm_long* kept",
    *noise_parameters =
        "GLOBAL const mm_ulong* RESTRICT counter, mm_ulong seed, uint stream, "
        "GLOBAL real4* RESTRICT drawn";
using SmallSectionList = ParameterList<section_parameters, cluster_parameters, failure_parameter>;
using NetworkSectionList = ParameterList<section_parameters, network_parameters, network_definitions>;

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
    /// Kernel for small clusters; `loop` calls `of_cluster` for each.
    std::string small_kernel(std::string const& name, std::string const& loop) const;
    std::string of_cluster(ClusterKind kind, Section const& section) const;
    /// Kernel for constraint networks.
    std::string network_kernel(std::string const& name, Section const& section) const;
    /// The kernel `draw_noise`, if used.
    std::string noise_kernel() const;

private:
    bool places() const { return !slot_parameters.empty(); }
    bool kicks(Section const& section) const;
    std::string noise_define() const;
    std::string first_draw() const;
    std::string kernel_begin(std::string const& name, std::string const& parameters) const;
};

}  // namespace trotter::device
