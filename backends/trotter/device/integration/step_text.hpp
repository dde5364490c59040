// Sequences of operators as text for a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/common/integration/operator_sequence.hpp>
#include <trotter/device/constraints/cluster_text.hpp>

namespace trotter::device {

/// What the operators of a sequence with several kicks, forces of several groups or shares of their own have besides. The
/// first V's of a step, before particles move, take their forces from memory, where the last ones of the step before have
/// kept them.
struct GroupedOperators {
    struct Operator {
        int set = 0;                ///< of a V
        int share = 0;              ///< which of `shares` a V or R stands for
        int share_of_run = 0;       ///< of an R after which positions are constrained: of all drifts since the last
        bool is_kept = false;       ///< a V that takes its forces from memory
        bool keeps = false;         ///< a V that keeps its forces
        bool begins_section = false;
    };
    std::vector<ForceGroups> sets{};
    std::vector<Operator> operators{};
    std::vector<double> shares{};  ///< of the time step

    bool empty() const { return operators.empty(); }
};

/// A sequence of operators as the device's steps read it. A C does nothing before constraints act. An S scales velocities by
/// the number of the thermostat that the particle is in.
class StepSequence {
public:
    explicit StepSequence(OperatorSequence const& from);
    /// Whether positions are constrained behind each run of drifts, where a launch ends.
    static bool can_do(OperatorSequence const& from);

    std::string operators;
    std::vector<bool> constrain_positions_after, constrain_velocities_after, needs_new_forces;
    double kick_share = 0, drift_share = 0;  ///< of each V and R, unless `grouped` tells them apart
    GroupedOperators grouped;
    std::uint64_t draws_of_step;
    std::size_t thermostats = 1;               ///< whose numbers stand behind those of the step
    std::size_t gathers_before = no_operator;  ///< where something must be known of all particles

    static constexpr std::size_t no_operator = std::string::npos;

    /// How many R's stand in the run of R and O that ends at `last`.
    int drifts_of_run(std::size_t last) const {
        int drifts = 0;
        for (std::size_t k = last + 1; k-- > 0 && operators[k] != 'V';) drifts += operators[k] == 'R';
        return drifts;
    }
    bool takes_new_forces(std::size_t i) const {
        return operators[i] == 'V' && (grouped.empty() || !grouped.operators[i].is_kept);
    }
    /// Operators before `i` that draw noise.
    int draws_before(std::size_t i) const {
        int draws = 0;
        for (std::size_t k = 0; k < i; ++k) draws += operators[k] == 'O';
        return draws;
    }

private:
    int share(double value);
    void add(char what, GroupedOperators::Operator const& op);
    void take(OperatorSequence::Operator const& from);
    bool find_kept();
    void find_sections();
    bool is_plain(OperatorSequence const& from);
};

/// The numbers of a step, from where they are stored; behind them is one for each thermostat.
inline constexpr std::size_t numbers_of_step = 5;
inline constexpr char const* step_numbers_text =
    "const coordinate kick = stored[0], drift = stored[1], decay = stored[2], noise = stored[3];\n"
    "const coordinate tolerance = stored[4];\n";

/// Keeps the forces on particle `p` where an operator of the section says so.
std::string keep_text(StepSequence const& sequence, std::size_t first, std::size_t end, std::string const& p);

/// What an operator does to the particles of a cluster: x1, v1, f1, w1 are position, velocity, force and inverse mass
/// of the first, and so on; NORMALS(n, atom) is what the n-th draw of the step has for a particle, NOISE_OF(atom) the
/// spread of its noise, `thermostats` has each particle's thermostat.
std::string operator_text(StepSequence const& sequence, std::size_t op, ClusterKind kind);

/// By how much moving a particle back onto its constraints after an operator changes its velocity.
std::string rate_text(StepSequence const& sequence, std::size_t op);

/// The operators from `first` up to `end` for the particles of a small cluster, with the constraints where they act:
/// those on positions end a section, as a V that follows them needs new forces.
std::string act_on_cluster(StepSequence const& sequence, ClusterKind kind, std::size_t first, std::size_t end);

}  // namespace trotter::device
