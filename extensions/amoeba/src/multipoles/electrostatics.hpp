// The energy of polarizable multipoles and its gradient.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include <trotter/amoeba/multipole.hpp>

#include "direct_space.hpp"
#include "induction.hpp"
#include "kirkwood.hpp"
#include "mesh.hpp"
#include "pair_list.hpp"
#include "scales.hpp"
#include "sites.hpp"

namespace trotter::amoeba {

/// Direct sum, reciprocal sum, reaction field and induced dipoles of one AmoebaMultipoleForce.
class Electrostatics {
public:
    /// The mesh has alpha 0 without Ewald sum.
    Electrostatics(AmoebaMultipoleForce const& force, MeshSettings const& mesh);
    Electrostatics(Electrostatics const&) = delete;
    Electrostatics& operator=(Electrostatics const&) = delete;

    /// Adds forces; returns the energy [kJ/mol]. Throws SimulationError if the induced dipoles do not converge.
    double compute(std::vector<Vec3<>> const& positions, Box const& box, std::vector<Vec3<>>& forces, Threads& threads);
    /// Moments of the last evaluation.
    MultipoleAnswer answer() const;

private:
    TwoSets permanent_field(Threads& threads);
    void add_induced_field(TwoSets const& dipoles, TwoSets& field, Threads& threads);
    Induction induce(TwoSets const& field, Threads& threads);
    double add_gradient(MultipoleGradient& gradient, Threads& threads);
    std::vector<DipoleSquare> squares_without_scales(std::vector<DipoleSquare> squares, Vectors const& mean) const;
    void add_mesh_field(Vectors const& real, Vectors const& imaginary, TwoSets& field, Threads& threads);
    void add_mesh_gradient(std::vector<Moments<>> const& moments, std::vector<DipoleSquare> const& squares,
                           MultipoleGradient& gradient, Threads& threads);
    double ewald_constant(double volume) const;

    AmoebaMultipoleForce::Polarization polarization_;
    double target_, cutoff_, alpha_;
    int most_iterations_;
    std::vector<double> weights_;  // of orders of the extrapolation
    Sites sites_;
    ScaleTable scales_;
    PairList pairs_;
    DirectSpace direct_;
    std::optional<MultipoleMesh> mesh_;
    std::optional<Kirkwood> kirkwood_;
    Induction induction_;
    double permanent_energy_ = 0;  // of permanent multipoles on the mesh and in the solvent
};

}  // namespace trotter::amoeba
