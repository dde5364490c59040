// Sequences of operators as kernel source.
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

/// Additional data of sequences with several kick sizes, force groups or time-step shares. The first V's of a step,
/// before particles move, read the forces stored by the last V's of the previous step.
struct GroupedOperators {
    struct Operator {
        int set = 0;                ///< force set of a V
        int share = 0;              ///< index in `shares` of a V or R
        int share_of_run = 0;       ///< of an R before position constraints: all drifts since the last
        bool is_kept = false;       ///< a V that reads stored forces
        bool keeps = false;         ///< a V that stores its forces
        bool begins_section = false;
    };
    std::vector<ForceGroups> sets{};
    std::vector<Operator> operators{};
    std::vector<double> shares{};  ///< fractions of the time step

    bool empty() const { return operators.empty(); }
};

/// A sequence of operators for steps on the device. A C only marks where constraints act. An S scales velocities by the
/// factor of the particle's thermostat.
class StepSequence {
public:
    explicit StepSequence(OperatorSequence const& from);
    /// Whether positions are constrained after each run of drifts, where a launch ends.
    static bool can_do(OperatorSequence const& from);

    std::string operators;
    std::vector<bool> constrain_positions_after, constrain_velocities_after, needs_new_forces;
    double kick_share = 0, drift_share = 0;  ///< of each V and R, unless `grouped` has them
    GroupedOperators grouped;
    std::uint64_t draws_of_step;
    std::size_t thermostats = 1;               ///< their scale factors follow the step's parameters
    std::size_t gathers_before = no_operator;  ///< where a reduction over all particles is needed

    static constexpr std::size_t no_operator = std::string::npos;

    /// Number of R's in the run of R and O that ends at `last`.
    int drifts_of_run(std::size_t last) const {
        int drifts = 0;
        for (std::size_t k = last + 1; k-- > 0 && operators[k] != 'V';) drifts += operators[k] == 'R';
        return drifts;
    }
    bool takes_new_forces(std::size_t i) const {
        return operators[i] == 'V' && (grouped.empty() || !grouped.operators[i].is_kept);
    }
    /// Number of operators before `i` that draw noise.
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

/// Number of parameters of a step, followed by one for each thermostat.
inline constexpr std::size_t numbers_of_step = 5;
inline constexpr char const* step_numbers_text =
    "const coordinate kick = stored[0], drift = stored[1], decay = stored[2], noise = stored[3];\n"
    "const coordinate tolerance = stored[4];\n";

/// Stores the forces on particle `p` if an operator of the section requires it.
std::string keep_text(StepSequence const& sequence, std::size_t first, std::size_t end, std::string const& p);

/// Applies an operator to the particles of a cluster: x1, v1, f1, w1 are position, velocity, force and inverse mass of
/// the first, and so on; NORMALS(n, atom) is the n-th draw of the step for a particle, NOISE_OF(atom) its noise
/// amplitude, `thermostats` each particle's thermostat.
std::string operator_text(StepSequence const& sequence, std::size_t op, ClusterKind kind);

/// Velocity change per displacement when positions are constrained after an operator.
std::string rate_text(StepSequence const& sequence, std::size_t op);

/// Operators from `first` up to `end` for a small cluster, with constraints; position constraints end a section, since
/// a V after them needs new forces.
std::string act_on_cluster(StepSequence const& sequence, ClusterKind kind, std::size_t first, std::size_t end);

}  // namespace trotter::device
