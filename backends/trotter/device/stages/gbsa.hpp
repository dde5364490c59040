// Generalized Born solvent on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/stages/stages.hpp>
#include <trotter/device/text/traced.hpp>
#include <trotter/physics/gbsa_formula.hpp>

namespace trotter::device {

/// Generates kernel source from the formulas of the model.
class GbsaText {
public:
    // Scales of sums over partners, which are fixed-point numbers of 2^-32.
    static constexpr double integral_unit = 4096, slope_unit = 256;
    /// Parameters of the kernels over particles, `find_radii` and `sum_energies`.
    static constexpr char const
        *radius_parameters =
            "GLOBAL const mm_long* RESTRICT forces, GLOBAL const coordinate2* RESTRICT particles, GLOBAL real2* "
            "RESTRICT born, "
            "GLOBAL coordinate* RESTRICT radius_slopes, GLOBAL coordinate* RESTRICT own_slopes",
        *energy_parameters =
            "GLOBAL const mm_long* RESTRICT forces, GLOBAL const coordinate2* RESTRICT particles, "
            "GLOBAL coordinate* RESTRICT sums, int slot";

    /// `index`: the force's, used in function names, since several forces may share a loop.
    GbsaText(GBSAOBCForce const& force, int index, NumberTypes const& types) : force_(force), index_(index), types_(types) {}

    /// Adds pair contributions to Born integrals; `sizes` are reduced radius and scaled radius, and a series is used
    /// from `far` on.
    std::string integrals() const;
    /// Pair energies; `born` are Born radius and charge. `by_radius` receives the derivative by a Born radius, times
    /// the radius.
    std::string pairs() const;
    /// Chain-rule forces from the radii; `by_integral` is half the derivative of the energy by an integral.
    std::string chain() const;
    /// Lower bound of distances in integrals and chain, as a fraction of `far`.
    std::string least_distance_by_far() const;
    /// A function that returns a particle's Born radius, its derivative by the integral, and the self energy's
    /// derivative by the radius, in the given type: `real`, or the more precise `coordinate`.
    std::string radius_function(std::string const& type) const;
    /// Kernels over particles with charge and radius; a separate one for energies, so that the bits of the radii do not
    /// depend on whether these are requested.
    std::string particles(int integral_number) const;
    /// The derivative of all energies by the integral of the particle `atom`, once those by its Born radius are
    /// complete: from the results of find_radii, or from the sums alone.
    std::string by_integral(int by_radius_number) const;
    std::string by_integral(int integral_number, int by_radius_number) const;
    std::string slope_function(std::string const& type) const;
    /// Born radius and charge of the particle `atom`, from the sums alone.
    std::string born(int integral_number) const;

private:
    struct OfParticle {
        ValueAndSlope<Traced> born;
        Traced energy, by_radius;
    };
    OfParticle of_particle(Statements& s) const;
    // Declares the variables of `of_particle` from a sum and a particle in memory.
    static std::string numbers_of_particle(std::string const& type);
    std::string suffix(std::string const& type) const;
    // Contributions of a pair's particles to each other, as on1 and on2.
    std::string descreenings(Traced ValueAndSlope<Traced>::*part) const;
    Statements pair_statements() const { return {"temp", types_.real_suffix()}; }
    static Traced name(Statements& statements, std::string const& text) { return {statements, text}; }
    static std::string number(double value);
    std::string function(char const* name) const { return std::string(name) + '_' + std::to_string(index_); }

