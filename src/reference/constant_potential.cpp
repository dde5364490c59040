// ConstantPotentialForce: charges on electrodes at given potentials, by direct pairs and PME.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/forces/constant_potential.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/physics/pair_energies.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/mesh/pme.hpp>
#include <trotter/reference/mesh/reciprocal_sum.hpp>
#include <trotter/reference/neighbors.hpp>

#include "define_kernel.hpp"
#include "electrode_charges.hpp"

namespace trotter::reference {

/// E = ½ Σ q_i phi_i + Σ l_i q_i is quadratic in the electrode charges, which are found first; forces are those at
/// fixed charges, since the energy is minimal in them. Only the matrix is kept between evaluations, which thus depend
/// on positions alone.
template <> class CompiledKernel<ConstantPotentialForce>::Implementation {
public:
    Implementation(ConstantPotentialForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index),
          system_box_(engine.host.box),
          force_(checked(force, engine.host)),
          sum_(*reciprocal_charges(force.fixed_charges(), MeshKind::coulomb, system_box_), engine.host, who) {
        update_parameters();
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        find_charges(host);
        return coulomb(host);
    }

    /// Charges of all particles in the last evaluation [e].
    Numbers answer() const { return charges_; }
    UsedMeshes meshes() const { return {.pme = sum_.charges().mesh()}; }

    /// Updates parameters of particles, exceptions and electrodes, and the total charge.
    void update(ConstantPotentialForce const& force, Engine<Reference, Double>& engine) {
        check_same_shape(force_, checked(force, engine.host));
        force_ = force;
        update_parameters();
    }

private:
    // A pair within the cutoff with at least one electrode particle: its energy is `kernel` q1 q2.
    struct ElectrodePair {
        std::size_t particle1, particle2;
        double kernel;
    };

    ConstantPotentialForce const& checked(ConstantPotentialForce const& force, HostState const& host) const {
        check(force, host.particles.masses, system_box_);
        return force;
    }
    void update_parameters() {
        auto const count = force_.charges.size();
        exclusions_ = exclusions(force_.fixed_charges());
        charges_ = force_.charges;
        electrode_particles_.clear();
        widths_.assign(count, 0);
        potentials_.assign(count, 0);
        own_.assign(count, 0);
        for (auto const& electrode : force_.electrodes)
            for (int const particle : electrode.particles) {
                auto const i = static_cast<std::size_t>(particle);
                electrode_particles_.push_back(i);
                charges_[i] = 0;
                widths_[i] = electrode.gaussian_width;
                potentials_[i] = electrode.potential;
                own_[i] = self_energy(electrode);
            }
        std::sort(electrode_particles_.begin(), electrode_particles_.end());
        matrix_.reset();
    }
    // Self energy of a charge: ½ of this times q².
    static double self_energy(ConstantPotentialForce::Electrode const& electrode) {
        constexpr double pi = std::numbers::pi;
        return constants::coulomb
               * (std::sqrt(2 / pi) / electrode.gaussian_width + 4 * pi * electrode.thomas_fermi_scale);
    }

    // The net charge of the box is neutralized by a uniform background: E = ½ b Q².
    double background(Box const& box) const {
        return -constants::coulomb * std::numbers::pi / (box.volume() * alpha() * alpha());
    }
    double alpha() const { return sum_.charges().alpha(); }
    // Without the part included in the mesh.
    double self(std::size_t particle) const {
        return own_[particle] - 2 * constants::coulomb * std::numbers::inv_sqrtpi * alpha();
    }
    // Linear coefficient of a charge: external field and target potential.
    double linear(std::size_t particle, HostState const& host) const {
        return -potentials_[particle] - dot(force_.external_field, host.positions[particle]);
    }
    // Energy of unit charges without the part included in the mesh: (erfc(alpha r) - erfc(r/w))/r, where the second
    // term is 0 for point charges.
    PairValue<double> pair_of_units(std::size_t i, std::size_t j, double r2) const {
        double const width2 = widths_[i] * widths_[i] + widths_[j] * widths_[j];
        double const r = std::sqrt(r2);
        auto const screened = [&](double a) {
            return screened_coulomb(constants::coulomb, 1 / r, a * r, std::erfc(a * r), std::exp(-a * a * r2));
        };
        if (width2 == 0) return screened(alpha());
        double const eta = 1 / std::sqrt(width2);
        if (std::max(alpha(), eta) * r < 0.1)  // avoids cancellation of complements
            return mesh_coulomb(constants::coulomb, r, eta) - mesh_coulomb(constants::coulomb, r, alpha());
        return screened(alpha()) - screened(eta);
    }
    bool is_electrode(std::size_t particle) const { return widths_[particle] > 0; }

    void find_charges(HostState const& host) {
        if (electrode_particles_.empty()) return;
        collect_pairs(host);
        for (std::size_t const i : electrode_particles_) charges_[i] = 0;
        ChargeProblem problem{potential(charges_, host), {}};
        for (std::size_t n = 0; n < electrode_particles_.size(); ++n)
            problem.slopes[n] += linear(electrode_particles_[n], host);
        if (force_.use_charge_constraint) problem.sum = force_.total_charge - sum_of(charges_);
        auto const found = force_.method == ConstantPotentialForce::Method::matrix ? by_matrix(problem, host)
                                                                                   : by_iteration(problem, host);
        for (std::size_t n = 0; n < found.size(); ++n) charges_[electrode_particles_[n]] = found[n];
    }
    void collect_pairs(HostState const& host) {
        pairs_.clear();
        reference::for_each_pair({force_.cutoff_distance, true}, host.positions, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
                                     if (is_electrode(i) || is_electrode(j))
                                         pairs_.push_back({i, j, pair_of_units(i, j, r2).energy});
                                 });
    }
    // Derivative of the energy of these charges by each electrode charge.
    Numbers potential(Numbers const& charges, HostState const& host) {
        auto all = sum_.mesh().potentials(charges, host.positions, host.box);
        for (auto const& [i, j, kernel] : pairs_) {
            all[i] += kernel * charges[j];
            all[j] += kernel * charges[i];
        }
        double const of_background = background(host.box) * sum_of(charges);
        Numbers result;
        for (std::size_t const i : electrode_particles_)
            result.push_back(all[i] + self(i) * charges[i] + of_background);
        return result;
    }
    // Its derivative by each electrode charge.
    std::vector<Numbers> charge_matrix(std::vector<Vec3<>> const& places, HostState const& host) {
        auto columns = sum_.mesh().potentials_of_units(places, host.box);
        double const of_background = background(host.box);
        std::vector<std::size_t> numbers(charges_.size());  // index among electrode particles
        for (std::size_t n = 0; n < columns.size(); ++n) {
            numbers[electrode_particles_[n]] = n;
            for (double& element : columns[n]) element += of_background;
            columns[n][n] += self(electrode_particles_[n]);
        }
        for (auto const& [i, j, kernel] : pairs_)
            if (is_electrode(i) && is_electrode(j))
                for (auto const& [to, from] : {std::pair{i, j}, std::pair{j, i}})
                    columns[numbers[from]][numbers[to]] += kernel;
        return columns;
    }
    Numbers potential_of_electrodes(Numbers const& electrode_charges, HostState const& host) {
        Numbers charges(charges_.size(), 0);
        for (std::size_t n = 0; n < electrode_charges.size(); ++n)
            charges[electrode_particles_[n]] = electrode_charges[n];
        return potential(charges, host);
    }

