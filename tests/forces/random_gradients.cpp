// Reproducible random small systems: every force is minus the gradient of its energy, in every kind of box.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <utility>

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

namespace random_gradients_test {

namespace {

constexpr double cutoff = 0.95;

/// One system: random parameters, a box, and particles with no pair near the cutoff.
class Draw {
public:
    explicit Draw(unsigned seed, bool may_be_skewed = true)
        : generator_(seed), count(static_cast<std::size_t>(integer(4, 10))) {
        auto edge = [&] { return number(2.0, 2.6); };
        box = Box::rectangular(edge(), edge(), edge());
        if (may_be_skewed && chance()) {
            box.b.x = number(-0.45, 0.45) * box.a.x;
            box.c.x = number(-0.45, 0.45) * box.a.x;
            box.c.y = number(-0.45, 0.45) * box.b.y;
        }
        do {
            positions = scattered(count, box, 0.27, static_cast<unsigned>(integer(0, 1 << 30)));
        } while (!no_pair_at(cutoff, positions, box));
    }

    double number(double low, double high) { return low + (high - low) * static_cast<double>(generator_()) / 0x1p32; }
    int integer(int low, int high) { return low + static_cast<int>(number(0, 1) * (high - low + 1)); }
    bool chance() { return integer(0, 1) == 1; }

    /// Distinct particles of which no three consecutive ones are within 1° of a line.
    template <std::size_t n> std::array<int, n> chain(bool is_periodic) {
        for (;;) {
            std::array<int, n> result{};
            for (auto& particle : result) particle = integer(0, static_cast<int>(count) - 1);
            if (is_good(result, is_periodic)) return result;
        }
    }

private:
    template <std::size_t n> bool is_good(std::array<int, n> const& chain, bool is_periodic) const {
        auto place = [&](std::size_t a) { return positions[static_cast<std::size_t>(chain[a])]; };
        auto between = [&](std::size_t a, std::size_t b) {
            Vec3<> const d = place(a) - place(b);
            return is_periodic ? box.minimum_image(d) : d;
        };
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (chain[i] == chain[j]) return false;
        for (std::size_t i = 0; i + 2 < n; ++i) {
            Vec3<> const u = between(i, i + 1), v = between(i + 2, i + 1);
            if (norm(cross(u, v)) < norm(u) * norm(v) * std::sin(std::numbers::pi / 180)) return false;
        }
        // The minimum image changes where a difference crosses half of the box.
        for (std::size_t i = 0; is_periodic && i + 1 < n; ++i) {
            Vec3<> const s = box.fractions(between(i, i + 1));
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (0.5 - std::abs(s[axis]) < 0.01) return false;
        }
        return true;
    }

