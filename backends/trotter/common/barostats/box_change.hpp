// Changes the periodic box and moves the particles with it, molecules rigidly if wanted.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/saved_state.hpp>
#include <trotter/common/threads/sums.hpp>

namespace trotter {

/// Linear map between the vectors of two boxes, so that periodic images stay images; or given by the images of the unit
/// vectors.
class BoxMap {
public:
    BoxMap(Vec3<> const& x, Vec3<> const& y, Vec3<> const& z) : x_(x), y_(y), z_(z) {}
    BoxMap(Box const& from, Box const& to) {
        x_ = to.a / from.a.x;
        y_ = (to.b - x_ * from.b.x) / from.b.y;
        z_ = (to.c - x_ * from.c.x - y_ * from.c.y) / from.c.z;
    }
    Vec3<> operator()(Vec3<> const& point) const { return x_ * point.x + y_ * point.y + z_ * point.z; }

private:
    Vec3<> x_, y_, z_;
};

inline Box scaled(Box const& box, Vec3<> const& s) {
    return {{box.a.x * s.x, 0, 0}, {box.b.x * s.x, box.b.y * s.y, 0}, {box.c.x * s.x, box.c.y * s.y, box.c.z * s.z}};
}

/// The same lattice in reduced form. Elements within their limits are bitwise unchanged.
inline Box reduced(Box box) {
    auto const whole = [](double ratio) { return std::abs(ratio) > 0.5 ? std::round(ratio) : 0; };
    box.c -= box.b * whole(box.c.y / box.b.y);
    box.c -= box.a * whole(box.c.x / box.a.x);
    box.b -= box.a * whole(box.b.x / box.a.x);
    return box;
}

/// Moves the particles of a HostState to another box, and back. The map of the boxes is applied to centres of
/// molecules, or to every particle if molecules are not rigid. A centre is the unweighted mean of positions; frozen
/// particles move too.
class BoxChange {
public:
    explicit BoxChange(bool molecules_are_rigid) : rigid_(molecules_are_rigid) {}
    template <class EngineType> BoxChange(bool molecules_are_rigid, EngineType&) : BoxChange(molecules_are_rigid) {}

    /// The state, ready for `apply` and `undo`.
    template <class EngineType> HostState& hold(EngineType& engine) const { return state_on_host(engine); }

    /// Number of molecules if these are rigid, else of particles.
    double mover_count(HostState const& host) const {
        return static_cast<double>(rigid_ ? host.molecules.size() : host.size());
    }

    void apply(HostState& host, Box const& box) { apply(host, reduced(box), BoxMap(host.box, box)); }
    /// Uses `map` instead of the map between the boxes.
    void apply(HostState& host, Box const& box, BoxMap const& map) {
        saved_.save_positions(host);
        host.box = box;
        move(host, map);
    }
    void undo(HostState& host) { saved_.restore(host); }

    /// Energy of the integration groups with the particles moved to `box` [kJ/mol]; the state is restored.
    double energy_in(Box const& box, HostState& host, ForceEvaluator const& evaluate) {
        apply(host, box);
        double const energy = evaluate({host.integration_groups, true});
        undo(host);
        return energy;
    }

    /// Σ M V V of molecules (rigid) or particles: the elements xx, yy, zz, xy, xz, yz [kJ/mol].
    std::array<double, 6> kinetic_tensor(HostState& host) const {
        auto const pair_sum = [&](std::size_t row, std::size_t column) {
            return rigid_ ? ordered_sum(host.threads, host.molecules.size(),
                                        [&](std::size_t n) {
                                            auto const [mass, momentum] = motion(host, host.molecules[n]);
                                            return mass > 0 ? momentum[row] * momentum[column] / mass : 0;
                                        })
                          : ordered_sum(host.threads, host.size(), [&](std::size_t i) {
                                return host.particles.masses[i] * host.velocities[i][row] * host.velocities[i][column];
                            });
        };
        return {pair_sum(0, 0), pair_sum(1, 1), pair_sum(2, 2), pair_sum(0, 1), pair_sum(0, 2), pair_sum(1, 2)};
    }

private:
    void move(HostState& host, BoxMap const& map) const {
        if (rigid_) {
            host.threads.for_each(host.molecules.size(), [&](std::size_t n) {
                Vec3<> center;
                for (int i : host.molecules[n]) center += host.positions[static_cast<std::size_t>(i)];
                center *= 1 / static_cast<double>(host.molecules[n].size());
                Vec3<> const shift = map(center) - center;
                for (int i : host.molecules[n]) host.positions[static_cast<std::size_t>(i)] += shift;
            });
        } else {
            host.threads.for_each(host.size(), [&](std::size_t i) { host.positions[i] = map(host.positions[i]); });
            host.virtual_sites.place(host.positions, host.box);
        }
    }
    static std::pair<double, Vec3<>> motion(HostState const& host, std::vector<int> const& molecule) {
        double mass = 0;
        Vec3<> momentum;
        for (int particle : molecule) {
            auto const i = static_cast<std::size_t>(particle);
            mass += host.particles.masses[i];
            momentum += host.velocities[i] * host.particles.masses[i];
        }
        return {mass, momentum};
    }

    bool rigid_;
    SavedState saved_;
};

/// The class that changes the box of an engine: BoxChange, unless the backend specializes this.
template <class EngineType> struct BoxChangeOf { using Type = BoxChange; };

}  // namespace trotter
