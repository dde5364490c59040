// AmoebaTorsionTorsionForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/amoeba/torsion_torsion.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/terms/terms.hpp>

namespace trotter::amoeba {

/// Source of a term: its particles are the five of the chain and the one that gives the hand; its parameter is the grid.
/// `torsion_grids` has for each axis of each grid the first of its `torsion_angles` [degree], their number, and the first
/// of the grid's `torsion_knots`.
std::string torsion_torsion_text(bool is_periodic, std::string const& suffix);

/// Terms that are evaluated with all other terms of the Context.
template <device::DeviceQueue Q> class DeviceTorsionTorsions {
    using Engine = device::Engine<Q>;

public:
    static bool can_compute(AmoebaTorsionTorsionForce const&) { return true; }

    DeviceTorsionTorsions(AmoebaTorsionTorsionForce const& force, Engine& engine, Registration who)
        : index_(who.index), force_(checked(force, engine)) {
        upload(engine);
        kind_ = engine.terms.add(terms(engine));
    }
    DeviceTorsionTorsions(DeviceTorsionTorsions const&) = delete;
    DeviceTorsionTorsions& operator=(DeviceTorsionTorsions const&) = delete;

    void compute(Engine&, Request const&) {}
    double late_energy(Engine& engine, Request const& request) const {
        if (!request.energy || !request.wants(index_, force_.force_group)) return 0;
        return engine.total(engine.terms.kind(kind_).energy_accumulator);
    }
    /// Updates the energies of grids. Throws InputError if more has changed.
    void update(AmoebaTorsionTorsionForce const& force, Engine& engine) {
        checked(force, engine);
        auto const shape = [](AmoebaTorsionTorsionForce const& of) {
            std::vector<std::size_t> result{of.terms.size(), of.periodic, static_cast<std::size_t>(of.force_group)};
            for (auto const& term : of.terms) result.push_back(static_cast<std::size_t>(term.grid));
            for (auto const& grid : of.grids) result.insert(result.end(), {grid.first.size(), grid.second.size()});
            return result;
        };
        if (shape(force) != shape(force_) || particles_of(force) != particles_of(force_))
            throw InputError("more than the energies of grids has changed; a new Context is needed");
        force_ = force;
        upload(engine);
    }

private:
    static AmoebaTorsionTorsionForce const& checked(AmoebaTorsionTorsionForce const& force, Engine& engine) {
        check(force, engine.host.particles.count());
        if (engine.host.copies > 1) throw UnsupportedError("a batch of replicas has no AmoebaTorsionTorsionForce");
        return force;
    }
    static std::vector<std::int32_t> particles_of(AmoebaTorsionTorsionForce const& force) {
        std::vector<std::int32_t> result;
        for (auto const particle : AmoebaTorsionTorsionForce::particles)
            for (auto const& term : force.terms) result.push_back(term.*particle);
        for (auto const& term : force.terms) result.push_back(term.chiral >= 0 ? term.chiral : term.particle3);
        return result;
    }
    device::TermKind terms(Engine& engine) const {
        device::TermKind kind{.force = index_, .group = force_.force_group, .count = force_.terms.size()};
        kind.text = torsion_torsion_text(force_.periodic, engine.types.coordinate_suffix());
        kind.particles = particles_of(force_);
        for (auto const& term : force_.terms) kind.fields.push_back(term.grid);
        kind.arguments = {{"GLOBAL const int4* RESTRICT torsion_grids", device::argument_of(grids_)},
                          {"GLOBAL const coordinate* RESTRICT torsion_angles", device::argument_of(angles_)},
                          {"GLOBAL const coordinate4* RESTRICT torsion_knots", device::argument_of(knots_)}};
        kind.energy_accumulator = engine.sums.add();
        return kind;
    }
    void upload(Engine& engine) {
        std::vector<device::mm_int4> grids;
        std::vector<double> angles, knots;
        for (auto const& grid : force_.grids) {
            auto const first_knot = static_cast<std::int32_t>(knots.size() / 4);
            for (auto const* const axis : {&grid.first, &grid.second}) {
                grids.push_back({static_cast<std::int32_t>(angles.size()), static_cast<std::int32_t>(axis->size()), first_knot, 0});
                angles.insert(angles.end(), axis->begin(), axis->end());
            }
            for (auto const& [energy, by_first, by_second, mixed] : grid.knots)
                knots.insert(knots.end(), {energy, by_first, by_second, mixed});
        }
        grids.resize(std::max<std::size_t>(grids.size(), 1));
        angles.resize(std::max<std::size_t>(angles.size(), 1));
        knots.resize(std::max<std::size_t>(knots.size(), 4));
        if (kind_ < 0) {
            bool const is_double = engine.types.coordinate_is_double;
            grids_ = device::Array<Q, device::mm_int4>(engine.queue, grids.size());
            angles_ = device::NumberArray<Q>(engine.queue, angles.size(), is_double);
            knots_ = device::NumberArray<Q>(engine.queue, knots.size(), is_double);
        }
        grids_.upload(engine.queue, grids);
        angles_.upload(engine.queue, angles);
        knots_.upload(engine.queue, knots);
    }

    int index_, kind_ = -1;
    AmoebaTorsionTorsionForce force_;
    device::Array<Q, device::mm_int4> grids_;
    device::NumberArray<Q> angles_, knots_;
};

}  // namespace trotter::amoeba