    std::mt19937 generator_;

public:
    std::size_t count;
    Box box;
    Vectors positions;
};

HarmonicBondForce make(Draw& draw, HarmonicBondForce force) {
    for (int n = 0; n < 8; ++n) {
        auto const [i, j] = draw.chain<2>(force.periodic);
        force.bonds.push_back({i, j, draw.number(0, 0.5), draw.number(0, 1e4)});
    }
    return force;
}
HarmonicAngleForce make(Draw& draw, HarmonicAngleForce force) {
    for (int n = 0; n < 8; ++n) {
        auto const [i, j, k] = draw.chain<3>(force.periodic);
        force.angles.push_back({i, j, k, draw.number(0, std::numbers::pi), draw.number(0, 500)});
    }
    return force;
}
PeriodicTorsionForce make(Draw& draw, PeriodicTorsionForce force) {
    for (int n = 0; n < 8; ++n) {
        auto const [i, j, k, l] = draw.chain<4>(force.periodic);
        force.torsions.push_back({i, j, k, l, draw.integer(1, 6), draw.number(-4, 4), draw.number(-20, 20)});
    }
    return force;
}
RBTorsionForce make(Draw& draw, RBTorsionForce force) {
    auto c = [&] { return draw.number(-10, 10); };
    for (int n = 0; n < 8; ++n) {
        auto const [i, j, k, l] = draw.chain<4>(force.periodic);
        force.torsions.push_back({i, j, k, l, c(), c(), c(), c(), c(), c()});
    }
    return force;
}
CMAPTorsionForce make(Draw& draw, CMAPTorsionForce force) {
    auto& map = force.maps.emplace_back();
    map.size = draw.integer(4, 12);
    for (int n = 0; n < map.size * map.size; ++n) map.energy.push_back(draw.number(-5, 5));
    for (int n = 0; n < 4; ++n) {
        auto const a = draw.chain<4>(force.periodic), b = draw.chain<4>(force.periodic);
        force.torsions.push_back({0, a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]});
    }
    return force;
}

NonbondedForce nonbonded(Draw& draw, NonbondedForce::Method method) {
    NonbondedForce force;
    force.method = method;
    force.cutoff_distance = cutoff;
    force.ewald_error_tolerance = std::pow(10, draw.number(-4, -3));
    force.use_switching_function = draw.chance();
    force.switching_distance = draw.number(0.5, 0.9);
    force.exceptions_use_periodic = draw.chance();
    force.reaction_field_dielectric = draw.number(1, 80);
    for (std::size_t i = 0; i < draw.count; ++i)
        force.particles.push_back({draw.number(-1, 1), draw.number(0.2, 0.35), draw.number(0, 1)});
    for (int i = 0; i + 1 < static_cast<int>(draw.count); i += draw.integer(1, 3))
        force.exceptions.push_back({i, i + 1, draw.chance() ? 0 : draw.number(-1, 1), draw.number(0.2, 0.35),
                                    draw.chance() ? 0 : draw.number(0, 1)});
    force.global_parameters = {{"lambda", draw.number(0, 1)}};
    force.particle_offsets = {{"lambda", 1, draw.number(-1, 1), draw.number(0, 0.05), draw.number(0, 1)}};
    force.exception_offsets = {{"lambda", 0, draw.number(-1, 1), draw.number(0, 0.05), draw.number(0, 1)}};
    if (!force.exceptions_use_periodic) return force;
    for (auto& exception : force.exceptions) {  // the energy is not smooth where the minimum image changes
        auto const [i, j] = draw.chain<2>(true);
        exception.particle1 = std::min(i, j), exception.particle2 = std::max(i, j);
    }
    auto pair = [](auto const& e) { return std::pair{e.particle1, e.particle2}; };
    std::ranges::sort(force.exceptions, {}, pair);
    auto const repeated = std::ranges::unique(force.exceptions, {}, pair);
    force.exceptions.erase(repeated.begin(), repeated.end());
    return force;
}
GBSAOBCForce born(Draw& draw, GBSAOBCForce::Method method) {
    GBSAOBCForce force;
    force.method = method;
    force.cutoff_distance = cutoff;
    for (std::size_t i = 0; i < draw.count; ++i)
        force.particles.push_back({draw.number(-1, 1), draw.number(0.1, 0.2), draw.number(0.6, 1)});
    return force;
}

/// The largest error of a force, in units of the limit, which is absolute if no particles interact.
template <Force F>
double error(TestPlatform const& platform, Draw const& draw, F const& force) {
    auto context = context_of(platform, system_of(force, draw.count, draw.box), draw.positions);
    auto const forces = evaluation(context).forces;
    return gradient_error(context, draw.positions, forces) / std::max(rms(forces), 1e-3) / 1e-7;
}

}  // namespace

TEST_CASE("forces of random systems are gradients", "[forces]") {
    auto const platform = each_platform();
    if (!platform.is_double) return;  // rounding of energies in float exceeds the tolerance
    for (unsigned seed = 0; seed < 16; ++seed) {
        INFO("seed " << seed);
        auto check_term = [&](auto force) {
            Draw draw(1000 + seed);
            force.periodic = seed % 2 == 1;
            INFO(force.name);
            CHECK(error(platform, draw, make(draw, force)) < 1);
        };
        check_term(HarmonicBondForce{});
        check_term(HarmonicAngleForce{});
        check_term(PeriodicTorsionForce{});
        check_term(RBTorsionForce{});
        check_term(CMAPTorsionForce{});
        for (int method = 0; method <= static_cast<int>(NonbondedForce::Method::ljpme); ++method) {
            auto const kind = static_cast<NonbondedForce::Method>(method);
            Draw draw(2000 + seed, kind != NonbondedForce::Method::ewald);
            INFO("nonbonded method " << method);
            auto const force = nonbonded(draw, kind);
            CHECK(error(platform, draw, force) < 1);
        }
        for (int method = 0; method <= static_cast<int>(GBSAOBCForce::Method::cutoff_periodic); ++method) {
            Draw draw(3000 + seed);
            INFO("generalized Born method " << method);
            CHECK(error(platform, draw, born(draw, static_cast<GBSAOBCForce::Method>(method))) < 1);
        }
    }
}

}  // namespace random_gradients_test
