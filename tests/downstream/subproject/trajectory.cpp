// Writes a trajectory of one frame and reads it back.
// SPDX-License-Identifier: MIT
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>

int main() {
    using namespace trotter;
    {
        std::vector<Vec3<>> const positions{{0, 0, 0}, {1, 0, 0}};
        DcdWriter writer("trajectory.dcd", {.particles = 2, .step_size = 0.002});
        writer.write(positions, {}, 1, 0.002);
    }
    auto const frames = read_trajectory("trajectory.dcd");
    return frames.size() == 1 && frames[0].positions.size() == 2 && frames[0].positions[1].x == 1 ? 0 : 1;
}
