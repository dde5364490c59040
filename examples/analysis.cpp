// Writes a trajectory, reads it frame by frame, and computes a radial distribution.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <iostream>
#include <random>

#include <trotter/app/analysis/radial_distribution.hpp>
#include <trotter/io/trajectory.hpp>

using namespace trotter;
using namespace trotter::app;

namespace {

Topology argon(int count) {
    Topology topology;
    topology.add_chain("A");
    for (int atom = 0; atom < count; ++atom) {
        topology.add_residue("AR", std::to_string(atom + 1));
        topology.add_atom("AR", Element::from_symbol("Ar"));
    }
    return topology;
}

/// Ten frames of a gas without forces.
void write_gas(std::string const& path, std::size_t count, Box const& box) {
    TrajectoryWriter writer(path, {.particles = count, .step_size = 0.002, .interval = 100, .first_step = 100});
    std::mt19937 random(1);
    std::uniform_real_distribution<> place(0, box.a.x);
    for (int frame = 1; frame <= 10; ++frame) {
        std::vector<Vec3<>> positions(count);
        for (auto& position : positions) position = {place(random), place(random), place(random)};
        writer.write(positions, box, 100 * frame, 0.2 * frame);
    }
}

}  // namespace

int main() {
    auto const path = (std::filesystem::temp_directory_path() / "trotter-example-gas.dcd").string();
    auto const topology = argon(500);
    write_gas(path, topology.atoms.size(), Box::rectangular(3, 3, 3));

    std::vector<int> atoms;
    for (int atom = 0; atom < topology.atom_count(); ++atom) atoms.push_back(atom);
    Frames const frames(path, topology);
    RadialDistribution distribution(atoms, atoms, frames, {.bin_width = 0.2, .maximum = 1.4});
    frames.for_each([&](Frame const& frame) { distribution.add(frame); });
    bool is_one = true;  // within 10 %: the first shell holds some 1500 pairs
    for (auto const& bin : distribution.bins()) {
        std::cout << bin.distance << " nm: " << bin.density << '\n';
        is_one = is_one && bin.density > 0.9 && bin.density < 1.1;
    }
    std::filesystem::remove(path);
    return is_one ? 0 : 1;
}
