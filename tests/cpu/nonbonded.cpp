// NonbondedForce and GBSAOBCForce on Cpu: every instruction set against Reference, bitwise reproducibility, moving
// particles, checkpoints.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <string>

#include <trotter/base/archive.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;
using Method = NonbondedForce::Method;

namespace {

constexpr Method methods[] = {
    Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ewald, Method::pme, Method::ljpme};

/// Errors allowed in float: larger where a mesh is spread in float, or for differences of larger numbers (Born
/// integrals).
double allowed_median(NonbondedForce const& force) { return force.uses_ewald() ? 5e-6 : 2e-6; }
double allowed_median(GBSAOBCForce const&) { return 5e-6; }

template <class F> void compare_with_reference(Sample const& s, F const& force) {
    double const median = allowed_median(force);
    auto const expected = evaluate<Reference, Double>(s, force);
    with_each_instruction_set([&] {
        auto const full = evaluate<Cpu, Double>(s, force), mixed = evaluate<Cpu, Mixed>(s, force);
        CHECK(errors(full.forces, expected.forces).largest < 1e-11);
        CHECK(full.energy == Approx(expected.energy).epsilon(1e-11));
        CHECK(errors(mixed.forces, expected.forces).median < median);
        CHECK(errors(mixed.forces, expected.forces).largest < 1e-4);
        // Energies of 10⁵ pairs, much larger than their sum, are summed in float.
        CHECK(mixed.energy == Approx(expected.energy).epsilon(1e-5).margin(0.03));
    });
}

bool same_bits(Result const& a, Result const& b) { return a.forces == b.forces; }

}  // namespace

TEST_CASE("every method, box and setting of NonbondedForce agrees with Reference", "[cpu]") {
    for (auto method : methods)
        for (Box const& box : {cube, skewed}) {
            if (method == Method::ewald && !box.is_rectangular()) continue;
            auto s = sample(box, method);
            INFO("method " << static_cast<int>(method) << (box.is_rectangular() ? ", rectangular" : ", triclinic"));
            compare_with_reference(s, s.force);
            s.force.use_switching_function = true;
            s.force.switching_distance = 0.65;
            s.force.exceptions_use_periodic = true;
            // Molecules in other images, and one across a face of the box.
            for (std::size_t i = 0; i < s.positions.size(); i += 7) s.positions[i] += box.a * 2.0 - box.c;
            compare_with_reference(s, s.force);
        }
}

TEST_CASE("particles without charges", "[cpu]") {
    for (auto method : {Method::no_cutoff, Method::cutoff_periodic}) {
        auto s = sample(cube, method);
        auto const charged = s.force;
        for (auto& particle : s.force.particles) particle.charge = 0;
        compare_with_reference(s, s.force);
        s.force.use_switching_function = true;
        s.force.switching_distance = 0.65;
        compare_with_reference(s, s.force);
        // Later changes of charges take effect.
        s.force.use_switching_function = false;
        s.force.switching_distance = charged.switching_distance;
        Runner<Cpu, Double, NonbondedForce> live(s, s.force);
        live();
        live.kernel.update(charged, live.engine);
        CHECK(errors(live().forces, evaluate<Reference, Double>(s, charged).forces).largest < 1e-11);
    }
}

TEST_CASE("particles without Lennard-Jones sites", "[cpu]") {
    for (auto method : {Method::cutoff_periodic, Method::pme, Method::ljpme}) {
        auto s = sample(cube, method);
        auto const with_sites = s.force;
        for (std::size_t i = 0; i < s.force.particles.size(); ++i)
            if (i % 3 != 0) s.force.particles[i].epsilon = 0;
        compare_with_reference(s, s.force);
        // Later changes of sites take effect, also by a global parameter.
        Runner<Cpu, Double, NonbondedForce> live(s, s.force);
        live();
        live.kernel.update(with_sites, live.engine);
        CHECK(errors(live().forces, evaluate<Reference, Double>(s, with_sites).forces).largest < 1e-11);
        s.force.global_parameters.push_back({"scale", 1.0});
        for (int i = 0; i < static_cast<int>(s.force.particles.size()); i += 2)
            s.force.particle_offsets.push_back({"scale", i, 0.0, 0.1, 0.5});
        compare_with_reference(s, s.force);
        for (auto& particle : s.force.particles) particle.epsilon = 0;
        s.force.particle_offsets.clear();
        compare_with_reference(s, s.force);
    }
}

