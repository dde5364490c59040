// Copies of a System in the same launches of one device, against single Contexts: forces, steps, bits, and errors.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "tested_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <trotter/device.hpp>
#include <trotter/replicas/repeat.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

using Method = NonbondedForce::Method;
using Forces = ForceList<HarmonicBondForce, NonbondedForce, GBSAOBCForce, CMMotionRemover>;
using Molecules = System<Forces>;
using Vectors = std::vector<Vec3<>>;

NonbondedForce nonbonded(Method method) {
    NonbondedForce force{.method = method, .cutoff_distance = 0.6};
    if (method == Method::pme || method == Method::ljpme) force.pme = {.alpha = 4, .nx = 15, .ny = 14, .nz = 12};
    if (method == Method::ljpme) force.ljpme = {.alpha = 4, .nx = 14, .ny = 12, .nz = 15};
    return force;
}

/// Rigid three-particle molecules on a lattice; an odd particle at the end, so that no copy fills its groups.
Molecules molecules(NonbondedForce force, Box const& box, int sites) {
    Molecules system;
    system.box = box;
    HarmonicBondForce bonds;
    for (int m = 0; m < sites; ++m) {
        for (double const mass : {16.0, 1.0, 1.0}) system.add_particle(mass);
        force.particles.insert(force.particles.end(), {{-0.8, 0.3, 0.6}, {0.4, 0.1, 0.1}, {0.4, 0.1, 0.1}});
        int const o = 3 * m;
        for (auto const& [i, j] : {std::pair{o, o + 1}, {o, o + 2}, {o + 1, o + 2}}) force.exceptions.push_back({i, j});
        system.add_constraint(o, o + 1, 0.1);
        system.add_constraint(o, o + 2, 0.1);
        system.add_constraint(o + 1, o + 2, 0.16);
        if (m > 0) bonds.bonds.push_back({o - 3, o, 0.35, 100});
    }
    system.add_particle(20);
    force.particles.push_back({0, 0.3, 0.5});
    system.add(bonds);
    system.add(force);
    return system;
}

/// Different for each replica.
Vectors positions(Molecules const& system, int sites, int replica) {
    std::mt19937 bits(static_cast<unsigned>(replica + 1));
    auto uniform = [&] { return static_cast<double>(bits()) / 4294967296.0; };
    int const edge = static_cast<int>(std::ceil(std::cbrt(sites + 1)));
    auto place = [&](int m) {
        Vec3<> const at = system.box.a * ((m % edge + 0.1 * uniform()) / edge) + system.box.b * ((m / edge % edge + 0.1 * uniform()) / edge)
                          + system.box.c * ((m / (edge * edge) + 0.1 * uniform()) / edge);
        return at + system.box.a * (replica % 3);
    };
    Vectors result;
    for (int m = 0; m < sites; ++m) {
        Vec3<> const o = place(m);
        result.insert(result.end(), {o, o + Vec3<>{0.06, 0.08, 0}, o + Vec3<>{0.06, -0.08, 0}});
    }
    result.push_back(place(sites));
    return result;
}

struct Sample {
    Molecules system;
    std::vector<Vectors> places;

    int count() const { return static_cast<int>(places.size()); }
    Vectors all() const {
        Vectors result;
        for (auto const& some : places) result.insert(result.end(), some.begin(), some.end());
        return result;
    }
};

Sample sample(Method method, Box const& box, int replicas = 3, int sites = 63) {
    Sample result{molecules(nonbonded(method), box, sites), {}};
    for (int k = 0; k < replicas; ++k) result.places.push_back(positions(result.system, sites, k));
    return result;
}

Box const cube = Box::rectangular(1.6, 1.5, 1.4), oblique{{1.6, 0, 0}, {0.4, 1.5, 0}, {-0.3, 0.5, 1.4}};

Vectors part_of(Vectors const& all, int replica, std::size_t count) {
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(replica) * count);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// The largest difference, in units of the root mean square.
double difference(Vectors const& found, Vectors const& expected) {
    double worst = 0, square = 1e-20;
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst = std::max(worst, norm(found[i] - expected[i]));
        square += dot(expected[i], expected[i]);
    }
    return worst / std::sqrt(square / static_cast<double>(found.size()));
}

template <class P> void check_forces(Sample const& sample, P precision, double tolerance) {
    LangevinMiddleIntegrator const integrator{.step_size = 1 * fs};
    int const copies = sample.count();
    Context batch{repeated(sample.system, copies), integrator, TestedDevice{.copies = copies}, precision};
    batch.set_positions(sample.all());
    auto const forces = batch.state(StateData::forces).forces;
    for (int k = 0; k < copies; ++k) {
        auto const& places = sample.places[static_cast<std::size_t>(k)];
        Context single{sample.system, integrator, TestedDevice{}, precision};
        single.set_positions(places);
        CHECK(difference(part_of(forces, k, places.size()), single.state(StateData::forces).forces) < tolerance);
    }
}

}  // namespace

TEST_CASE("forces of copies are those of single Systems", "[device][replicas]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic})
        check_forces(sample(method, cube), Double{}, 1e-10);
    check_forces(sample(Method::cutoff_periodic, oblique), Double{}, 1e-10);
    check_forces(sample(Method::cutoff_periodic, cube), Mixed{}, 4e-5);
}
