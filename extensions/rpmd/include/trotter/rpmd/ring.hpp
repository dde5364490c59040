// Positions, velocities and forces of all copies, and a step of the free ring polymer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trotter/base/random.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/rpmd/matrix.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>
#include <trotter/vec3.hpp>

#include <trotter/common/integration/noise.hpp>
#include <trotter/common/threads/threads.hpp>

namespace trotter::rpmd {

/// Vectors of all particles in all copies, copy by copy: particle i of copy k is `k * particles + i`.
using CopyVectors = std::vector<Vec3<>>;

/// The same by mode of `normal_modes` in place of copies; 0 for particles without mass.
struct Modes {
    CopyVectors positions, velocities, forces;
};

/// Motion of a mode: half a step of its thermostat is v = decay v + spread/sqrt(m) noise; over a step, the springs give
/// q = cosine q + advance v, v = cosine v - back q.
struct ModeMotion {
    double decay, spread, cosine, advance, back;
};
/// Of a row of `normal_modes`.
ModeMotion mode_motion(int mode, int copies, RPMDIntegrator const& integrator);

/// Source of noise; `fill` is one of the functions of `HostState::fill_normals`, which give the same bits.
struct RingNoise {
    RandomStream stream;
    void (*fill)(RandomStream const&, std::uint64_t step, std::uint32_t first, NormalBlock&);
};

/// A ring polymer in normal modes, in which springs, thermostat and kicks are independent. Positions of copies are
/// always up to date, their velocities are computed on demand. Massless particles stay where they are set; virtual
/// sites are to be placed by the caller. Results are bitwise independent of the number of threads.
class Ring {
public:
    Ring(int copies, Particles const& particles);

    int copies() const { return copies_; }
    std::size_t particles() const { return inverse_masses_.size(); }

    /// The index, if there is such a copy. Throws InputError.
    int checked(int copy) const;
    /// Throws InputError unless the positions of every copy have been set.
    void require_positions() const;
    /// Throws NotFiniteError for a position that is not finite; `step` is for the message.
    void check_positions(std::int64_t step, Threads& threads) const;

    /// Of all copies [nm]. Writing here is for particles without mass.
    CopyVectors& positions() { return positions_; }
    CopyVectors const& positions() const { return positions_; }
    /// Of all copies [nm/ps].
    CopyVectors const& velocities(Threads& threads);

    ///@{
    /// Of one copy. Throws InputError for an index, a number of vectors and values that are invalid.
    void set_positions(int copy, std::vector<Vec3<>> const& positions);
    void set_velocities(int copy, std::vector<Vec3<>> const& velocities, Threads& threads);
    ///@}
    /// Of all copies.
    void set_positions(CopyVectors positions) {
        positions_ = std::move(positions);
        are_position_modes_known_ = false;
    }
    /// Draws the velocities of the distribution that the thermostat keeps: `copies` times the temperature in each copy.
    void set_velocities_to_temperature(double temperature, RandomStream const& stream);

    /// Those of one copy. Throws InputError if there is no such copy.
    std::vector<Vec3<>> part(int copy, CopyVectors const& all) const;
    /// The mean of the copies [nm].
    std::vector<Vec3<>> centroids() const;

    ///@{
    /// For steps that are taken elsewhere: the state before them, and after them, with the positions of all copies.
    Modes const& modes(Threads& threads) { return find_modes(threads), modes_; }
    void take_state(Modes modes, CopyVectors positions);
    ///@}

    /// Forces on all copies [kJ/mol/nm]; those on massless particles are not used.
    void take_forces(CopyVectors const& forces, Threads& threads);
    /// First half of a step: thermostat, kick, motion of the free ring over the whole step.
    void begin_step(RPMDIntegrator const& integrator, std::int64_t step, RingNoise const& noise, Threads& threads);
    /// Second half, with the forces at the new positions: kick, thermostat.
    void end_step(RPMDIntegrator const& integrator, std::int64_t step, RingNoise const& noise, Threads& threads);
    /// Sets the velocity of the center of mass of every copy to zero.
    void remove_motion(Threads& threads);

    /// Sum over copies [kJ/mol].
    double kinetic_energy(Threads& threads);
    /// Of the springs at this temperature [kJ/mol].
    double spring_energy(double temperature, Threads& threads);
    /// Sum over copies and particles of (position - centroid) · force [kJ/mol].
    double virial_about_centroids(Threads& threads);

    template <class Archive> void save(Archive& archive) const {
        for (auto const* vectors : {&positions_, &velocities_, &modes_.positions, &modes_.velocities, &modes_.forces})
            archive.put(*vectors);
        archive.put(are_position_modes_known_);
        archive.put(are_velocities_known_);
        archive.put(are_velocity_modes_known_);
    }
    template <class Archive> void load(Archive& archive) {
        is_set_.assign(is_set_.size(), true);
        for (auto* vectors : {&positions_, &velocities_, &modes_.positions, &modes_.velocities, &modes_.forces}) {
            auto loaded = archive.template get_vector<Vec3<>>();
            check_loaded(loaded.size());
            *vectors = std::move(loaded);
        }
        are_position_modes_known_ = archive.template get<bool>();
        are_velocities_known_ = archive.template get<bool>();
        are_velocity_modes_known_ = archive.template get<bool>();
    }

private:
    void put(int copy, std::vector<Vec3<>> const& vectors, char const* what, CopyVectors& to) const;
    std::ptrdiff_t first(int copy) const;
    void check_loaded(std::size_t size) const;
    void find_modes(Threads& threads);
    template <class Work> void for_each_mode(Threads& threads, Work const& work) const;
    template <class Term> double sum_over_modes(Threads& threads, int first_mode, Term const& term) const;
    void thermostat(RPMDIntegrator const& integrator, std::uint64_t draw, RingNoise const& noise, Threads& threads);
    void kick(double time, Threads& threads);
    void drift(RPMDIntegrator const& integrator, Threads& threads);

    int copies_;
    std::vector<bool> is_set_;                     // positions of each copy
    std::vector<double> masses_, inverse_masses_;  // inverse 0 for massless particles
    std::vector<int> moving_;                      // particles with mass
    double total_mass_;
    Matrix to_modes_, to_copies_;
    CopyVectors positions_, velocities_;  // by copy
    Modes modes_;
    bool are_position_modes_known_ = false, are_velocities_known_ = true, are_velocity_modes_known_ = false;
};

}  // namespace trotter::rpmd
