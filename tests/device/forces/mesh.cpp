// Tests reciprocal-space sums on a device against Reference.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <trotter/device/mesh/ewald.hpp>
#include <trotter/device/mesh/mesh.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/reference/mesh/ewald.hpp>
#include <trotter/reference/mesh/pme.hpp>
#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include "largest_difference.hpp"

namespace {

using namespace trotter;
using Queue = TestedDevice::Queue;
using DeviceEngine = device::Engine<Queue>;
using Vectors = std::vector<Vec3<>>;

struct Charges {
    Box box;
    Vectors positions;
    std::vector<double> values;
};

/// Particles in and around a box, one in eight without charge.
Charges random_charges(Box const& box, MeshKind kind, int count = 203) {
    std::mt19937 generator(3);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32; };
    Charges result{box, {}, {}};
    for (int n = 0; n < count; ++n) {
        result.positions.push_back(box.a * (3 * uniform() - 1) + box.b * (3 * uniform() - 1)
                                   + box.c * (3 * uniform() - 1));
        double const charge = kind == MeshKind::coulomb ? 2 * uniform() - 1 : 0.05 * uniform();
        result.values.push_back(n % 8 == 0 ? 0 : charge);
    }
    return result;
}

/// Most particles consecutively around a corner of the box, and every ninth anywhere.
Charges gathered_charges(Box const& box) {
    auto result = random_charges(box, MeshKind::coulomb, 400);
    for (std::size_t n = 0; n < result.positions.size(); ++n)
        if (n % 9 != 0) result.positions[n] = result.positions[n] * 0.12;
    return result;
}

struct Result {
    double energy = 0;
    Vectors forces;
};

/// A reciprocal-space sum on the device for one set of charges.
template <class P, class Sum> struct Runner {
    template <class Parameters> Runner(Charges const& charges, Parameters const& parameters, auto... kind)
        : engine(TestedDevice{}.open(), device::NumberTypes::of<P>, particles(charges), charges.box, 1),
          sum(engine, parameters, kind...),
          slot(engine.sums.add()) {
        values = charges.values;
        constexpr bool is_dispersion = sizeof...(kind) > 0;
        bool scale = true;
        if constexpr (is_dispersion) scale = ((kind == MeshKind::coulomb) && ...);
        if (scale)
            for (auto& value : values) value *= std::sqrt(constants::coulomb);
        values.resize(engine.padded);
        numbers = {engine.queue, values, engine.types.real_is_double};
        engine.host.positions = charges.positions;
    }
    static Particles particles(Charges const& charges) {
        Particles result;
        result.masses.assign(charges.positions.size(), 1);
        return result;
    }
    Result run(bool with_energy = true) {
        Request const request{.energy = with_energy};
        engine.begin(request);
        if constexpr (requires { sum.prepare(engine, values); }) sum.prepare(engine, values);
        if constexpr (requires { sum.prepare(engine, values); })
            sum.launch(engine, numbers, engine.pairs.order(engine), slot, with_energy);
        else
            sum.launch(engine, numbers, slot, with_energy);
        engine.finish(request);
        return {engine.total(slot), engine.host.forces};
    }

    DeviceEngine engine;
    Sum sum;
    int slot;
    std::vector<double> values;
    device::NumberArray<Queue> numbers;
};

/// The largest force error relative to the root mean square force, and the median error relative to each particle's own
/// force.
struct ForceErrors {
    double largest = 0, median = 0;
};
ForceErrors errors(Vectors const& forces, Vectors const& expected) {
    double sum = 0;
    for (auto const& f : expected) sum += dot(f, f);
    double const rms = std::sqrt(sum / static_cast<double>(expected.size()));
    ForceErrors result;
    std::vector<double> relative;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        double const error = std::sqrt(dot(forces[i] - expected[i], forces[i] - expected[i]));
        result.largest = worst_of(result.largest, error == 0 ? 0 : error / rms);
        if (double const size = std::sqrt(dot(expected[i], expected[i])); size > 0) relative.push_back(error / size);
    }
    std::nth_element(relative.begin(), relative.begin() + static_cast<std::ptrdiff_t>(relative.size() / 2),
                     relative.end());
    result.median = relative[relative.size() / 2];
    return result;
}

template <class P> void check(Result const& result, double energy, Vectors const& forces) {
    CAPTURE(P::name);
    auto const [largest, median] = errors(result.forces, forces);
    if (std::is_same_v<P, Double>) {
        CHECK(largest < 1e-9);
        CHECK(result.energy == Approx(energy).epsilon(1e-11));
    } else {
        CHECK(largest < 5e-6);
        CHECK(median < 2e-6);
        CHECK(result.energy == Approx(energy).epsilon(2e-6));
    }
}