    Numbers by_iteration(ChargeProblem const& problem, HostState const& host) {
        Numbers diagonal(electrode_particles_.size(), 1);
        // Omits the images: these and the mesh's part of a point charge nearly cancel its part in `self`.
        if (force_.use_preconditioner)
            for (std::size_t n = 0; n < diagonal.size(); ++n) diagonal[n] = own_[electrode_particles_[n]];
        return conjugate_gradient_charges(problem, diagonal, force_.gradient_tolerance,
                                          [&](Numbers const& q) { return potential_of_electrodes(q, host); });
    }
    // The matrix is reused while electrodes and box are unchanged.
    Numbers by_matrix(ChargeProblem const& problem, HostState const& host) {
        std::vector<Vec3<>> places;
        for (std::size_t const i : electrode_particles_) places.push_back(host.positions[i]);
        if (!matrix_ || places != places_of_matrix_ || !(host.box == box_of_matrix_)) {
            matrix_ = CholeskyFactor::of(charge_matrix(places, host));
            if (!matrix_) throw not_positive_definite();
            places_of_matrix_ = places;
            box_of_matrix_ = host.box;
        }
        return charges_by_matrix(problem, *matrix_);
    }

    double coulomb(HostState& host) {
        sum_.set_charges(charges_);
        double energy = sum_.compute(host, {});
        for (std::size_t i = 0; i < charges_.size(); ++i) {
            energy += charges_[i] * (own_[i] * charges_[i] / 2 + linear(i, host));
            host.forces[i] += force_.external_field * charges_[i];
        }
        reference::for_each_pair(
            {force_.cutoff_distance, true}, host.positions, host.box,
            [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                auto const& excluded = exclusions_[i];
                double const qq = charges_[i] * charges_[j];
                if (qq == 0 || std::binary_search(excluded.begin(), excluded.end(), static_cast<int>(j))) return;
                auto const unit = pair_of_units(i, j, r2);
                energy += qq * unit.energy;
                if (unit.virial != 0) add_force(host, i, j, d * (qq * unit.virial / r2), d);
            });
        return energy + exceptions(host);
    }
    double exceptions(HostState& host) {
        double energy = 0;
        for (auto const& exception : force_.exceptions) {
            if (exception.charge_product == 0) continue;  // an excluded pair may coincide
            auto const i = static_cast<std::size_t>(exception.particle1),
                       j = static_cast<std::size_t>(exception.particle2);
            Vec3<> d = host.positions[i] - host.positions[j];
            if (force_.exceptions_use_periodic) d = host.box.minimum_image(d);
            double const r2 = dot(d, d), plain = constants::coulomb * exception.charge_product / std::sqrt(r2);
            energy += plain;
            add_force(host, i, j, d * (plain / r2), d);
        }
        return energy;
    }

    int index_;
    Box system_box_;
    ConstantPotentialForce force_;
    ReciprocalSum sum_;
    std::vector<std::vector<int>> exclusions_;
    std::vector<std::size_t> electrode_particles_;  // ascending
    Numbers charges_, widths_, potentials_, own_;  // of all particles
    std::vector<ElectrodePair> pairs_;
    std::optional<CholeskyFactor> matrix_;
    std::vector<Vec3<>> places_of_matrix_;
    Box box_of_matrix_;
};

template class CompiledKernel<ConstantPotentialForce>;

}  // namespace trotter::reference

namespace trotter {

std::vector<double> Kernel<ConstantPotentialForce, Reference, Double>::answer() const {
    return implementation_->answer();
}
UsedMeshes Kernel<ConstantPotentialForce, Reference, Double>::meshes() const { return implementation_->meshes(); }

}  // namespace trotter
