// AmoebaMultipoleForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/amoeba/device/induced_dipoles.hpp>
#include <trotter/amoeba/device/kernels/forces.hpp>
#include <trotter/amoeba/device/kernels/sites.hpp>
#include <trotter/amoeba/device/kernels/solver.hpp>
#include <trotter/amoeba/device/multipole_mesh.hpp>
#include <trotter/amoeba/device/multipole_text.hpp>
#include <trotter/amoeba/device/special_pairs.hpp>
#include <trotter/amoeba/multipole.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/pairs/pair_stage.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>

namespace trotter::amoeba {

/// Fields, induced dipoles and forces by loops over pairs and the mesh, all on the device.
template <device::DeviceQueue Q> class DeviceMultipoles {
    using Engine = device::Engine<Q>;
    using Numbers = device::NumberArray<Q>;
    using Interaction = device::PairInteraction;

public:
    /// Not with an implicit solvent, and not by extrapolation.
    static bool can_compute(AmoebaMultipoleForce const& force) {
        return !force.solvent && force.polarization != AmoebaMultipoleForce::Polarization::extrapolated;
    }

    DeviceMultipoles(AmoebaMultipoleForce const& force, Engine& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          mesh_(mesh_of(force_, system_box_)),
          text_(mesh_.alpha, engine.types, force.cutoff_distance),
          special_(force.multipoles),
          site_{four(engine), four(engine), four(engine)},
          own_{four(engine), four(engine), four(engine)},
          polarizability_(engine.queue, engine.padded, engine.types.real_is_double),
          field_(engine),
          dipoles_(engine),
          history_(engine, parts(engine)),
          energy_(engine.sums.add()),
          field_stage_(field_interaction(engine), engine),
          induction_stage_(induction_interaction(engine), engine),
          force_stage_(force_interaction(engine), engine) {
        engine.host_forces.expect();  // the solver waits for the device, which a recording cannot
        pairs_ = device::Array<Q, device::mm_int2>(engine.queue, std::max<std::size_t>(special_.pairs.size(), 1));
        scales_ = four(engine, std::max<std::size_t>(special_.pairs.size(), 1));
        upload(engine);
    }
    DeviceMultipoles(DeviceMultipoles const&) = delete;
    DeviceMultipoles& operator=(DeviceMultipoles const&) = delete;

    void compute(Engine& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return;
        prepare(engine, request);
        auto const guess = are_mutual() ? history_.begin(engine) : typename DipoleHistory<Q>::Guess{};
        history_.find_shares(engine, guess, polarizability_, field_, dipoles_);
        find_fields(engine, guess);
        iterations_ = force_.polarization == AmoebaMultipoleForce::Polarization::mutual
                          ? solver_->solve(engine, polarizability_, field_, dipoles_, force_.mutual_target_epsilon,
                                           force_.mutual_max_iterations, [&](auto const& sets) { launch_field(engine, sets); })
                          : 0;
        history_.complete(engine);
        find_forces(engine, request);
    }
    double late_energy(Engine& engine, Request const& request) const {
        if (!request.energy || !request.wants(index_, force_.force_group)) return 0;
        return engine.total(energy_) + engine.total(force_stage_.interaction().energy_accumulator)
               + ewald_constant(engine.host.box.volume());
    }
    /// Updates moments and polarizabilities. Throws InputError if more has changed.
    void update(AmoebaMultipoleForce const& force, Engine& engine) {
        checked(force, engine);
        auto const settings = [&](AmoebaMultipoleForce const& of) {
            auto const mesh = mesh_of(of, system_box_);
            return std::tuple(of.method, of.polarization, of.is_periodic() ? of.cutoff_distance : 0, mesh.alpha, mesh.nx, mesh.ny,
                              mesh.nz, axes_of(of));
        };
        if (settings(force) != settings(force_))
            throw InputError("the method, the mesh, the polarization or the types of axes have changed; a new Context is needed");
        SpecialPairs const special(force.multipoles);
        if (special.scales != special_.scales || special.partners != special_.partners)
            throw InputError("the covalent maps have changed; a new Context is needed");
        force_ = force;
        upload(engine);
    }

    /// Saves what the last bits of the next induced dipoles depend on.
    template <class Archive> void save(Engine& engine, Archive& archive) { history_.save(engine, {&field_, &dipoles_}, archive); }
    template <class Archive> void load(Engine& engine, Archive& archive) { history_.load(engine, {&field_, &dipoles_}, archive); }

    UsedMeshes meshes() const { return {.pme = mesh_, .ljpme = {}}; }
    /// Moments at the last evaluation.
    MultipoleAnswer answer(Engine& engine) const {
        MultipoleAnswer result;
        engine.copy_positions(result.positions);
        auto const a = site_[0].download(engine.queue), b = site_[1].download(engine.queue), c = site_[2].download(engine.queue),
                   d = dipoles_.d.download(engine.queue);
        for (std::size_t n = 0; n < 4 * result.positions.size(); n += 4) {
            result.charges.push_back(a[n]);
            result.permanent_dipoles.push_back({a[n + 1], a[n + 2], a[n + 3]});
            result.quadrupoles.push_back({b[n], b[n + 1], b[n + 2], b[n + 3], c[n], c[n + 1]});
            result.induced_dipoles.push_back({d[n], d[n + 1], d[n + 2]});
        }
        if (force_.is_periodic()) result.box = engine.host.box;
        result.iterations = iterations_;
        return result;
    }

private:
    static AmoebaMultipoleForce const& checked(AmoebaMultipoleForce const& force, Engine& engine) {
        check(force, engine.host.particles.count(), engine.host.box);
        if (engine.host.copies > 1) throw UnsupportedError("a batch of replicas has no AmoebaMultipoleForce");
        return force;
    }
    static MeshSettings mesh_of(AmoebaMultipoleForce const& force, Box const& box) {
        if (!force.is_periodic()) return {};
        return chosen_mesh(MeshKind::coulomb, force.pme, {force.cutoff_distance, force.ewald_error_tolerance}, box);
    }
    static std::set<AmoebaMultipoleForce::Axis> axes_of(AmoebaMultipoleForce const& force) {
        std::set<AmoebaMultipoleForce::Axis> result;
        for (auto const& multipole : force.multipoles) result.insert(multipole.axis);
        return result;
    }
    static Numbers four(Engine& engine, std::size_t count) { return {engine.queue, 4 * count, engine.types.real_is_double}; }
    static Numbers four(Engine& engine) { return four(engine, engine.padded); }

    Interaction::Parameter parameter(std::string const& name, Numbers const& array) const {
        return {name, "real4", [&array] { return array.argument(); }, {}, {}};
    }
    /// Sums with these names, from the first on.
    Interaction interaction(std::string const& names, std::string text) {
        Interaction result{.force = index_, .group = force_.force_group};
        result.range = {force_.is_periodic() ? force_.cutoff_distance : 0, force_.is_periodic(), special_.partners};
        result.text = std::move(text);
        result.parameters = {parameter("site_a", site_[0]), parameter("site_b", site_[1]), parameter("site_c", site_[2])};
        int number = first_sum_;
        for (char const name : names)
            for (char const axis : {'x', 'y', 'z'}) result.sums.push_back({std::string{name, axis}, number++});
        result.has_forces = false;
        return result;
    }
    Interaction field_interaction(Engine& engine) {
        first_sum_ = engine.add_particle_sum();
        for (int n = 1; n < 9; ++n) engine.add_particle_sum();
        auto result = interaction("e", text_.permanent_field());
        result.sees_excluded = false;
        return result;
    }
    Interaction induction_interaction(Engine&) {
        auto result = interaction("dp", text_.induced_field());
        result.occupancy.groups = 6;  // measured on an H200, as for the forces
        result.parameters = {parameter("site_c", site_[2]),
                             {"induced_d", "real4", [this] { return shown_->d.argument(); }, {}, {}},
                             {"induced_p", "real4", [this] { return shown_->p.argument(); }, {}, {}}};
        return result;
    }
    Interaction force_interaction(Engine& engine) {
        auto result = interaction("ft", text_.forces(are_mutual()));
        result.occupancy = {.item_splits = 3, .groups = 4};
        result.parameters.push_back(parameter("induced_d", dipoles_.d));
        result.parameters.push_back(parameter("induced_p", dipoles_.p));
        result.sees_excluded = false;
        result.energy_accumulator = engine.sums.add();
        return result;
    }
    bool are_mutual() const { return force_.polarization == AmoebaMultipoleForce::Polarization::mutual; }

    void upload(Engine& engine) {
        std::vector<double> a, b, c, alpha;
        std::vector<device::mm_int4> definitions;
        for (auto const& m : force_.multipoles) {
            auto const& q = m.quadrupole;
            double const third = (q[0] + q[4] + q[8]) / 3, radius = m.damping * m.damping * m.damping;
            a.insert(a.end(), {m.charge, m.dipole[0], m.dipole[1], m.dipole[2]});
            b.insert(b.end(), {q[0] - third, (q[1] + q[3]) / 2, (q[2] + q[6]) / 2, q[4] - third});
            c.insert(c.end(), {(q[5] + q[7]) / 2, q[8] - third, radius > 1e-6 ? 1 / radius : 1e6, m.thole});
            alpha.push_back(m.polarizability);
            definitions.push_back({static_cast<std::int32_t>(m.axis), m.z_particle, m.x_particle, m.y_particle});
        }
        for (auto* const numbers : {&a, &b, &c}) numbers->resize(4 * engine.padded);
        alpha.resize(engine.padded);
        own_[0].upload(engine.queue, a);
        own_[1].upload(engine.queue, b);
        own_[2].upload(engine.queue, c);
        for (std::size_t n = 0; n < 3; ++n) site_[n].upload(engine.queue, n == 0 ? a : n == 1 ? b : c);  // and the padding
        polarizability_.upload(engine.queue, alpha);
        definitions_ = device::Array<Q, device::mm_int4>(engine.queue, definitions);
        if (!special_.pairs.empty()) {
            pairs_.upload(engine.queue, special_.pairs);
            scales_.upload(engine.queue, special_.scales);
        }
    }
    /// Number of partial sums over all sites; it depends on nothing else, for reproducible bits.
    static std::int32_t parts(Engine& engine) {
        return static_cast<std::int32_t>(std::clamp<std::size_t>((engine.host.size() + 63) / 64, 1, 1024));
    }
    void prepare(Engine& engine, Request const& request) {
        for (auto* const stage : {&field_stage_, &induction_stage_, &force_stage_}) stage->prepare(device::PairSums::forces, engine);
        if (request.energy) force_stage_.prepare(device::PairSums::energies, engine);
        if (!solver_) compile(engine);
    }
    void compile(Engine& engine) {
        solver_.emplace(engine, parts(engine));
        if (force_.is_periodic()) meshes_.emplace(engine, mesh_, text_);
        double const a3 = mesh_.alpha * mesh_.alpha * mesh_.alpha;
        std::string text = "#define FIRST_SUM " + std::to_string(first_sum_) + "\n#define PARTS " + std::to_string(parts(engine))
                           + "\n#define REMEMBERED " + std::to_string(DipoleHistory<Q>::remembered)
                           + "\n#define COULOMB " + number_text(constants::coulomb) + "\n#define SELF_FIELD "
                           + number_text(4 * a3 / (3 * std::sqrt(std::numbers::pi))) + "\n";
        if (meshes_) text += "#define HAS_MESH\n";
        if (are_mutual()) text += "#define ARE_MUTUAL\n";
        text += std::string(kernels::sites) + kernels::solver + kernels::history + text_.frames(axes_of(force_)) + kernels::forces
                + text_.special_pairs(are_mutual(), force_.is_periodic() ? force_.cutoff_distance : 0);
        auto program = engine.compile(text);
        solver_->take_kernels(program);
        history_.take_kernels(program);
        induction_.take(program);
        kernels_.take(program);
        special_field_.take(program, "special_field");
        special_forces_.take(program, "special_forces");
    }

    void find_fields(Engine& engine, typename DipoleHistory<Q>::Guess const& guess) {
        auto& queue = engine.queue;
        auto const grid = device::grid_for(queue.properties(), engine.host.size());
        device::launch<"find_moments">(queue, kernels_, grid, engine.positions, definitions_, own_[0], own_[1], own_[2],
                                       site_[0], site_[1], site_[2]);
        if (meshes_) {
            meshes_->make_clear(engine);
            engine.pairs.order(engine);  // which may wait for the device, as a branch must not
            engine.beside([&] { meshes_->find_of_moments(engine, site_[0], site_[1], site_[2]); });
        }
        field_stage_.launch(device::PairSums::forces, engine);
        launch_special(engine, special_field_, false);
        engine.join();
        device::launch<"induce">(queue, induction_, grid, engine.forces, site_[0], mesh_or_none().of_moments,
                                 polarizability_, field_.d, field_.p, dipoles_.d, dipoles_.p, history_.evaluations(),
                                 history_.shares(), guess.terms(), guess.newest);
    }
    void launch_field(Engine& engine, DeviceSets<Q> const& sets) {
        shown_ = &sets;
        auto& gradient = solver_->gradient();
        if (meshes_) engine.beside([&] { meshes_->find_gradients(engine, sets.d, sets.p, gradient.d, gradient.p); });
        induction_stage_.launch(device::PairSums::forces, engine);
        engine.join();
    }
    void find_forces(Engine& engine, Request const& request) {
        auto& queue = engine.queue;
        if (meshes_) engine.beside([&] { meshes_->find_of_dipoles(engine, dipoles_.d, dipoles_.p); });
        force_stage_.launch(device::PairSums::forces, engine);
        if (request.energy) force_stage_.launch(device::PairSums::energies, engine);
        launch_special(engine, special_forces_, request.energy);
        engine.join();
        auto const& mesh = mesh_or_none();
        device::launch<"finish_multipoles">(
            queue, kernels_, device::grid_for(queue.properties(), engine.host.size()), engine.forces, engine.forces,
            engine.positions, definitions_, site_[0], site_[1], site_[2], mesh.of_moments, mesh.of_dipoles, dipoles_.d,
            dipoles_.p, field_.d, field_.p, solver_->change().d, solver_->change().p, polarizability_, engine.sums,
            static_cast<std::int32_t>(energy_), static_cast<std::int32_t>(request.energy));
    }
    using SpecialKernel = device::TypedKernel<Q, device::ParameterList<MultipoleText::special_parameters>>;

    void launch_special(Engine& engine, SpecialKernel& kernel, bool with_energy) {
        if (special_.pairs.empty()) return;
        kernel.launch(engine.queue, device::grid_for(engine.queue.properties(), special_.pairs.size()), engine.forces,
                      engine.positions, engine.box, pairs_, scales_, static_cast<std::int32_t>(special_.pairs.size()),
                      site_[0], site_[1], site_[2], dipoles_.d, dipoles_.p, engine.sums,
                      static_cast<std::int32_t>(energy_), static_cast<std::int32_t>(with_energy));
    }
    // Without a mesh kernels do not read these.
    struct MeshArrays {
        Numbers const &of_moments, &of_dipoles;
    };
    MeshArrays mesh_or_none() const {
        return meshes_ ? MeshArrays{meshes_->of_moments(), meshes_->of_dipoles()} : MeshArrays{site_[0], site_[0]};
    }

    // As `Electrostatics::ewald_constant`.
    double ewald_constant(double volume) const {
        if (!meshes_) return 0;
        double const a2 = mesh_.alpha * mesh_.alpha, pi = std::numbers::pi;
        double sum = 0, charge = 0;
        for (auto const& m : force_.multipoles) {
            double dipole = 0, quadrupole = 0;
            for (double const x : m.dipole) dipole += x * x;
            for (double const x : m.quadrupole) quadrupole += x * x;
            sum += m.charge * m.charge + 2 * a2 / 3 * dipole + 8 * a2 * a2 / 5 * quadrupole;
            charge += m.charge;
        }
        return constants::coulomb * (-mesh_.alpha / std::sqrt(pi) * sum - pi * charge * charge / (2 * volume * a2));
    }

    int index_, first_sum_ = 0;
    Box system_box_;
    AmoebaMultipoleForce force_;
    MeshSettings mesh_;
    MultipoleText text_;
    SpecialPairs special_;
    std::array<Numbers, 3> site_, own_;  // in the laboratory frame, and in the sites' frames
    Numbers polarizability_, scales_;
    device::Array<Q, device::mm_int2> pairs_;
    device::Array<Q, device::mm_int4> definitions_;
    DeviceSets<Q> field_, dipoles_;
    DipoleHistory<Q> history_;
    DeviceSets<Q> const* shown_ = nullptr;  // whose field is computed
    int energy_;
    device::PairStage<Q> field_stage_, induction_stage_, force_stage_;
    std::optional<DeviceConjugateGradients<Q>> solver_;
    std::optional<MultipoleMeshes<Q>> meshes_;
    device::SourceKernels<Q, kernels::solver> induction_;
    device::SourceKernels<Q, kernels::forces> kernels_;
    SpecialKernel special_field_, special_forces_;
    int iterations_ = 0;
};

}  // namespace trotter::amoeba
