// NonbondedForce on every backend: pairs, exceptions, reciprocal-space sums, and dispersion correction.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/common/forces/box_virial.hpp>
#include <trotter/core/request.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/kernel.hpp>
#include <trotter/physics/nonbonded_exceptions.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Mean energy of the pairs beyond the cutoff: a coefficient divided by the volume.
class DispersionCorrection {
public:
    explicit DispersionCorrection(NonbondedForce const& force) : force_(force) {}

    void update() { coefficient_.reset(); }
    double compute(HostState& host) {
        double const mean = energy(host);
        add_mean_energy(host, mean);
        return mean;
    }
    std::vector<TermEnergy> term_energies(HostState& host) {
        double const mean = energy(host);
        return mean == 0 ? std::vector<TermEnergy>{} : std::vector<TermEnergy>{{{}, mean, "dispersion correction"}};
    }

private:
    double energy(HostState const& host) {
        if (!coefficient_)
            coefficient_ = host.copies == 1 ? dispersion_coefficient(force_) : coefficient_of_copies(host.copies);
        return *coefficient_ / host.box.volume();
    }
    // Pairs of particles in different copies do not count.
    double coefficient_of_copies(int copies) const {
        NonbondedForce one = force_;
        one.particles.resize(force_.particles.size() / static_cast<std::size_t>(copies));
        std::erase_if(one.particle_offsets, [&](auto const& offset) {
            return static_cast<std::size_t>(offset.index) >= one.particles.size();
        });
        return copies * dispersion_coefficient(one);
    }

    NonbondedForce const& force_;
    std::optional<double> coefficient_;  // computed on first use
};

/// Combines the parts of the force, with the parameters of particles and exceptions at the current global parameters. A
/// backend provides only the pair loop.
template <Backend B, Precision P>
    requires requires { sizeof(NonbondedPairLoop<Engine<B, P>>); }
class Kernel<NonbondedForce, B, P> {
    using EngineType = Engine<B, P>;
    template <class Part> using PartKernel = detail::PartKernel<Part, EngineType>;

public:
    Kernel(NonbondedForce const& force, EngineType& engine, Registration who)
        : force_(checked(force, engine.host)),
          who_(who),
          interacting_(force_),
          with_offsets_(effective(force_, engine.host.parameters)),
          correction_(force_) {
        UsedMeshes meshes;
        std::vector<ReciprocalCharges> sums;
        for (auto const kind : {MeshKind::coulomb, MeshKind::dispersion})
            if (auto charges = reciprocal_charges(force_, kind, engine.host.box, memory_of(engine))) {
                (kind == MeshKind::coulomb ? meshes.pme : meshes.ljpme) = charges->mesh();
                charges->charges = charges_for(kind, particles());
                sums.push_back(std::move(*charges));
            }
        if (force.include_direct_space) {
            pairs_.emplace(NonbondedPairs{force_, particles(), meshes}, engine, who);
            exceptions_.emplace(From<NonbondedExceptions>{interacting_.terms(force_, engine.host.parameters), engine, who});
        }
        for (auto const& charges : sums) sums_.emplace_back(From<ReciprocalCharges>{charges, engine, who});
        version_ = engine.host.parameters.version();
    }
    Kernel(Kernel const&) = delete;
    Kernel& operator=(Kernel const&) = delete;

    double compute(EngineType& engine, Request const& request) {
        if (version_ != engine.host.parameters.version()) follow_parameters(engine);
        double energy = 0;
        if (pairs_) energy += pairs_->compute(engine, request);
        if (exceptions_) {
            auto const part = engine.host.threads.profile.part("exceptions");
            energy += engine.compute_part(exceptions_->kept, request);
        }
        for (auto& sum : sums_) energy += engine.compute_part(sum.kept, request);
        return energy;
    }
    double late_energy(EngineType& engine, Request const& request) {
        if (!request.energy) return 0;
        double energy = 0;
        for (auto& sum : sums_)
            if constexpr (requires { engine.late_energy(sum.kept, request); })
                energy += engine.late_energy(sum.kept, request);
        if (!pairs_ || !request.wants(who_.index, force_.force_group)) return energy;
        if constexpr (requires { pairs_->late_energy(engine); })
            energy += pairs_->late_energy(engine) + engine.late_energy(exceptions_->kept, request);
        return energy + correction_.compute(engine.host);
    }

