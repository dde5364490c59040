// The kernel of HippoNonbondedForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/common/fallback/define_host_kernel.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>

#include "axes.hpp"
#include "induced_dipoles.hpp"
#include "meshes.hpp"
#include "pair_interaction.hpp"
#include "pairs.hpp"

namespace trotter {
namespace amoeba::hippo {

/// Computes all interactions.
class HippoKernel {
public:
    HippoKernel(HippoNonbondedForce const& force, HostState& host, Registration)
        : force_(checked(force, host)),
          system_box_(host.box),
          pairs_(force),
          induced_(force.extrapolation_coefficients) {
        sites_.resize(force.particles.size());
        if (!force.is_periodic()) return;
        meshes_.emplace(force, host.box);
        splitting_ = {meshes_->multipoles().alpha,
                      meshes_->dispersion().alpha,
                      {force.switching_distance, force.cutoff_distance}};
    }

    double compute(HostEvaluation const& evaluation) {
        auto& host = evaluation.host;
        if (host.box_virial && force_.is_periodic())
            throw InputError("the virial of a HippoNonbondedForce is not computed; use finite differences of the energy");
        State const state{evaluation.positions, host.box, host.threads};
        place_sites(state);
        pairs_.update(state.positions, state.box, state.threads);
        if (meshes_) meshes_->place(state.positions, state.box, state.threads);
        find_mutual_functions(state);
        induce(state);
        sum_loads(state);
        double energy = polarization_energy();
        if (meshes_) energy += meshes_->add_loads(sites_, induced_, loads_, state.threads);
        for (auto const& load : loads_) energy += load.energy;
        add_forces(state, evaluation.forces);
        return energy;
    }

    void update(HippoNonbondedForce const& force, HostState& host) {
        check(force, host.particles.count(), system_box_);
        check_same_shape(force_, force);
        force_ = force;
        pairs_.set_exceptions(force);
    }

    HippoNonbondedForce::Dipoles answer() const {
        HippoNonbondedForce::Dipoles result{induced_.total(), {}};
        for (auto const& site : sites_) result.permanent.push_back(site.electrons.dipole);
        return result;
    }
    UsedMeshes meshes() const {
        if (!meshes_) return {};
        return {meshes_->multipoles(), meshes_->dispersion()};
    }

private:
    struct State {
        std::vector<Vec3<>> const& positions;
        Box const& box;
        Threads& threads;
    };
    static constexpr std::size_t grain = 16;              // particles of a task, each with hundreds of pairs
    static constexpr std::size_t most_stored = 1u << 25;  // of the functions of all pairs: half a gigabyte

    static HippoNonbondedForce const& checked(HippoNonbondedForce const& force, HostState const& host) {
        check(force, host.particles.count(), host.box);
        return force;
    }
    template <class Body> static void for_each_particle(State const& state, Body const& body) {
        state.threads.for_ranges(
            state.positions.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) body(i);
            },
            grain);
    }
    template <class Visit> void for_each_pair_of(State const& state, std::size_t i, Visit const& visit) const {
        pairs_.for_each(i, state.positions, state.box,
                        [&](std::size_t j, Vec3<> const& d, double r2, Scales const& scales) {
                            visit(j, Separation<>(d, r2, splitting_.alpha), scales);
                        });
    }

    void place_sites(State const& state) {
        for_each_particle(state, [&](std::size_t i) {
            auto const& particle = force_.particles[i];
            sites_[i] = {&particle, Axes(particle, i, state.positions).electrons(), {}};
        });
    }

    MutualFunctions<> mutual(std::size_t i, std::size_t j, Separation<> const& pair, Scales const& scales) const {
        auto const taken = mutual_penetration(sites_[i].of->alpha, sites_[j].of->alpha, pair.r);
        auto const functions = mutual_functions(taken, pair, scales);
        return {functions.b[1], functions.b[2]};
    }
    // Stores them for particles with few enough pairs.
    void find_mutual_functions(State const& state) {
        mutual_.resize(sites_.size());
        std::size_t const most = most_stored / std::max<std::size_t>(sites_.size(), 1);
        for_each_particle(state, [&](std::size_t i) {
            auto& functions = mutual_[i];
            functions.clear();
            bool fits = true;
            for_each_pair_of(state, i, [&](std::size_t j, Separation<> const& pair, Scales const& scales) {
                if (fits = fits && functions.size() < most; fits) functions.push_back(mutual(i, j, pair, scales));
            });
            if (!fits) functions = {};
        });
    }