TEST_CASE("exceptions between particles as they are reach as far as they must", "[cpu]") {
    auto s = sample(cube, Method::ljpme);
    s.force.exceptions.push_back({10, 400, 0.3, 0.3, 0.5});
    s.positions[30] += cube.b;
    compare_with_reference(s, s.force);
}

TEST_CASE("any splitting and mesh", "[cpu]") {
    auto s = sample(skewed, Method::ljpme);
    s.force.ljpme = {2.2, 11, 12, 10};
    for (double alpha : {0.5, 3.5, 6.0}) {  // the last needs more than the unrolled polynomials
        s.force.pme = {alpha, 21, 18, 25};
        compare_with_reference(s, s.force);
    }
    s.force.pme = {3.0, 5, 6, 7};
    compare_with_reference(s, s.force);
}

TEST_CASE("few particles, far from each other or in one place", "[cpu]") {
    for (auto method : {Method::no_cutoff, Method::cutoff_non_periodic}) {
        Sample s{cube, {{0, 0, 0}, {0.3, 0, 0}, {1e4, 0, 5}, {-1e5, 2, 0}}, {}};
        s.force.particles.assign(4, {0.5, 0.3, 1});
        s.force.method = method;
        compare_with_reference(s, s.force);
        s.positions[1] = s.positions[0];
        s.force.exceptions.push_back({0, 1});
        compare_with_reference(s, s.force);
    }
    // Pairs at about the same height in one wide column.
    Sample wide{cube, {}, {}};
    for (Vec3<> const& corner : {Vec3<>{0, 0, 0}, {1000, 0, 0.1}, {0, 1000, 0.2}, {1000, 1000, 1000}})
        for (double x : {0.0, 0.2}) wide.positions.push_back(corner + Vec3<>{x, x / 3, x / 9});
    wide.force.particles.assign(wide.positions.size(), {0.5, 0.3, 1});
    compare_with_reference(wide, wide.force);
    Sample one{cube, {{0.1, 0.2, 0.3}}, {}};
    one.force.particles.assign(1, {0.5, 0.3, 1});
    CHECK(evaluate<Cpu, Mixed>(one, one.force).energy == 0);
}

TEST_CASE("GBSAOBCForce agrees with Reference", "[cpu]") {
    auto s = sample(cube, Method::no_cutoff, 4);
    GBSAOBCForce force;
    for (std::size_t i = 0; i < s.positions.size(); ++i) {
        double const radius = i % 3 == 0 ? 0.17 : 0.12;
        force.particles.push_back({s.force.particles[i].charge, radius, i % 3 == 0 ? 0.85 : 0.8});
    }
    force.cutoff_distance = 0.9;
    for (auto method : {GBSAOBCForce::Method::no_cutoff, GBSAOBCForce::Method::cutoff_non_periodic,
                        GBSAOBCForce::Method::cutoff_periodic}) {
        force.method = method;
        compare_with_reference(s, force);
    }
}

TEST_CASE("bits do not depend on threads or on whether energies are asked for", "[cpu]") {
    for (auto method : methods) {
        auto const s = sample(cube, method);
        Runner<Cpu, Mixed, NonbondedForce> one(s, s.force, {1});
        auto const expected = one();
        CHECK(same_bits(one(false), expected));
        for (int threads : {2, 3, 4, 7}) {
            auto const result = evaluate<Cpu, Mixed>(s, s.force, Cpu{threads});
            CHECK(same_bits(result, expected));
            CHECK(result.energy == expected.energy);
        }
    }
}

