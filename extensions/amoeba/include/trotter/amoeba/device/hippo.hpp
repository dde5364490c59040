// HippoNonbondedForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/device/hippo_particles.hpp>
#include <trotter/amoeba/device/hippo_text.hpp>
#include <trotter/amoeba/device/kernels/forces.hpp>
#include <trotter/amoeba/device/kernels/hippo.hpp>
#include <trotter/amoeba/device/kernels/sites.hpp>
#include <trotter/amoeba/device/multipole_mesh.hpp>
#include <trotter/amoeba/device/multipole_text.hpp>
#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/mesh/reciprocal_sum.hpp>
#include <trotter/device/pairs/pair_stage.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>

namespace trotter::amoeba {

/// Fields, induced dipoles and forces by loops over pairs and meshes, all on the device and without waiting for it.
template <device::DeviceQueue Q> class DeviceHippo {
    using Engine = device::Engine<Q>;
    using Numbers = device::NumberArray<Q>;
    using Interaction = device::PairInteraction;

public:
    /// Source is generated for each order of the induced dipoles.
    static bool can_compute(HippoNonbondedForce const& force) {
        return force.extrapolation_coefficients.size() <= order_numbers.size();
    }

    DeviceHippo(HippoNonbondedForce const& force, Engine& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          mesh_(mesh_of(MeshKind::coulomb)),
          dispersion_mesh_(mesh_of(MeshKind::dispersion)),
          first_sum_(engine.add_particle_sum()),
          energy_(engine.sums.add()),
          pair_energy_(engine.sums.add()),
          particles_(engine, force_),
          fields_(four(engine)),
          dipoles_(engine.queue, 4 * engine.padded * std::max<std::size_t>(2 * orders(), 1),
                   engine.types.real_is_double),
          induced_(four(engine)),
          on_mesh_(four(engine)),
          nothing_(four(engine)) {
        for (int n = 1; n < 6; ++n) engine.add_particle_sum();
        for (auto* const numbers : {&fields_, &dipoles_, &induced_, &on_mesh_, &nothing_}) numbers->clear(engine.queue);
        make_stages(engine);
        if (force_.is_periodic())
            dispersion_.emplace(ReciprocalCharges{.kind = MeshKind::dispersion,
                                                  .method = dispersion_mesh_,
                                                  .charges = dispersion_charges(),
                                                  .force_group = force_.force_group,
                                                  .direct_force_group = force_.force_group},
                                engine, who);
    }
    DeviceHippo(DeviceHippo const&) = delete;
    DeviceHippo& operator=(DeviceHippo const&) = delete;

    void compute(Engine& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        prepare(engine, request.energy);
        if (dispersion_) dispersion_->compute(engine, request);
        induce(engine);
        find_forces(engine, request.energy);
    }
    double late_energy(Engine& engine, Request const& request) const {
        if (!request.energy || !request.wants(index_, force_.force_group)) return 0;
        return engine.total(energy_) + engine.total(pair_energy_) + (meshes_ ? self_energy(engine.host.box.volume()) : 0)
               + (dispersion_ ? dispersion_->late_energy(engine, request) : 0);
    }
    /// Updates parameters of particles and exceptions. Throws InputError if more has changed.
    void update(HippoNonbondedForce const& force, Engine& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same_shape(force_, force);
        auto const same_pair = [](auto const& a, auto const& b) {
            return a.particle1 == b.particle1 && a.particle2 == b.particle2;
        };
        if (!std::ranges::equal(force_.exceptions, force.exceptions, same_pair))
            throw InputError("the pairs of exceptions have changed; a new Context is needed");
        force_ = force;
        particles_.upload(engine, force_);
        if (dispersion_) dispersion_->set_charges(dispersion_charges(), engine);
        if (sources(engine) != sources_) replace_kernels(engine);
    }

    UsedMeshes meshes() const {
        if (!force_.is_periodic()) return {};
        return {.pme = mesh_, .ljpme = dispersion_mesh_};
    }
    /// Dipoles of the last evaluation.
    HippoNonbondedForce::Dipoles answer(Engine& engine) const {
        HippoNonbondedForce::Dipoles result;
        auto const permanent = particles_.site[0].download(engine.queue), induced = induced_.download(engine.queue);
        for (std::size_t i = 0; i < force_.particles.size(); ++i) {
            result.induced.push_back({induced[4 * i], induced[4 * i + 1], induced[4 * i + 2]});
            result.permanent.push_back({permanent[4 * i + 1], permanent[4 * i + 2], permanent[4 * i + 3]});
        }
        return result;
    }

private:
    static HippoNonbondedForce const& checked(HippoNonbondedForce const& force, Engine& engine) {
        check(force, engine.host.particles.count(), engine.host.box);
        if (engine.host.copies > 1) throw UnsupportedError("a batch of replicas has no HippoNonbondedForce");
        return force;
    }
    MeshSettings mesh_of(MeshKind kind) const {
        if (!force_.is_periodic()) return {};
        return chosen_mesh(kind, kind == MeshKind::coulomb ? force_.pme : force_.dispersion_pme,
                           {force_.cutoff_distance, force_.ewald_error_tolerance}, system_box_);
    }
    static Numbers four(Engine& engine) { return {engine.queue, 4 * engine.padded, engine.types.real_is_double}; }
    std::size_t orders() const { return force_.extrapolation_coefficients.size(); }
    std::vector<double> dispersion_charges() const {
        std::vector<double> result;
        for (auto const& particle : force_.particles) result.push_back(particle.c6);
        return result;
    }

    HippoText text(Engine& engine) const { return {force_, mesh_.alpha, dispersion_mesh_.alpha, engine.types}; }
    // Parameters select formulas.
    std::array<std::string, 5> sources(Engine& engine) const {
        auto const text = this->text(engine);
        return {text.permanent_field(), text.induced_field(), text.forces(), text.energies(), text.frames()};
    }
    Interaction::Parameter parameter(std::string const& name, Numbers const& array) const {
        return {name, "real4", [&array] { return array.argument(); }, {}, {}};
    }
    Interaction interaction(std::string const& names, std::string text) const {
        Interaction result{.force = index_, .group = force_.force_group};
        result.range = {force_.uses_cutoff() ? force_.cutoff_distance : 0, force_.is_periodic(), partners_of(force_)};
        result.text = std::move(text);
        result.parameters = {parameter("site_a", particles_.site[0]), parameter("site_b", particles_.site[1]),
                             parameter("site_c", particles_.site[2])};
        int number = first_sum_;
        for (char const name : names)
            for (char const axis : {'x', 'y', 'z'}) result.sums.push_back({std::string{name, axis}, number++});
        result.has_forces = false;
        result.sees_excluded = false;
        return result;
    }
    void make_stages(Engine& engine) {
        sources_ = sources(engine);
        field_stage_.emplace(interaction("e", sources_[0]), engine);
        auto induction = interaction("e", sources_[1]);
        induction.parameters.erase(induction.parameters.begin(), induction.parameters.begin() + 2);
        induction.parameters.push_back({"dipole", "real4", [this] { return dipoles_.argument(); }, "real4",
                                        "dipole[order*PADDED_NUM_ATOMS + atom]"});
        induction.arguments = {{"int", "order", [this] { return device::argument_of(order_numbers[order_]); }}};
        induction_stage_.emplace(std::move(induction), engine);
        auto forces = interaction("ft", sources_[2]);
        forces.arguments = {
            {"GLOBAL const real4* RESTRICT", "all_site_d", [this] { return particles_.numbers.argument(); }},
            {"GLOBAL const real2* RESTRICT", "all_site_e", [this] { return particles_.orbitals.argument(); }},
            {"GLOBAL const real4* RESTRICT", "all_induced", [this] { return induced_.argument(); }},
            {"GLOBAL const real4* RESTRICT", "all_dipoles", [this] { return dipoles_.argument(); }}};
        force_stage_.emplace(forces, engine);
        auto energies = interaction("", sources_[3]);
        energies.arguments.assign(forces.arguments.begin(), forces.arguments.begin() + 2);
        energies.energy_accumulator = pair_energy_;
        energy_stage_.emplace(std::move(energies), engine);
    }

    void prepare(Engine& engine, bool with_energy) {
        for (auto* const stage : {&field_stage_, &induction_stage_, &force_stage_})
            if (stage != &induction_stage_ || orders() > 1) (*stage)->prepare(device::PairSums::forces, engine);
        if (with_energy) energy_stage_->prepare(device::PairSums::energies, engine), has_energies_ = true;
        if (!is_compiled_) compile(engine);
    }
    // Recorded steps do not call `prepare`.
    void replace_kernels(Engine& engine) {
        make_stages(engine);
        engine.queue.version().advance();
        if (!std::exchange(is_compiled_, false)) return;
        prepare(engine, has_energies_);
    }
    double self_field() const { return 4 * std::pow(mesh_.alpha, 3) / (3 * std::sqrt(std::numbers::pi)); }
    void compile(Engine& engine) {
        std::size_t const mesh_orders = std::max<std::size_t>(orders(), 1) - 1;
        if (force_.is_periodic() && !meshes_) {
            meshes_.emplace(engine, mesh_, MultipoleText(mesh_.alpha, engine.types), false);
            derivatives_ = Numbers(engine.queue, 20 * engine.padded, engine.types.real_is_double);
            seconds_ = Numbers(engine.queue, std::max<std::size_t>(6 * mesh_orders, 1) * engine.padded,
                               engine.types.real_is_double);
        }
        auto const text = this->text(engine);
        std::string source = "#define FIRST_SUM " + std::to_string(first_sum_) + "\n#define COULOMB "
                             + number_text(constants::coulomb) + "\n#define SELF_FIELD " + number_text(self_field())
                             + "\n#define MESH_ORDERS " + std::to_string(mesh_orders) + '\n';
        if (meshes_) source += "#define HAS_MESH\n";
        source += std::string(kernels::sites) + text.frames() + kernels::forces + text.combine() + kernels::hippo
                  + text.special_pairs();
        auto program = engine.compile(source);
        moments_.take(program);
        kernels_.take(program);
        special_field_.take(program, "special_field");
        special_induction_.take(program, "special_induction");
        special_forces_.take(program, "special_forces");
        is_compiled_ = true;
    }

    auto grid(Engine& engine) const { return device::grid_for(engine.queue.properties(), engine.host.size()); }
    void induce(Engine& engine) {
        auto& queue = engine.queue;
        device::launch<"find_moments">(queue, moments_, grid(engine), engine.positions, particles_.definition,
                                       particles_.own[0], particles_.own[1], particles_.own[2], particles_.site[0],
                                       particles_.site[1], particles_.site[2]);
        field_stage_->launch(device::PairSums::forces, engine);
        launch_special(engine, special_field_, false);
        if (meshes_) {
            meshes_->make_clear(engine);
            meshes_->find_of_moments(engine, particles_.site[0], particles_.site[1], particles_.site[2]);
        }
        device::launch<"induce_first">(queue, kernels_, grid(engine), engine.forces, particles_.site[0], of_moments(),
                                       particles_.polarizability, fields_, dipoles_, on_mesh_);
        for (order_ = 0; order_ + 1 < orders(); ++order_) {
            induction_stage_->launch(device::PairSums::forces, engine);
            launch_special(engine, special_induction_, false);
            find_of_dipoles(engine);
            device::launch<"induce_next">(queue, kernels_, grid(engine), engine.forces, of_dipoles(),
                                          particles_.polarizability, dipoles_, on_mesh_, seconds(),
                                          order_numbers[order_]);
        }
        device::launch<"add_orders">(queue, kernels_, grid(engine), dipoles_, induced_, on_mesh_);
    }
    void find_forces(Engine& engine, bool with_energy) {
        force_stage_->launch(device::PairSums::forces, engine);
        if (with_energy) energy_stage_->launch(device::PairSums::energies, engine);
        launch_special(engine, special_forces_, with_energy);
        find_of_dipoles(engine);
        device::launch<"finish_hippo">(engine.queue, kernels_, grid(engine), engine.forces, engine.forces,
                                       engine.positions, particles_.definition, particles_.site[0], particles_.site[1],
                                       particles_.site[2], of_moments(), of_dipoles(), seconds(), fields_, induced_,
                                       dipoles_, engine.sums, static_cast<std::int32_t>(energy_),
                                       static_cast<std::int32_t>(with_energy));
    }
    using SpecialKernel = device::TypedKernel<Q, device::ParameterList<HippoText::special_parameters>>;

    void launch_special(Engine& engine, SpecialKernel& kernel, bool with_energy) {
        if (force_.exceptions.empty()) return;
        kernel.launch(engine.queue, device::grid_for(engine.queue.properties(), force_.exceptions.size()),
                      engine.forces, engine.positions, engine.box, particles_.pairs, particles_.scales,
                      static_cast<std::int32_t>(force_.exceptions.size()), particles_.site[0], particles_.site[1],
                      particles_.site[2], particles_.numbers, particles_.orbitals, induced_, dipoles_,
                      order_numbers[order_ < order_numbers.size() ? order_ : 0], engine.sums,
                      static_cast<std::int32_t>(energy_), static_cast<std::int32_t>(with_energy));
    }
    void find_of_dipoles(Engine& engine) {
        if (meshes_) meshes_->find_of_moments(engine, on_mesh_, nothing_, nothing_, derivatives_);
    }
    // Without a mesh kernels do not read these.
    Numbers const& of_moments() const { return meshes_ ? meshes_->of_moments() : nothing_; }
    Numbers const& of_dipoles() const { return meshes_ ? derivatives_ : nothing_; }
    Numbers const& seconds() const { return meshes_ ? seconds_ : on_mesh_; }

    // As the host's `Meshes::self_energy`.
    double self_energy(double volume) const {
        double const alpha = mesh_.alpha, square = 2 * alpha * alpha, pi = std::numbers::pi;
        double sum = 0, charge = 0;
        for (auto const& p : force_.particles) {
            double quadrupole = 0;
            for (double const x : p.quadrupole) quadrupole += x * x;
            sum += p.charge * p.charge + square * (dot(p.dipole, p.dipole) / 3 + 2 * square * quadrupole / 5);
            charge += p.charge;
        }
        return -constants::coulomb * (alpha / std::sqrt(pi) * sum + pi * charge * charge / (square * volume));
    }

    int index_;
    Box system_box_;
    HippoNonbondedForce force_;
    MeshSettings mesh_, dispersion_mesh_;
    int first_sum_, energy_, pair_energy_;
    HippoParticles<Q> particles_;
    Numbers fields_, dipoles_, induced_;  // of permanent moments; by orders, and partners; in all
    Numbers on_mesh_, nothing_;           // dipoles as moments, and moments that are 0
    Numbers derivatives_, seconds_;       // of the mesh's potentials of dipoles
    static constexpr std::array<std::int32_t, 8> order_numbers{0, 1, 2, 3, 4, 5, 6, 7};  // launches refer to them
    std::size_t order_ = 0;                                                              // whose field is computed
    std::array<std::string, 5> sources_;
    std::optional<device::PairStage<Q>> field_stage_, induction_stage_, force_stage_, energy_stage_;
    std::optional<MultipoleMeshes<Q>> meshes_;
    std::optional<device::ReciprocalSum<Q>> dispersion_;
    bool is_compiled_ = false, has_energies_ = false;
    device::SourceKernels<Q, kernels::forces> moments_;
    device::SourceKernels<Q, kernels::hippo> kernels_;
    SpecialKernel special_field_, special_induction_, special_forces_;
};

}  // namespace trotter::amoeba