    /// Updates parameters of particles, exceptions and offsets.
    void update(NonbondedForce const& force, EngineType& engine) {
        check_same_shape(force_, force);
        check_numbers(force);
        auto const& parameters = engine.host.parameters;
        auto particles = effective(force, parameters);
        bool const are_more = interacting_.take(force);
        if (exceptions_) {
            auto const terms = interacting_.terms(force, parameters);
            if (are_more)
                engine.replace_part(exceptions_->kept, terms, who_);
            else
                engine.update_part(exceptions_->kept, terms);
        }
        // The many exceptions are needed again only with offsets.
        if (force.particle_offsets.empty() && force.exception_offsets.empty())
            force_.particles = force.particles;
        else
            force_ = force;
        correction_.update();
        update_particles(std::move(particles), engine);
    }

    UsedMeshes meshes() const {
        UsedMeshes result;
        for (auto const& sum : sums_) {
            auto const& charges = sum.kept.charges();
            (charges.kind == MeshKind::coulomb ? result.pme : result.ljpme) = charges.mesh();
        }
        return result;
    }

    /// Calls `visit` for each part that exists.
    template <class Visit> void for_each_part(Visit const& visit) {
        if (pairs_) {
            visit(*pairs_);
            visit(correction_);
        }
        if (exceptions_) visit(exceptions_->kept);
        for (auto& sum : sums_) visit(sum.kept);
    }

private:
    template <class Part> using From = typename PartKernel<Part>::From;

    static NonbondedForce const& checked(NonbondedForce const& force, HostState& host) {
        check(force, host.particles.count(), host.box);
        for (auto const& parameter : force.global_parameters)
            host.parameters.declare(parameter.name, parameter.default_value);
        return force;
    }
    /// Memory for meshes [bytes].
    static double memory_of(EngineType const& engine) {
        if constexpr (requires { engine.memory(); })
            return engine.memory();
        else
            return memory_of_machine();
    }
    /// Particles with their offsets; empty if there are none.
    static std::vector<NonbondedForce::Particle> effective(NonbondedForce const& force, GlobalParameters const& parameters) {
        if (force.particle_offsets.empty()) return {};
        return effective_particles(force, parameters);
    }
    std::vector<NonbondedForce::Particle> const& particles() const {
        return force_.particle_offsets.empty() ? force_.particles : with_offsets_;
    }
    void follow_parameters(EngineType& engine) {
        auto const& parameters = engine.host.parameters;
        auto particles = effective(force_, parameters);
        if (exceptions_ && !force_.exception_offsets.empty())
            engine.update_part(exceptions_->kept, interacting_.terms(force_, parameters));
        if (!force_.particle_offsets.empty()) update_particles(std::move(particles), engine);
        version_ = parameters.version();
    }
    void update_particles(std::vector<NonbondedForce::Particle> with_offsets, EngineType& engine) {
        with_offsets_ = std::move(with_offsets);
        if (pairs_) pairs_->update(engine);
        for (auto& sum : sums_) engine.update_part(sum.kept, charges_for(sum.kept.charges().kind, particles()));
        version_ = engine.host.parameters.version();
    }

    NonbondedForce force_;  // its exceptions are stale after updates, unless there are offsets
    Registration who_;
    InteractingExceptions interacting_;
    std::vector<NonbondedForce::Particle> with_offsets_;  // empty without offsets
    DispersionCorrection correction_;
    std::optional<NonbondedPairLoop<EngineType>> pairs_;
    std::optional<PartKernel<NonbondedExceptions>> exceptions_;
    std::deque<PartKernel<ReciprocalCharges>> sums_;
    long version_ = -1;
};

}  // namespace trotter
