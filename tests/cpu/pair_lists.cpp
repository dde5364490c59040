// Pairs missed by the lists of moving particles: the allowed fraction, and no others.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/trotter.hpp>

#include "../user_forces/own_contexts.hpp"

using namespace trotter;

namespace {

/// Counts the pairs within the cutoff, as its energy.
struct CountForce {
    static constexpr std::string_view name = "CountForce";
    struct Particle {
        double weight = 1;
    };
    std::vector<Particle> particles;
    PairSettings pairs{.method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.9};
    int force_group = 0;

    static constexpr auto sites = &CountForce::particles;
    static constexpr auto fields = std::tuple{Field{"weight", "w", &Particle::weight}};
    static constexpr Expression<"weight1*weight2"> energy{};
};

constexpr std::size_t count = 2000;
Box const box = Box::rectangular(2.7, 2.75, 2.8);

double pairs_within(std::vector<Vec3<>> const& positions, double cutoff) {
    double pairs = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            auto const d = box.minimum_image(positions[i] - positions[j]);
            pairs += dot(d, d) <= cutoff * cutoff;
        }
    return pairs;
}

/// The fraction of pairs that the lists missed, on average over the steps and at most, of particles as fast as the
/// hydrogens of warm water, some of them `faster` times as fast.
struct Missed {
    double average = 0, most = 0;
};
template <class P> Missed missed(double allowed, double faster, P precision) {
    CountForce force;
    force.particles.resize(count);
    Context context{own_system_of(force, count, box), VerletIntegrator{.step_size = 0.001}, Cpu{.threads = 2, .missed_pairs = allowed},
                    precision};
    auto positions = scattered(count, box, 0.0, 3);
    std::mt19937 generator(7);
    auto normal = [&] {  // sum of twelve uniform numbers
        double sum = -6;
        for (int n = 0; n < 12; ++n) sum += static_cast<double>(generator()) / 0x1p32;
        return sum;
    };
    std::vector<Vec3<>> moves(count);
    for (std::size_t i = 0; i < count; ++i) {
        double const size = i % 500 == 0 ? 0.003 * faster : 0.003;
        moves[i] = {size * normal(), size * normal(), size * normal()};
    }
    Missed result;
    int const steps = 40;
    for (int step = 0; step < steps; ++step) {
        context.set_positions(positions);
        double const found = context.state(Energy).potential_energy, there = pairs_within(positions, 0.9);
        // Float rounding may put a pair at the cutoff on either side.
        double const fraction = std::max(0.0, there - found - (sizeof(typename P::Real) == 4 ? 2 : 0)) / there;
        result.average += fraction / steps;
        result.most = std::max(result.most, fraction);
        for (std::size_t i = 0; i < count; ++i) positions[i] += moves[i];
    }
    return result;
}

}  // namespace

TEST_CASE("lists miss no pair where none may be missed", "[cpu][statistics]") {
    for (double faster : {1.0, 20.0}) {
        CHECK(missed(0, faster, Mixed{}).most == 0);
        CHECK(missed(1e-2, faster, Double{}).most == 0);
    }
}

TEST_CASE("lists miss as many pairs as they may", "[cpu][statistics]") {
    for (double allowed : {1e-3, 1e-4}) {
        auto const found = missed(allowed, 1, Mixed{});
        CAPTURE(allowed, found.average, found.most);
        // The estimate samples 6000 numbers, and lists wider than necessary miss fewer pairs.
        CHECK(found.most < 1.5 * allowed);
        CHECK(found.most > 0);
    }
}

TEST_CASE("particles much faster than the others are not lost", "[cpu][statistics]") {
    auto const found = missed(1e-3, 20, Mixed{});
    CHECK(found.most < 1.5e-3);
}

TEST_CASE("lists of few particles miss none of their pairs", "[cpu]") {
    // Particles may then move by at most half a buffer, so that no pair is missed.
    auto const few = cpu::pair_list_buffers<float>(Cpu{}, 400), many = cpu::pair_list_buffers<float>(Cpu{}, 500);
    CHECK(few.inner_limit == few.inner / 2);
    CHECK(few.outer_limit == few.outer / 2);
    CHECK(many.inner_limit > many.inner / 2);
}

TEST_CASE("lists of an impossible width are refused", "[cpu]") {
    CountForce force;
    force.particles.resize(count);
    auto const system = own_system_of(force, count, box);
    for (double width : {-0.1, 1.5, std::nan("")}) {
        CAPTURE(width);
        CHECK_THROWS_WITH((Context{system, VerletIntegrator{.step_size = 0.001}, Cpu{.list_buffer = width}, Mixed{}}),
                          Catch::Matchers::Contains("expected 0 to 1 nm"));
    }
}
