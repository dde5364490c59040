// Forces of several sets of force groups at the same positions, none computed twice.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <trotter/force_groups.hpp>
#include <trotter/host/integrators/known_forces.hpp>

namespace trotter::custom_integrator {

/// What is known of a set of force groups.
struct Knowledge {
    bool forces = false, energy = false, derivatives = false;

    bool covers(Knowledge const& need) const {
        return forces >= need.forces && energy >= need.energy && derivatives >= need.derivatives;
    }
    Knowledge operator|(Knowledge const& other) const {
        return {forces || other.forces, energy || other.energy, derivatives || other.derivatives};
    }
    Knowledge operator&(Knowledge const& other) const {
        return {forces && other.forces, energy && other.energy, derivatives && other.derivatives};
    }
    bool operator==(Knowledge const&) const = default;
};

/// Forces, energies and derivatives of sets of force groups, each computed when it is first needed and kept until
/// something changes that it depends on.
class GroupForces {
public:
    GroupForces(std::vector<ForceGroups> const& sets, std::size_t particles);

    /// Afterwards all that is in `needs` is known. What has to be evaluated for that is evaluated together with what is
    /// in `worth_knowing`.
    void provide(std::vector<Knowledge> const& needs, std::vector<Knowledge> const& worth_knowing, HostEngine& host,
                 ForceEvaluator const& evaluate);

    std::vector<Vec3<>> const& forces(int set, HostEngine const& host) const;
    double energy(int set) const { return at(set).energy; }
    /// 0 where no force has this derivative.
    double derivative(int set, std::string const& parameter) const;

    /// To be called when positions or parameters have changed.
    void forget();
    /// To be called before and after others may have changed anything.
    void remember(HostEngine& host);
    void forget_if_changed(HostEngine const& host);

private:
    struct Set {
        ForceGroups groups;
        Knowledge known{};
        std::vector<Vec3<>> forces{};  // where those in the engine are of another set
        double energy = 0;
        std::map<std::string, double> derivatives{};
    };
    Set const& at(int set) const { return sets_[static_cast<std::size_t>(set)]; }

    std::vector<Set> sets_;
    std::size_t in_engine_ = none;  // whose forces the engine has
    KnownForces known_;
    static constexpr std::size_t none = ~std::size_t{0};
};

}  // namespace trotter::custom_integrator