TEST_CASE("of two images at the cutoff one counts", "[cpu]") {
    // Positions whose distances are exact in float; pairs at the cutoff lie along the axes, and as (3, 4, 0).
    Sample s{Box::rectangular(2.5, 2.5, 2.5), {}, {}};
    for (int n = 0; n < 1000; ++n) s.positions.push_back(Vec3<>{n % 10 + 0.0, n / 10 % 10 + 0.0, n / 100 + 0.0} * 0.25);
    s.force.particles.assign(1000, {0.3, 0.2, 0.5});
    s.force.cutoff_distance = 1.25;
    s.force.method = Method::cutoff_periodic;
    s.force.reaction_field_dielectric = 1;
    for (double shift : {0.0, 5.0, -1.125}) {
        for (auto& x : s.positions) x.y += shift;
        double const expected = evaluate<Reference, Double>(s, s.force).energy;
        with_each_instruction_set([&] {
            CHECK(evaluate<Cpu, Double>(s, s.force).energy == Approx(expected).epsilon(1e-12));
            CHECK(evaluate<Cpu, Mixed>(s, s.force).energy == Approx(expected).epsilon(1e-6));
        });
    }
    // Two particles approaching from both sides, with the initial list.
    Sample two{Box::rectangular(2.5, 9, 9), {{0.125, 1, 1}, {1.5, 1, 1}}, {}};
    two.force = s.force;
    two.force.particles.resize(2);
    Runner<Cpu, Double, NonbondedForce> cpu(two, two.force);
    Runner<Reference, Double, NonbondedForce> reference(two, two.force);
    for (double x : {1.5, 1.4375, 1.375, 1.3125}) {
        cpu.engine.host.positions[1].x = reference.engine.host.positions[1].x = x;
        // Coulomb energies of 10 kJ/mol cancel to 4e-5 at the cutoff.
        CHECK(cpu().energy == Approx(reference().energy).epsilon(1e-12).margin(1e-13));
    }
}

TEST_CASE("in small cells pairs may be nearest by other images than their clusters are", "[cpu]") {
    Box const slanted{{1.7, 0, 0}, {0.6, 1.7, 0}, {-0.5, 0.7, 1.7}};
    for (Box const& box : {Box::rectangular(1.61, 4, 1.61), Box::rectangular(1.61, 1.7, 1.8), slanted})
        // Few particles share clusters nearly as large as the cell.
        for (int edge : {2, 3, 4})
            for (auto method : {Method::cutoff_periodic, Method::pme}) {
                // Forces of so few are small, and mesh rounding exceeds 1e-11 of them.
                if (edge == 2 && method == Method::pme) continue;
                auto s = sample(box, method, edge);
                INFO(edge << ", method " << static_cast<int>(method) << ", " << box.a.x << " " << box.b.y);
                compare_with_reference(s, s.force);
                for (std::size_t i = 0; i < s.positions.size(); ++i)
                    s.positions[i] += box.a * static_cast<double>(i % 3) - box.b * static_cast<double>(i % 4);
                s.force.exceptions_use_periodic = true;
                compare_with_reference(s, s.force);
            }
}

TEST_CASE("particles of few kinds and of many, in cells that are wide and just wide enough", "[cpu]") {
    // From cells where another image is always near to those where none is, and one with coarse steps.
    struct Case {
        Box box;
        int edge;
    };
    for (auto const& [box, edge] :
         {Case{Box::rectangular(2.1, 2.3, 2.5), 7}, Case{Box::rectangular(2.6, 2.7, 2.8), 8},
          Case{Box::rectangular(3, 3, 3.4), 9}, Case{{{3.2, 0, 0}, {1.1, 3, 0}, {-0.9, 1.2, 3.1}}, 9},
          Case{Box::rectangular(70, 3, 3), 6}})
        for (unsigned const kinds : {1u, 2u, 5u, 12u, 40u, 64u, 65u, 200u}) {
            auto s = sample(box, Method::cutoff_periodic, edge);
            for (std::size_t i = 0; i < s.force.particles.size(); ++i)
                s.force.particles[i].sigma = 0.2 + 0.0005 * static_cast<double>(i % kinds);
            INFO(kinds << " kinds, " << box.a.x << " " << box.b.y << (box.is_rectangular() ? "" : ", triclinic"));
            auto const expected = evaluate<Reference, Double>(s, s.force),
                       mixed = evaluate<Cpu, Mixed>(s, s.force);
            CHECK(errors(mixed.forces, expected.forces).median < 2e-6);
            CHECK(errors(mixed.forces, expected.forces).largest < 1e-4);
        }
}