template <class P> void check_mesh(Charges const& charges, MeshSettings const& mesh, MeshKind kind) {
    Runner<P, device::ParticleMesh<Queue>> runner(charges, mesh, kind);
    auto const first = runner.run(), second = runner.run(false);
    Vectors forces(charges.positions.size());
    double const energy = reference::ParticleMesh(mesh, kind).add(charges.values, charges.positions, charges.box, forces);
    CAPTURE(mesh.nx, mesh.ny, mesh.nz, int(kind));
    check<P>(first, energy, forces);
    CHECK(first.forces == second.forces);
}
template <class P> void check_mesh(Box const& box, MeshSettings const& mesh, MeshKind kind) {
    check_mesh<P>(random_charges(box, kind), mesh, kind);
}

Box const cubic = Box::rectangular(2.6, 2.6, 2.6), skewed{{2.5, 0, 0}, {-0.8, 2.4, 0}, {1.1, -0.9, 2.7}},
          flat = Box::rectangular(3.5, 2.1, 1.7);

}  // namespace

TEST_CASE("Meshes of charges give the forces and energies of Reference", "[device][mesh]") {
    check_mesh<Double>(cubic, {3.2, 24, 24, 24}, MeshKind::coulomb);
    check_mesh<Double>(skewed, {3.0, 20, 22, 25}, MeshKind::coulomb);
    check_mesh<Mixed>(skewed, {3.0, 20, 22, 25}, MeshKind::coulomb);
    check_mesh<Single>(flat, {3.1, 35, 20, 16}, MeshKind::coulomb);
}

TEST_CASE("Meshes of dispersion give the forces and energies of Reference", "[device][mesh]") {
    check_mesh<Double>(skewed, {2.8, 14, 15, 16}, MeshKind::dispersion);
    check_mesh<Single>(flat, {2.8, 21, 13, 12}, MeshKind::dispersion);
}

TEST_CASE("Neighbours meet on a brick of the mesh, others on the mesh itself", "[device][mesh]") {
    for (Box const& box : {cubic, skewed}) {
        check_mesh<Mixed>(gathered_charges(box), {3.0, 48, 45, 50}, MeshKind::coulomb);
        check_mesh<Mixed>(gathered_charges(box), {3.0, 20, 24, 25}, MeshKind::coulomb);
    }
    check_mesh<Double>(gathered_charges(skewed), {3.0, 40, 36, 35}, MeshKind::coulomb);
}

TEST_CASE("Meshes whose planes do not fit into local memory", "[device][mesh]") {
    check_mesh<Double>(flat, {3.1, 11, 107, 40}, MeshKind::coulomb);
}

TEST_CASE("A mesh follows the box, and new charges", "[device][mesh]") {
    MeshSettings const mesh{3.0, 20, 22, 25};
    auto charges = random_charges(skewed, MeshKind::coulomb);
    Runner<Mixed, device::ParticleMesh<Queue>> runner(charges, mesh, MeshKind::coulomb);
    runner.run();
    CHECK(runner.sum.counting().bits == 32);
    CHECK(runner.sum.launches() == 5);

    auto compare = [&] {
        Vectors forces(charges.positions.size());
        reference::ParticleMesh reference(mesh, MeshKind::coulomb);
        double const energy = reference.add(charges.values, charges.positions, runner.engine.host.box, forces);
        check<Mixed>(runner.run(), energy, forces);
    };
    runner.engine.host.box = cubic;
    compare();
    // The old fixed-point format of the mesh would overflow; that of forces, in units of 2^-32 kJ/mol/nm, does not.
    auto const scale = std::sqrt(constants::coulomb);
    for (std::size_t i = 0; i < charges.values.size(); ++i) runner.values[i] = scale * (charges.values[i] *= 300);
    runner.numbers.upload(runner.engine.queue, runner.values);
    runner.sum.charges_changed();
    compare();
}

TEST_CASE("How finely a mesh counts", "[device][mesh]") {
    MeshSettings const fine{3, 26, 26, 26}, coarse{3, 6, 6, 6};
    std::vector<double> const charges(2000, 5);
    auto const few = device::mesh_counting(charges, fine, cubic, false);
    CHECK(few.bits == 32);
    // 58 particles near a point, 0.22 of their charges on it: 5·58·0.22·2^24 < 2^30 < 5·58·0.22·2^25.
    CHECK(few.exponent == 24);
    CHECK(device::mesh_counting(charges, fine, cubic, true).bits == 64);
    CHECK(device::mesh_counting(charges, coarse, cubic, false).bits == 64);
}

TEST_CASE("Plain Ewald sums give the forces and energies of Reference", "[device][ewald]") {
    EwaldSplitting const splitting{3.0, {7, 5, 9}};
    auto const charges = random_charges(skewed, MeshKind::coulomb);
    Vectors forces(charges.positions.size());
    double const energy = reference::EwaldSum(splitting).add(charges.values, charges.positions, skewed, forces);
    auto compare = [&]<class P>(P) {
        Runner<P, device::EwaldSum<Queue>> runner(charges, splitting);
        auto const first = runner.run(), second = runner.run(false);
        check<P>(first, energy, forces);
        CHECK(first.forces == second.forces);
    };
    compare(Double{});
    compare(Mixed{});
    compare(Single{});
}
