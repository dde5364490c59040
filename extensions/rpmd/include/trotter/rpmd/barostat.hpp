// Monte Carlo moves of the volume of a ring polymer.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/base/random.hpp>
#include <trotter/box.hpp>
#include <trotter/rpmd/ring.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>
#include <trotter/units.hpp>

#include <trotter/common/barostats/box_change.hpp>
#include <trotter/common/barostats/monte_carlo.hpp>

namespace trotter::rpmd {

/// The shift of each particle by which the unweighted centers of molecules follow the box.
inline std::vector<Vec3<>> shifts_of_molecules(std::vector<Vec3<>> const& centroids,
                                               std::vector<std::vector<int>> const& molecules, Box const& from,
                                               Box const& to) {
    BoxMap const map(from, to);
    std::vector<Vec3<>> result(centroids.size());
    for (auto const& molecule : molecules) {
        Vec3<> center;
        for (int const i : molecule) center += centroids[static_cast<std::size_t>(i)];
        center *= 1 / static_cast<double>(molecule.size());
        for (int const i : molecule) result[static_cast<std::size_t>(i)] = map(center) - center;
    }
    return result;
}

/// Schedule, random numbers and size of the moves of an RPMDMonteCarloBarostat.
class Barostat {
public:
    Barostat(RPMDMonteCarloBarostat const& barostat, RandomStream const& random)
        : settings_(barostat), random_(random) {}

    double pressure() const { return settings_.pressure; }  ///< [bar]
    void set_pressure(double pressure) { settings_.pressure = pressure; }

    bool is_active() const { return settings_.frequency > 0; }
    /// Counts a step; returns true if a move is due.
    bool is_due() {
        if (!is_active() || ++steps_since_ < settings_.frequency) return false;
        steps_since_ = 0;
        ++tries_;
        return true;
    }
    /// Number of steps until the next move, of which `is_due` has counted the first.
    int steps_to_move() const { return settings_.frequency - steps_since_; }
    /// Counts more steps.
    void pass(int steps) { steps_since_ += steps; }
    /// Tries to change the volume. If it is accepted, the ring has the new positions and forces, else nothing has
    /// changed. `forces` is overwritten.
    template <class Forces> bool move(Ring& ring, Forces& ring_forces, std::vector<std::vector<int>> const& molecules,
                                      double temperature, std::int64_t step, CopyVectors& forces, Threads& threads) {
        Box const old = ring_forces.host().box;
        auto const changed = trial(old);
        if (!changed) return false;
        double const before = ring_forces.evaluate(ring.positions(), step, true, forces, threads);
        auto const shifts = shifts_of_molecules(ring.centroids(), molecules, old, *changed);
        CopyVectors moved = ring.positions();
        for (std::size_t n = 0; n < moved.size(); ++n) moved[n] += shifts[n % shifts.size()];
        ring_forces.set_box(*changed);
        double const after = ring_forces.evaluate(moved, step, true, forces, threads);
        if (!accepts((after - before) / ring.copies(), old, *changed, molecules.size(), temperature)) {
            ring_forces.set_box(old);
            return false;
        }
        ring.set_positions(std::move(moved));
        ring.take_forces(forces, threads);
        return true;
    }

    template <class Archive> void save(Archive& archive) const {
        archive.put(settings_.pressure);
        archive.put(steps_since_);
        archive.put(tries_);
        size_.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        settings_.pressure = archive.template get<double>();
        steps_since_ = archive.template get<int>();
        tries_ = archive.template get<std::uint64_t>();
        size_.load(archive);
    }

private:
    /// A box of another volume; none if that would not be positive.
    std::optional<Box> trial(Box const& box) {
        double const volume = box.volume();
        if (size_.size == 0) size_.size = 0.01 * volume;
        double const ratio = 1 + size_.size * (2 * random_.uniforms(tries_, 0)[0] - 1) / volume,
                     length = std::cbrt(ratio);
        if (ratio > 0) return scaled(box, {length, length, length});
        size_.record(false, 0.3 * volume);
        return {};
    }
    /// Whether to keep the move: with probability min(1, exp(-w/kT)), w = dE + P dV - molecules kT ln(V'/V), where dE
    /// is the change of the potential energy per copy.
    bool accepts(double change_of_energy, Box const& from, Box const& to, std::size_t molecules, double temperature) {
        double const kT = constants::gas_constant * temperature;
        double const work = constants::bar * settings_.pressure * (to.volume() - from.volume());
        double const cost =
            change_of_energy + work - static_cast<double>(molecules) * kT * std::log(to.volume() / from.volume());
        bool const accepted = cost <= 0 || random_.uniforms(tries_, 0)[3] < std::exp(-cost / kT);
        size_.record(accepted, 0.3 * (accepted ? to : from).volume());
        return accepted;
    }

    RPMDMonteCarloBarostat settings_;
    RandomStream random_;
    TrialSize size_;
    int steps_since_ = 0;
    std::uint64_t tries_ = 0;
};

}  // namespace trotter::rpmd