TEST_CASE("a mesh most of which has no charges near", "[cpu]") {
    auto s = sample(cube, Method::pme, 3);
    for (auto& x : s.positions) x = {0.6 * x.x, 0.5 * x.y, 0.5 * x.z};
    s.box = Box::rectangular(6 * s.box.a.x, s.box.b.y, s.box.c.z);
    auto const expected = evaluate<Reference, Double>(s, s.force);
    Runner<Cpu, Double, NonbondedForce> runner(s, s.force);
    for (int repeated = 0; repeated < 2; ++repeated) {  // on a mesh already used
        auto const found = runner();
        CHECK(errors(found.forces, expected.forces).largest < 1e-11);
        CHECK(found.energy == Approx(expected.energy).epsilon(1e-11));
    }
}

TEST_CASE("kinds follow the numbers of particles", "[cpu]") {
    auto s = sample(Box::rectangular(3, 3, 3.4), Method::cutoff_periodic, 9);
    Runner<Cpu, Mixed, NonbondedForce> runner(s, s.force);
    for (double depth : {0.5, 0.2, 0.8}) {
        s.force.particles[5].epsilon = depth;
        for (std::size_t i = 0; i < s.force.particles.size(); i += 3) s.force.particles[i].epsilon = depth;
        runner.kernel.update(s.force, runner.engine);
        CHECK(same_bits(runner(), evaluate<Cpu, Mixed>(s, s.force)));
    }
}

TEST_CASE("lists of all pairs do not grow with their number", "[cpu]") {
    auto const s = sample(cube, Method::no_cutoff, 8);
    cpu::NeighborList<cpu::DynamicDispatch, float> neighbors(0, false, {exclusions(s.force), false, false},
                                                             cpu::exact_lists<cpu::DynamicDispatch>);
    Threads threads(1);
    neighbors.update(s.positions, s.box, threads);
    std::int64_t const clusters = neighbors.clusters.size();
    std::int64_t stored = 0;
    for (int task = 0; task < neighbors.task_count(); ++task) {
        auto const view = neighbors.view(task, {});
        int longest = 0;
        for (int g = 0; g < view.group_count; ++g)
            for (auto const& range : view.groups[g].plain) longest = std::max(longest, range.end);
        stored += longest;
    }
    CHECK(neighbors.pair_count() == 16 * clusters * (clusters + 1) / 2);
    CHECK(stored < clusters * clusters / 5);
}

TEST_CASE("lists stay right while particles move and the box changes", "[cpu]") {
    for (auto method : {Method::cutoff_periodic, Method::pme, Method::no_cutoff}) {
        auto s = sample(skewed, method);
        Runner<Cpu, Double, NonbondedForce> moving(s, s.force);
        std::mt19937 generator(3);
        for (int step = 0; step < 40; ++step) {
            for (auto& x : moving.engine.host.positions)
                for (std::size_t axis = 0; axis < 3; ++axis)
                    x[axis] += 0.02 * (static_cast<double>(generator()) / 0x1p32 - 0.5);
            if (step % 15 == 14) moving.engine.host.box.c *= 1.01;
            auto fresh = s;
            fresh.positions = moving.engine.host.positions;
            Runner<Cpu, Double, NonbondedForce> other(fresh, s.force);
            other.engine.host.box = moving.engine.host.box;
            CHECK(errors(moving().forces, other().forces).largest < 1e-12);
        }
    }
}

TEST_CASE("particles stay where they are meant while they move in wide cells", "[cpu]") {
    for (Box const& box : {Box::rectangular(2.6, 2.7, 2.8), Box{{3.2, 0, 0}, {1.1, 3, 0}, {-0.9, 1.2, 3.1}}}) {
        auto s = sample(box, Method::cutoff_periodic, 8);
        // The force vanishes at the cutoff, so that rounding of distances to float there makes no difference.
        s.force.reaction_field_dielectric = 1e9;
        s.force.use_switching_function = true;
        s.force.switching_distance = 0.7;
        Runner<Cpu, Mixed, NonbondedForce> moving(s, s.force, {.missed_pairs = 0});
        std::mt19937 generator(5);
        for (int step = 0; step < 30; ++step) {
            for (auto& x : moving.engine.host.positions)
                for (std::size_t axis = 0; axis < 3; ++axis)
                    x[axis] += 0.03 * (static_cast<double>(generator()) / 0x1p32 - 0.5);
            s.positions = moving.engine.host.positions;
            auto const expected = evaluate<Cpu, Double>(s, s.force);
            auto const found = errors(moving().forces, expected.forces);
            CHECK(found.median < 2e-6);
            CHECK(found.largest < 1e-4);
        }
    }
}