    void induce(State const& state) {
        std::vector<Vec3<>> field(sites_.size()), dipoles(sites_.size());
        if (meshes_) meshes_->add_permanent_field(sites_, field, state.threads);
        for_each_particle(state, [&](std::size_t i) {
            for_each_pair_of(state, i, [&](std::size_t j, Separation<> const& pair, Scales const& scales) {
                field[i] -= permanent_gradient(sites_[j], pair, scales);
            });
            dipoles[i] = field[i] * force_.particles[i].polarizability;
        });
        permanent_field_ = field;
        for (std::size_t n = 0; n < induced_.orders(); ++n) {
            induced_.set_order(n, dipoles);
            if (n + 1 < induced_.orders()) dipoles = next_order(state, n, dipoles);
        }
        induced_.finish(sites_.size());
        for (std::size_t i = 0; i < sites_.size(); ++i) sites_[i].induced = induced_.total()[i];
    }
    std::vector<Vec3<>> next_order(State const& state, std::size_t n, std::vector<Vec3<>> const& dipoles) {
        std::vector<Vec3<>> result(sites_.size());
        if (meshes_) meshes_->add_induced_field(n, dipoles, result, state.threads);
        for_each_particle(state, [&](std::size_t i) {
            auto& field = result[i];
            if (!mutual_[i].empty()) {
                auto functions = mutual_[i].begin();
                pairs_.for_each(i, state.positions, state.box,
                                [&](std::size_t j, Vec3<> const& d, double, Scales const&) {
                                    field -= (functions++)->gradient(dipoles[j], d);
                                });
            } else {
                for_each_pair_of(state, i, [&](std::size_t j, Separation<> const& pair, Scales const& scales) {
                    field -= mutual(i, j, pair, scales).gradient(dipoles[j], pair.d);
                });
            }
            field *= force_.particles[i].polarizability;
        });
        return result;
    }
    double polarization_energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < sites_.size(); ++i) sum += dot(permanent_field_[i], sites_[i].induced);
        return -constants::coulomb / 2 * sum;
    }

    // The mesh of dispersion, which takes one thread, is the first task.
    void sum_loads(State const& state) {
        loads_.assign(sites_.size(), {});
        int const others = meshes_ ? 1 : 0, ranges = static_cast<int>((sites_.size() + grain - 1) / grain);
        state.threads.run(others + ranges, [&](int task) {
            if (task < others) return meshes_->find_dispersion(sites_);
            std::size_t const begin = static_cast<std::size_t>(task - others) * grain;
            for (std::size_t i = begin; i < std::min(begin + grain, sites_.size()); ++i)
                loads_[i] = load_of_pairs(state, i);
        });
    }
    Load<> load_of_pairs(State const& state, std::size_t i) const {
        Load<> charges, others;
        for_each_pair_of(state, i, [&](std::size_t j, Separation<> const& pair, Scales const& scales) {
            Site<> const &one = sites_[i], &other = sites_[j];
            auto const taken = penetrations(one.of->alpha, other.of->alpha, pair.r);
            add_electrostatics(one, other, pair, taken, scales, charges);
            auto const functions = mutual_functions(taken.both, pair, scales);
            for (std::size_t n = 0; n + 1 < induced_.orders(); ++n)
                charges.force +=
                    force_between_dipoles(induced_.of_order(n)[i], induced_.partners(n)[j], pair.d, functions);
            if (double const strength = one.of->pauli_k * other.of->pauli_k * scales.repulsion_scale; strength != 0)
                add_repulsion(one, other, pair, squared_overlap(one.of->pauli_alpha, other.of->pauli_alpha, pair.r),
                              splitting_.tapering, strength, others);
            add_scalar_terms(one, other, pair.r, pair.d, taken.both, splitting_, scales, others);
        });
        charges = charges * constants::coulomb;
        return charges += others;
    }

    // Adds the forces on the particles and on those of their axes.
    void add_forces(State const& state, std::vector<Vec3<>>& forces) const {
        std::vector<std::array<Vec3<>, 3>> turning(sites_.size());
        for_each_particle(state, [&](std::size_t i) {
            forces[i] += loads_[i].force;
            turning[i] = Axes(force_.particles[i], i, state.positions).gradient(loads_[i]);
        });
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            auto const& particle = force_.particles[i];
            auto const atoms = std::array{particle.axis_z, particle.axis_x, particle.axis_y};
            for (std::size_t n = 0; n < Axes::atoms(particle.axis_type); ++n) {
                forces[static_cast<std::size_t>(atoms[n])] -= turning[i][n];
                forces[i] += turning[i][n];
            }
        }
    }

    HippoNonbondedForce force_;
    Box system_box_;
    Pairs pairs_;
    Splitting splitting_;
    std::optional<Meshes> meshes_;
    InducedDipoles induced_;
    std::vector<Site<>> sites_;
    std::vector<std::vector<MutualFunctions<>>> mutual_;  // of each particle's pairs; empty if there are too many
    std::vector<Vec3<>> permanent_field_;
    std::vector<Load<>> loads_;
};

}  // namespace amoeba::hippo

template <> class HostKernel<HippoNonbondedForce>::Implementation : public amoeba::hippo::HippoKernel {
    using HippoKernel::HippoKernel;
};
template class HostKernel<HippoNonbondedForce>;
template HippoNonbondedForce::Answer HostKernel<HippoNonbondedForce>::answer<HippoNonbondedForce>() const;

}  // namespace trotter
