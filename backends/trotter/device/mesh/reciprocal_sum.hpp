// Reciprocal-space sums on a device, by particle mesh or plain Ewald.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/core/request.hpp>
#include <trotter/device/mesh/ewald.hpp>
#include <trotter/device/mesh/fft_plan.hpp>
#include <trotter/device/mesh/mesh.hpp>
#include <trotter/device/mesh/mesh_text.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/terms/terms.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/registration.hpp>

namespace trotter::device {

/// Reciprocal-space sum over the charges of one force or part of one; terms subtract excluded pairs.
template <DeviceQueue Q> class ReciprocalSum {
public:
    ReciprocalSum(ReciprocalCharges const& charges, Engine<Q>& engine, Registration who)
        : stated_(made_fast(checked(charges, engine))),
          index_(who.index),
          charges_(engine.queue, engine.padded, engine.types.real_is_double),
          accumulator_(engine.sums.add()) {
        if (auto const* const mesh = std::get_if<MeshSettings>(&stated_.method))
            mesh_.emplace(engine, *mesh, stated_.kind);
        else
            ewald_.emplace(engine, std::get<EwaldSplitting>(stated_.method));
        if (!stated_.exclusions.empty()) excluded_ = engine.terms.add(excluded_terms(engine));
        set_charges(stated_.charges, engine);
    }
    ReciprocalSum(ReciprocalSum const&) = delete;
    ReciprocalSum& operator=(ReciprocalSum const&) = delete;

    ReciprocalCharges const& charges() const { return stated_; }

    /// Launches the sum concurrently with the work that follows until the engine's `join`.
    void compute(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, stated_.force_group)) return;
        prepare(engine);
        auto const& order = engine.pairs.order(engine);
        engine.beside([&] {
            if (ewald_) ewald_->launch(engine, charges_, accumulator_, request.energy);
            if (mesh_) mesh_->launch(engine, charges_, order, accumulator_, request.energy);
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) const {
        if (!request.energy) return 0;
        double energy = 0;
        if (request.wants(index_, stated_.force_group))
            energy += engine.total(accumulator_) + constant_.energy(engine.host.box.volume());
        if (excluded_ >= 0 && request.wants(index_, stated_.direct_force_group))
            energy += engine.total(engine.terms.kind(excluded_).energy_accumulator);
        return energy;
    }

    /// Throws InputError if anything but the charges has changed.
    void update(ReciprocalCharges const& charges, Engine<Q>& engine) {
        check_same_shape(stated_, checked(charges, engine));
        set_charges(charges.charges, engine);
    }
    void set_charges(std::vector<double> charges, Engine<Q>& engine) {
        stated_.charges = std::move(charges);
        constant_ = reciprocal_constant(stated_);
        constant_.background /= engine.host.copies;  // each copy has its own
        numbers_ = stated_.charges;
        if (stated_.kind == MeshKind::coulomb)
            for (double& number : numbers_) number *= std::sqrt(constants::coulomb);
        numbers_.resize(engine.padded);
        charges_.upload(engine.queue, numbers_);
        if (!mesh_) return;
        mesh_->charges_changed();
        if (mesh_->launches() > 0) prepare(engine);  // recorded steps do not
    }

private:
    static ReciprocalCharges const& checked(ReciprocalCharges const& charges, Engine<Q>& engine) {
        check(charges, engine.host.particles.count(), static_cast<double>(engine.queue.properties().memory));
        if (engine.host.copies > 1 && std::holds_alternative<EwaldSplitting>(charges.method))
            throw UnsupportedError("a batch of replicas has no plain Ewald sum; the method PME gives the same forces");
        return charges;
    }
    // Enlarges mesh sizes for the FFT, like OpenMM's GPU platforms.
    static ReciprocalCharges made_fast(ReciprocalCharges charges) {
        if (auto* const mesh = std::get_if<MeshSettings>(&charges.method); mesh && charges.may_be_finer)
            for (int* const size : {&mesh->nx, &mesh->ny, &mesh->nz}) *size = fast_size(*size);
        return charges;
    }
    void prepare(Engine<Q>& engine) {
        if (mesh_) mesh_->prepare(engine, numbers_);
    }
    TermKind excluded_terms(Engine<Q>& engine) const {
        TermKind kind{.force = index_, .group = stated_.direct_force_group, .count = stated_.exclusions.size()};
        std::string const name = "charges" + std::to_string(accumulator_);
        kind.text = excluded_pair_text(stated_, name, engine.types.real_is_double);
        for (auto const& pair : stated_.exclusions) kind.particles.push_back(pair.particle1);
        for (auto const& pair : stated_.exclusions) kind.particles.push_back(pair.particle2);
        kind.arguments = {{"GLOBAL const real* RESTRICT " + name, argument_of(charges_)}};
        kind.energy_accumulator = engine.sums.add();
        return kind;
    }

    ReciprocalCharges stated_;  // at the present values of the global parameters
    int index_;
    ReciprocalConstant constant_;
    std::vector<double> numbers_;  // charges as on the device
    NumberArray<Q> charges_;
    int accumulator_, excluded_ = -1;
    std::optional<EwaldSum<Q>> ewald_;
    std::optional<ParticleMesh<Q>> mesh_;
};

}  // namespace trotter::device
