// Reciprocal-space sums of HIPPO: multipoles and dispersion.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/reference/mesh/pme.hpp>

#include "induced_dipoles.hpp"
#include "multipoles/mesh.hpp"
#include "site.hpp"

namespace trotter::amoeba::hippo {

/// Interactions of all particles on meshes, without those of each with itself. Electrons are points there.
class Meshes {
public:
    Meshes(HippoNonbondedForce const& force, Box const& box);

    MeshSettings const& multipoles() const { return mesh_.settings(); }
    MeshSettings const& dispersion() const { return dispersion_settings_; }

    /// Takes the positions of an evaluation.
    void place(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads);
    /// Adds the field of permanent moments, without the Coulomb constant.
    void add_permanent_field(std::vector<Site<>> const& sites, std::vector<Vec3<>>& field, Threads& threads);
    /// Adds the field of the induced dipoles of order `n`.
    void add_induced_field(std::size_t n, std::vector<Vec3<>> const& dipoles, std::vector<Vec3<>>& field,
                           Threads& threads);
    /// Computes dispersion.
    void find_dispersion(std::vector<Site<>> const& sites);
    /// Adds forces and derivatives by moments, after dispersion and the fields of all orders but the last were found;
    /// returns the energy that belongs to no particle, without that of induced dipoles.
    double add_loads(std::vector<Site<>> const& sites, InducedDipoles const& induced, std::vector<Load<>>& loads,
                     Threads& threads);

private:
    double own_field() const;
    double self_energy(std::vector<Site<>> const& sites) const;
    void find_potentials_of(std::vector<Vec3<>> const& dipoles, Threads& threads);
    Load<> load_of(std::size_t i, Site<> const& site, InducedDipoles const& induced) const;

    MultipoleMesh mesh_;
    MeshSettings dispersion_settings_;
    reference::ParticleMesh dispersion_;
    double dispersion_energy_ = 0;
    std::vector<Vec3<>> dispersion_forces_;
    std::vector<Vec3<>> positions_;
    Box box_;
    std::vector<Moments<>> moments_;                // in mesh spacings
    std::vector<Potential<>> permanent_;            // potentials in mesh spacings
    std::vector<std::vector<Symmetric<>>> orders_;  // second derivatives of those of induced dipoles, of each order
};

}  // namespace trotter::amoeba::hippo