    GBSAOBCForce const& force_;
    int index_;
    NumberTypes types_;
};

/// Born radii from all pairs, then energies together with all other pairs, then chain-rule forces from the radii. For
/// few particles, radii are recomputed where needed: this is faster than a launch.
template <DeviceQueue Q> class Stages<GBSAOBCForce, Q> {
public:
    Stages(GBSAOBCForce const& force, Engine<Q>& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked_stages(force, engine.host)),
          own_accumulator_(engine.sums.add()),
          integral_number_(engine.add_particle_sum()),
          by_radius_number_(engine.add_particle_sum()),
          are_few_(engine.padded <= 1024),
          far_(engine.queue.version(), engine.types.real_is_double) {
        auto& queue = engine.queue;
        bool const is_double = engine.types.real_is_double, is_fine = engine.types.coordinate_is_double;
        sizes_ = NumberArray<Q>(queue, 2 * engine.padded, is_double);
        born_ = NumberArray<Q>(queue, 2 * engine.padded, is_double);
        particles_ = NumberArray<Q>(queue, 2 * engine.padded, is_fine);
        radius_slopes_ = NumberArray<Q>(queue, engine.padded, is_fine);
        own_slopes_ = NumberArray<Q>(queue, engine.padded, is_fine);
        born_.clear(queue);
        upload(engine);
        describe(engine);
    }
    Stages(Stages const&) = delete;
    Stages& operator=(Stages const&) = delete;

    void compute(Engine<Q>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        launches_.launch(engine, request, [&] {
            return GbsaText(force_, index_, engine.types).particles(integral_number_);
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) const {
        if (!request.energy || !request.wants(index_, force_.force_group)) return 0;
        return engine.total(own_accumulator_) + engine.total(engine.pairs.interaction(pairs_).energy_accumulator);
    }
    /// Updates per-particle parameters.
    void update(GBSAOBCForce const& force, Engine<Q>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same(force_, force);
        force_.particles = force.particles;
        upload(engine);
    }

private:
    void upload(Engine<Q>& engine) {
        // Padding has harmless sizes.
        std::vector<double> sizes, particles;
        for (auto const& particle : force_.particles) {
            sizes.insert(sizes.end(), {particle.reduced_radius(), particle.scaled_radius()});
            particles.insert(particles.end(), {particle.charge, particle.radius});
        }
        sizes.resize(2 * engine.padded);
        particles.resize(2 * engine.padded);
        double rho = 0, s = 0;
        for (std::size_t i = 0; i < sizes.size(); i += 2)
            rho = std::max(rho, sizes[i]), s = std::max(s, std::abs(sizes[i + 1]));
        far_ = std::max(3 * s, rho + s);
        sizes_.upload(engine.queue, sizes);
        particles_.upload(engine.queue, particles);
    }
    void describe(Engine<Q>& engine) {
        GbsaText const text(force_, index_, engine.types);
        PairRange const range{force_.uses_cutoff() ? force_.cutoff_distance : 0, force_.is_periodic(), {}};
        PairInteraction::Parameter const sizes{"sizes", "real2", [this] { return sizes_.argument(); }};
        auto const sums = [&engine] { return engine.forces.argument(); };
        PairInteraction::ExtraArgument const far{"real", "far", [this] { return far_.argument(); }};
        PairInteraction::ExtraArgument const particles{"GLOBAL const coordinate2* RESTRICT", "particles",
                                                   [this] { return particles_.argument(); }};
        PairInteraction pair{.force = index_, .group = force_.force_group}, integral, chain;
        integral.range = pair.range = chain.range = range;
        integral.alternatives = chain.alternatives = 2;  // near and far
        integral.text = text.integrals();
        integral.least_distance = chain.least_distance = {"far", text.least_distance_by_far()};
        integral.parameters = {sizes};
        integral.sums.push_back({"integral", integral_number_});
        integral.has_forces = false;
        pair.text = text.pairs();
        pair.sums.push_back({"by_radius", by_radius_number_});
        pair.energy_accumulator = engine.sums.add();
        chain.text = text.chain();
        integral.arguments = chain.arguments = {far};
        if (are_few_) {
            pair.functions = text.radius_function("real");
            pair.parameters.push_back({"born", "real2", sums, "mm_long", text.born(integral_number_)});
            pair.arguments = {particles};
            chain.functions = pair.functions + text.slope_function("real");
            chain.parameters = {
                sizes, {"by_integral", "real", sums, "mm_long", text.by_integral(integral_number_, by_radius_number_)}};
            chain.arguments.push_back(particles);
        } else {
            pair.parameters.push_back({"born", "real2", [this] { return born_.argument(); }, "", ""});
            chain.functions = text.slope_function("coordinate");
            chain.parameters = {sizes, {"by_integral", "real", sums, "mm_long", text.by_integral(by_radius_number_)}};
            chain.arguments.push_back(
                {"GLOBAL const coordinate* RESTRICT", "own_slopes", [this] { return own_slopes_.argument(); }});
            chain.arguments.push_back(
                {"GLOBAL const coordinate* RESTRICT", "radius_slopes", [this] { return radius_slopes_.argument(); }});
            chain.arguments.push_back({"GLOBAL const real2* RESTRICT", "born", [this] { return born_.argument(); }});
        }
        pairs_ = engine.pairs.add(std::move(pair));
        auto const of_particles = [this, &engine] {
            return list_for<ParameterList<GbsaText::energy_parameters>>(engine.forces, particles_, engine.sums,
                                                                        own_accumulator_);
        };
        auto const of_radii = [this, &engine] {
            return list_for<ParameterList<GbsaText::radius_parameters>>(engine.forces, particles_, born_,
                                                                        radius_slopes_, own_slopes_);
        };
        launches_.before.emplace_back(std::move(integral), engine);
        launches_.before.emplace_back("sum_energies", of_particles, true);
        if (!are_few_) launches_.before.emplace_back("find_radii", of_radii);
        launches_.after.emplace_back(std::move(chain), engine);
    }

    int index_;
    Box system_box_;
    GBSAOBCForce force_;
    std::int32_t const own_accumulator_;
    int integral_number_, by_radius_number_;
    bool are_few_;
    int pairs_ = -1;
    ChangingReal far_;
    NumberArray<Q> sizes_, born_, particles_, radius_slopes_, own_slopes_;
    StageLaunches<Q> launches_;
};

}  // namespace trotter::device
