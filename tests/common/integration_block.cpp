// Operators applied to blocks of particles give the same bits as applied to one particle at a time.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "catch_compat.hpp"

#include <trotter/common/integration/integration_block.hpp>

using namespace trotter;

namespace {

using Vectors = std::vector<Vec3<>>;
constexpr double kick = 0.25, drift = 0.002, decay = 0.9, spread = 0.3;
RandomStream const stream{77, 3};

struct Ensemble {
    std::vector<double> inverse_masses, roots;
    Vectors positions, velocities, forces;

    explicit Ensemble(std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            auto const n = static_cast<std::uint32_t>(i);
            inverse_masses.push_back(i % 7 == 3 ? 0 : 1 / (1.0 + static_cast<double>(i % 5)));
            roots.push_back(std::sqrt(inverse_masses.back()));
            positions.push_back(stream.normals(100, n));
            velocities.push_back(stream.normals(101, n));
            forces.push_back(stream.normals(102, n));
        }
    }
    void move_one(std::string const& letters, std::uint64_t draw, std::size_t i) {
        if (inverse_masses[i] == 0) return;
        for (char const letter : letters) {
            if (letter == 'V') velocities[i] += forces[i] * (kick * inverse_masses[i]);
            if (letter == 'R') positions[i] += velocities[i] * drift;
            if (letter == 'O')
                velocities[i] = velocities[i] * decay
                                + stream.normals(draw++, static_cast<std::uint32_t>(i)) * (spread * roots[i]);
        }
    }
};

template <int bytes> void check(std::string const& letters, std::size_t begin, std::size_t end) {
    CAPTURE(bytes, letters, begin, end);
    Ensemble const before(300);
    auto all = before, one_by_one = before;
    Vectors start(end - begin), moved(end - begin);
    std::vector<IntegrationBlock::Action> actions;
    for (char const letter : letters) actions.push_back({letter, letter == 'V' ? kick : drift, all.forces.data()});
    BlockIntegration<bytes>::move({actions.data(), actions.size(), decay, spread, stream, 5, begin, end,
                                   all.inverse_masses.data(), all.roots.data(), all.positions.data(),
                                   all.velocities.data(), start.data(), moved.data()});
    for (std::size_t i = begin; i < end; ++i) one_by_one.move_one(letters, 5, i);
    CHECK(all.positions == one_by_one.positions);
    CHECK(all.velocities == one_by_one.velocities);
    for (std::size_t i = begin; i < end; ++i)
        CHECK((start[i - begin] == before.positions[i] && moved[i - begin] == all.positions[i]));

    BlockIntegration<bytes>::correct(all.velocities.data() + begin, all.positions.data() + begin, start.data(), 0.5,
                                     end - begin);
    for (std::size_t i = begin; i < end; ++i)
        one_by_one.velocities[i] += (one_by_one.positions[i] - before.positions[i]) * 0.5;
    CHECK(all.velocities == one_by_one.velocities);
}

}  // namespace

TEST_CASE("Particles move alike side by side and one after the other") {
    for (std::string const letters : {"V", "R", "O", "VR", "ROR", "OVRO", "ROOOOR"})
        for (std::size_t const begin : {0u, 5u, 64u})
            for (std::size_t const end : {65u, 131u, 300u}) {
                check<16>(letters, begin, end);
                check<32>(letters, begin, end);
                check<64>(letters, begin, end);
            }
}