TEST_CASE("a kernel resumes with the same bits", "[cpu]") {
    auto const s = sample(cube, Method::pme);
    auto move = [](auto& runner, int step) {
        for (std::size_t i = 0; i < runner.engine.host.size(); ++i)
            runner.engine.host.positions[i].x += 0.003 * std::sin(1.7 * static_cast<double>(i) + step);
    };
    // With lists as built, and pruned since.
    for (int const saved : {1, 12}) {
        Runner<Cpu, Mixed, NonbondedForce> first(s, s.force);
        for (int step = 0; step < saved; ++step) {
            move(first, step);
            first(false);
        }
        Archive archive;
        first.engine.save(archive);
        Runner<Cpu, Mixed, NonbondedForce> second(s, s.force);
        Archive in(archive.bytes());
        second.engine.load(in);
        in.expect_end();
        for (int step = saved; step < 40; ++step) {
            CHECK(same_bits(first(false), second(false)));
            move(first, step);
            move(second, step);
        }
    }
}

TEST_CASE("a saved list with too few coordinates is refused", "[cpu]") {
    auto const s = sample(cube, Method::pme);
    Archive archive({}, "a checkpoint");
    archive.put(true);
    archive.put(s.box);
    archive.put(s.positions);
    archive.put(true);
    archive.put(std::vector<float>(12));
    Runner<Cpu, Mixed, NonbondedForce> runner(s, s.force);
    CHECK_THROWS_WITH(runner.engine.pair_lists.load(archive), Catch::Matchers::Contains("a checkpoint")
                                                       && Catch::Matchers::Contains("12 coordinates, expected"));
}

TEST_CASE("global parameters, updates and groups act at once", "[cpu]") {
    auto s = sample(cube, Method::pme, 4);
    s.force.cutoff_distance = 0.7;
    s.force.global_parameters.push_back({"lambda", 0.5});
    s.force.particle_offsets.push_back({"lambda", 3, 0.4, 0.02, 0.1});
    s.force.exception_offsets.push_back({"lambda", 4, 0.2, 0, 0.3});
    Runner<Cpu, Double, NonbondedForce> cpu(s, s.force);
    Runner<Reference, Double, NonbondedForce> reference(s, s.force);
    auto agree = [&] {
        auto const a = cpu(), b = reference();
        CHECK(errors(a.forces, b.forces).largest < 1e-11);
        CHECK(a.energy == Approx(b.energy).epsilon(1e-11));
    };
    agree();
    for (auto* host : {&cpu.engine.host, &reference.engine.host}) host->parameters.set("lambda", 1.25);
    agree();
    s.force.particles[7].charge = 0.9;
    auto const changed =
        std::find_if(s.force.exceptions.begin(), s.force.exceptions.end(), [](auto const& e) { return e.epsilon > 0; });
    changed->epsilon = 0.4;
    changed->sigma = 0.2;
    cpu.kernel.update(s.force, cpu.engine);
    reference.kernel.update(s.force, reference.engine);
    agree();
    s.force.reciprocal_force_group = 3;
    Runner<Cpu, Double, NonbondedForce> split(s, s.force);
    split.engine.host.parameters.set("lambda", 1.25);
    double const whole = cpu().energy;
    CHECK(split(true, ForceGroups::only({0})).energy + split(true, ForceGroups::only({3})).energy
          == Approx(whole).epsilon(1e-13));
    CHECK(split(true, ForceGroups::only({7})).energy == 0);
}

TEST_CASE("an unknown instruction set is refused by name", "[cpu]") {
    CHECK_THROWS_WITH(
        cpu::use_instruction_set("mmx"),
        Catch::Matchers::Contains("'mmx'") && Catch::Matchers::Contains(std::string(cpu::instruction_sets().front())));
}
