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

#include <trotter/amoeba/device/hippo_kernels.hpp>
#include <trotter/amoeba/device/hippo_text.hpp>
#include <trotter/amoeba/device/multipole_kernels.hpp>
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
    static bool can_compute(HippoNonbondedForce const& force) { return force.extrapolation_coefficients.size() <= order_numbers.size(); }

    DeviceHippo(HippoNonbondedForce const& force, Engine& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          mesh_(mesh_of(MeshKind::coulomb)),
          dispersion_mesh_(mesh_of(MeshKind::dispersion)),
          first_sum_(engine.add_particle_sum()),
          energy_(engine.sums.add()),
          pair_energy_(engine.sums.add()),
          site_{four(engine), four(engine), four(engine)},
          own_{four(engine), four(engine), four(engine)},
          numbers_(four(engine)),
          orbitals_(engine.queue, 2 * engine.padded, engine.types.real_is_double),
          polarizability_(engine.queue, engine.padded, engine.types.real_is_double),
          fields_(four(engine)),
          dipoles_(engine.queue, 4 * engine.padded * std::max<std::size_t>(2 * orders(), 1), engine.types.real_is_double),
          induced_(four(engine)),
          on_mesh_(four(engine)),
          nothing_(four(engine)) {
        for (int n = 1; n < 6; ++n) engine.add_particle_sum();
        for (auto* const numbers : {&fields_, &dipoles_, &induced_, &on_mesh_, &nothing_}) numbers->clear(engine.queue);
        std::size_t const scale_count = 8 * std::max<std::size_t>(force_.exceptions.size(), 1);
        pairs_ = device::Array<Q, device::mm_int2>(engine.queue, scale_count / 8);
        scales_ = Numbers(engine.queue, scale_count, engine.types.real_is_double);
        upload(engine);
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
        return engine.total(energy_) + engine.total(pair_energy_) + (meshes_ ? own_energy(engine.host.box.volume()) : 0)
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
        upload(engine);
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
        auto const permanent = site_[0].download(engine.queue), induced = induced_.download(engine.queue);
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

    void upload(Engine& engine) {
        std::vector<double> a, b, c, d, e, alpha, scales;
        std::vector<device::mm_int4> definitions;
        std::vector<device::mm_int2> pairs;
        for (auto const& p : force_.particles) {
            auto const& q = p.quadrupole;
            a.insert(a.end(), {p.charge, p.dipole.x, p.dipole.y, p.dipole.z});
            b.insert(b.end(), {q[0], q[1], q[2], q[4]});
            c.insert(c.end(), {q[5], q[8], p.alpha, p.core_charge});
            d.insert(d.end(), {p.epsilon, p.damping, p.c6, p.pauli_k});
            e.insert(e.end(), {p.pauli_q, p.pauli_alpha});
            alpha.push_back(p.polarizability);
            definitions.push_back(definition_of(p));
        }
        for (auto const& x : force_.exceptions) {
            pairs.push_back({x.particle1, x.particle2});
            scales.insert(scales.end(), {x.multipole_multipole_scale, x.dipole_multipole_scale, x.dipole_dipole_scale,
                                         x.dispersion_scale, x.repulsion_scale, x.charge_transfer_scale, 0, 0});
        }
        for (auto* const numbers : {&a, &b, &c, &d}) numbers->resize(4 * engine.padded);
        e.resize(2 * engine.padded), alpha.resize(engine.padded);
        std::array const both{&a, &b, &c};
        for (std::size_t n = 0; n < 3; ++n) own_[n].upload(engine.queue, *both[n]), site_[n].upload(engine.queue, *both[n]);
        numbers_.upload(engine.queue, d);
        orbitals_.upload(engine.queue, e);
        polarizability_.upload(engine.queue, alpha);
        definitions_.upload(engine.queue, definitions);
        pairs_.upload(engine.queue, pairs);
        scales_.upload(engine.queue, scales);
    }
    // Particles that do not define the axes are left out: a fourth one would make a center chiral.
    static device::mm_int4 definition_of(HippoNonbondedForce::Particle const& p) {
        using Type = HippoNonbondedForce::AxisType;
        int const atoms = p.axis_type == Type::none     ? 0
                          : p.axis_type == Type::z_only ? 1
                          : p.axis_type == Type::z_then_x || p.axis_type == Type::bisector ? 2
                                                                                            : 3;
        return {static_cast<std::int32_t>(p.axis_type), atoms > 0 ? p.axis_z : -1, atoms > 1 ? p.axis_x : -1,
                atoms > 2 ? p.axis_y : -1};
    }

    HippoText text(Engine& engine) const { return {force_, mesh_.alpha, dispersion_mesh_.alpha, engine.types}; }
    // Parameters select formulas.
    std::array<std::string, 4> sources(Engine& engine) const {
        auto const text = this->text(engine);
        return {text.permanent_field(), text.induced_field(), text.forces(), text.frames()};
    }
    Interaction::Parameter parameter(std::string const& name, Numbers const& array) const {
        return {name, "real4", [&array] { return array.argument(); }, {}, {}};
    }
    Interaction interaction(std::string const& names, std::string text) const {
        Interaction result{.force = index_, .group = force_.force_group};
        result.range = {force_.uses_cutoff() ? force_.cutoff_distance : 0, force_.is_periodic(), partners()};
        result.text = std::move(text);
        result.parameters = {parameter("site_a", site_[0]), parameter("site_b", site_[1]), parameter("site_c", site_[2])};
        int number = first_sum_;
        for (char const name : names)
            for (char const axis : {'x', 'y', 'z'}) result.sums.push_back({std::string{name, axis}, number++});
        result.has_forces = false;
        result.sees_excluded = false;
        return result;
    }
    std::vector<std::vector<int>> partners() const {
        std::vector<std::vector<int>> result(force_.particles.size());
        for (auto const& exception : force_.exceptions) {
            result[static_cast<std::size_t>(exception.particle1)].push_back(exception.particle2);
            result[static_cast<std::size_t>(exception.particle2)].push_back(exception.particle1);
        }
        for (auto& list : result) std::ranges::sort(list);
        return result;
    }
    void make_stages(Engine& engine) {
        sources_ = sources(engine);
        field_stage_.emplace(interaction("e", sources_[0]));
        auto induction = interaction("e", sources_[1]);
        induction.parameters.erase(induction.parameters.begin(), induction.parameters.begin() + 2);
        induction.parameters.push_back({"dipole", "real4", [this] { return dipoles_.argument(); }, "real4",
                                        "dipole[order*PADDED_NUM_ATOMS + atom]"});
        induction.arguments = {{"int", "order", [this] { return device::argument_of(order_numbers[order_]); }}};
        induction_stage_.emplace(std::move(induction));
        auto forces = interaction("ft", sources_[2]);
        forces.arguments = {{"GLOBAL const real4* RESTRICT", "all_site_d", [this] { return numbers_.argument(); }},
                            {"GLOBAL const real2* RESTRICT", "all_site_e", [this] { return orbitals_.argument(); }},
                            {"GLOBAL const real4* RESTRICT", "all_induced", [this] { return induced_.argument(); }},
                            {"GLOBAL const real4* RESTRICT", "all_dipoles", [this] { return dipoles_.argument(); }}};
        forces.energy_accumulator = pair_energy_;
        force_stage_.emplace(std::move(forces));
    }

    void prepare(Engine& engine, bool with_energy) {
        for (auto* const stage : {&field_stage_, &induction_stage_, &force_stage_})
            (*stage)->prepare(device::PairSums::forces, engine);
        if (with_energy) (*force_stage_).prepare(device::PairSums::energies, engine), has_energies_ = true;
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
        find_moments_ = program.kernel("find_moments");
        induce_first_ = program.kernel("induce_first");
        induce_next_ = program.kernel("induce_next");
        add_orders_ = program.kernel("add_orders");
        finish_ = program.kernel("finish_hippo");
        special_field_ = program.kernel("special_field");
        special_induction_ = program.kernel("special_induction");
        special_forces_ = program.kernel("special_forces");
        is_compiled_ = true;
    }

    auto grid(Engine& engine) const { return device::grid_for(engine.queue.properties(), engine.host.size()); }
    void induce(Engine& engine) {
        auto& queue = engine.queue;
        device::launch(queue, find_moments_, grid(engine), engine.positions, definitions_, own_[0], own_[1], own_[2], site_[0],
                       site_[1], site_[2]);
        field_stage_->launch(device::PairSums::forces, engine);
        launch_special(engine, special_field_, false);
        if (meshes_) meshes_->find_of_moments(engine, site_[0], site_[1], site_[2]);
        device::launch(queue, induce_first_, grid(engine), engine.forces, site_[0], of_moments(), polarizability_, fields_,
                       dipoles_, on_mesh_);
        for (order_ = 0; order_ + 1 < orders(); ++order_) {
            induction_stage_->launch(device::PairSums::forces, engine);
            launch_special(engine, special_induction_, false);
            find_of_dipoles(engine);
            device::launch(queue, induce_next_, grid(engine), engine.forces, of_dipoles(), polarizability_, dipoles_, on_mesh_,
                           seconds(), order_numbers[order_]);
        }
        device::launch(queue, add_orders_, grid(engine), dipoles_, induced_, on_mesh_);
    }
    void find_forces(Engine& engine, bool with_energy) {
        force_stage_->launch(device::PairSums::forces, engine);
        if (with_energy) force_stage_->launch(device::PairSums::energies, engine);
        launch_special(engine, special_forces_, with_energy);
        find_of_dipoles(engine);
        device::launch(engine.queue, finish_, grid(engine), engine.forces, engine.forces, engine.positions, definitions_,
                       site_[0], site_[1], site_[2], of_moments(), of_dipoles(), seconds(), fields_, induced_, dipoles_,
                       engine.sums, static_cast<std::int32_t>(energy_), static_cast<std::int32_t>(with_energy));
    }
    void launch_special(Engine& engine, typename Q::Kernel& kernel, bool with_energy) {
        if (force_.exceptions.empty()) return;
        device::launch(engine.queue, kernel, device::grid_for(engine.queue.properties(), force_.exceptions.size()),
                       engine.forces, engine.positions, engine.box, pairs_, scales_,
                       static_cast<std::int32_t>(force_.exceptions.size()), site_[0], site_[1], site_[2], numbers_, orbitals_,
                       induced_, dipoles_, order_numbers[order_ < order_numbers.size() ? order_ : 0], engine.sums,
                       static_cast<std::int32_t>(energy_), static_cast<std::int32_t>(with_energy));
    }
    void find_of_dipoles(Engine& engine) {
        if (meshes_) meshes_->find_of_moments(engine, on_mesh_, nothing_, nothing_, derivatives_);
    }
    // Without a mesh kernels do not read these.
    Numbers const& of_moments() const { return meshes_ ? meshes_->of_moments() : nothing_; }
    Numbers const& of_dipoles() const { return meshes_ ? derivatives_ : nothing_; }
    Numbers const& seconds() const { return meshes_ ? seconds_ : on_mesh_; }

    // As the host's `Meshes::own_energy`.
    double own_energy(double volume) const {
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
    std::array<Numbers, 3> site_, own_;  // in the axes of space, and in the particles' axes
    Numbers numbers_, orbitals_, polarizability_, scales_;
    Numbers fields_, dipoles_, induced_;   // of permanent moments; by orders, and partners; in all
    Numbers on_mesh_, nothing_;            // dipoles as moments, and moments that are 0
    Numbers derivatives_, seconds_;        // of the mesh's potentials of dipoles
    device::Array<Q, device::mm_int2> pairs_;
    device::Array<Q, device::mm_int4> definitions_;
    static constexpr std::array<std::int32_t, 8> order_numbers{0, 1, 2, 3, 4, 5, 6, 7};  // launches refer to them
    std::size_t order_ = 0;  // whose field is computed
    std::array<std::string, 4> sources_;
    std::optional<device::PairStage<Q>> field_stage_, induction_stage_, force_stage_;
    std::optional<MultipoleMeshes<Q>> meshes_;
    std::optional<device::ReciprocalSum<Q>> dispersion_;
    bool is_compiled_ = false, has_energies_ = false;
    typename Q::Kernel find_moments_, induce_first_, induce_next_, add_orders_, finish_, special_field_, special_induction_,
        special_forces_;
};

}  // namespace trotter::amoeba
