// Every force is minus the gradient of its energy, in open, periodic and triclinic boxes.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>

#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"

using namespace trotter;

namespace gradients_test {

namespace {

constexpr std::size_t count = 14;

// In float the energy's rounding error divided by h exceeds the tolerance; there forces are compared with Reference's.
template <Force F>
double relative_error(TestPlatform const& platform, F const& force, Vectors const& positions, Box const& box) {
    auto const forces = evaluate(platform, force, positions, box).forces;
    if (platform.is_double) {
        auto context = context_of(platform, system_of(force, positions.size(), box), positions);
        return gradient_error(context, positions, forces) / rms(forces) / 1e-7;
    } else {
        auto const expected = evaluate(reference_platform, force, positions, box).forces;
        return largest_difference(forces, expected) / rms(expected) / 2e-5;
    }
}

/// Positions of which no pair comes near the cutoff when moved.
Vectors off_cutoff(double cutoff, Box const& box) {
    for (unsigned seed = 1;; ++seed)
        if (auto positions = scattered(count, box, 0.27, seed); no_pair_at(cutoff, positions, box)) return positions;
}

template <class F> auto chain_of(F force, auto const& make) {
    for (int i = 0; i + 3 < static_cast<int>(count); ++i) make(force, i);
    return force;
}
HarmonicBondForce bonds() {
    return chain_of(HarmonicBondForce{}, [](auto& f, int i) {
        f.bonds.push_back({i, i + 1, 0.3 + 0.01 * i, 100.0 * (i + 1)});
    });
}
HarmonicAngleForce angles() {
    return chain_of(HarmonicAngleForce{}, [](auto& f, int i) {
        f.angles.push_back({i, i + 1, i + 2, 1.5 + 0.1 * i, 100.0 + i});
    });
}
PeriodicTorsionForce torsions() {
    return chain_of(PeriodicTorsionForce{}, [](auto& f, int i) {
        f.torsions.push_back({i, i + 1, i + 2, i + 3, i % 6 + 1, 0.3 * i, 5.0 + i});
    });
}
RBTorsionForce rb_torsions() {
    return chain_of(RBTorsionForce{}, [](auto& f, int i) {
        f.torsions.push_back({i, i + 1, i + 2, i + 3, 1.0, 2.0 - i, 3.0, -4.0, 5.0, 0.5 * i});
    });
}
CMAPTorsionForce cmaps() {
    CMAPTorsionForce force;
    for (int size : {6, 9}) {
        auto& map = force.maps.emplace_back();
        map.size = size;
        for (int n = 0; n < size * size; ++n) map.energy.push_back(5 * std::sin(n * n));
    }
    return chain_of(force, [](auto& f, int i) {
        f.torsions.push_back({i % 2, i, i + 1, i + 2, i + 3, i + 3, i + 1, i, i + 2});
    });
}

NonbondedForce nonbonded(NonbondedForce::Method method) {
    NonbondedForce force;
    for (int i = 0; i < static_cast<int>(count); ++i)
        force.particles.push_back({0.3 * (i % 5) - 0.5, 0.25 + 0.01 * i, 0.5 + 0.1 * (i % 3)});
    force.exceptions = {{0, 1, 0, 1, 0}, {1, 2, 0.2, 0.3, 0.4}, {2, 3, 0, 0.3, 0.4}};
    force.method = method;
    force.cutoff_distance = 1;
    force.ewald_error_tolerance = 1e-4;
    return force;
}
GBSAOBCForce born(GBSAOBCForce::Method method) {
    GBSAOBCForce force;
    for (int i = 0; i < static_cast<int>(count); ++i)
        force.particles.push_back({0.3 * (i % 5) - 0.5, 0.12 + 0.01 * (i % 7), 0.7 + 0.02 * i});
    force.method = method;
    return force;
}

}  // namespace

TEST_CASE("term forces are gradients", "[forces]") {
    auto const platform = each_platform();
    auto check_all = [&](auto force) {
        for (auto const& box : {small_box, skewed_box}) {
            auto const positions = scattered(count, box, 0.2, 3);
            for (bool is_periodic : {false, true}) {
                force.periodic = is_periodic;
                INFO(force.name << (is_periodic ? " periodic" : " open") << (box.is_rectangular() ? "" : " triclinic"));
                CHECK(relative_error(platform, force, positions, box) < 1);
            }
        }
    };
    check_all(bonds());
    check_all(angles());
    check_all(torsions());
    check_all(rb_torsions());
    check_all(cmaps());
}

TEST_CASE("nonbonded forces are gradients", "[forces]") {
    auto const platform = each_platform();
    using Method = NonbondedForce::Method;
    for (auto method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ewald,
                        Method::pme, Method::ljpme})
        for (auto const& box : {small_box, skewed_box})
            for (bool has_switch : {false, true}) {
                if (method == Method::ewald && !box.is_rectangular()) continue;
                auto force = nonbonded(method);
                force.use_switching_function = has_switch;
                force.switching_distance = 0.6;
                force.exceptions_use_periodic = has_switch;
                INFO("method " << static_cast<int>(method) << (has_switch ? " switched" : "")
                               << (box.is_rectangular() ? "" : " triclinic"));
                CHECK(relative_error(platform, force, off_cutoff(1, box), box) < 1);
            }
}

TEST_CASE("generalized Born forces are gradients", "[forces]") {
    auto const platform = each_platform();
    using Method = GBSAOBCForce::Method;
    for (auto method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic})
        for (auto const& box : {small_box, skewed_box}) {
            INFO("method " << static_cast<int>(method) << (box.is_rectangular() ? "" : " triclinic"));
            CHECK(relative_error(platform, born(method), off_cutoff(1, box), box) < 1);
        }
}

}  // namespace gradients_test
