// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/frames.hpp>

#include <string>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <utility>

namespace trotter::app {
namespace {

void check_finite(std::vector<Vec3<>> const& positions, std::string const& where) {
    for (std::size_t atom = 0; atom < positions.size(); ++atom)
        if (!is_finite(positions[atom]))
            throw InputError(where + "the position of atom " + std::to_string(atom) + " is not finite");
}

}  // namespace

Frames::Frames(std::string trajectory, Topology topology, FrameRange range)
    : trajectory_(std::move(trajectory)), topology_(std::move(topology)), range_(range), molecules_(topology_) {
    if (topology_.atoms.empty()) throw InputError(trajectory_ + ": the topology has no atoms");
    if (range_.every < 1)
        throw InputError(trajectory_ + ": one of " + std::to_string(range_.every)
                         + " frames is wanted, expected a number from 1 on");
}

void Frames::for_each(std::function<void(Frame const&)> const& visit) const {
    TrajectoryReader reader(trajectory_);
    TrajectoryFrame stored;
    Frame frame;
    for (std::int64_t number = 0, in_range = 0; reader.read(stored); ++number) {
        if (stored.positions.size() != topology_.atoms.size())
            throw InputError(trajectory_ + ": has " + std::to_string(stored.positions.size())
                             + " atoms in each frame, but the topology has " + std::to_string(topology_.atoms.size()));
        if (!is_wanted(stored.time) || in_range++ % range_.every != 0) continue;
        auto const where = trajectory_ + ": frame " + std::to_string(number) + ": ";
        check_finite(stored.positions, where);
        frame.time = stored.time;
        frame.positions.swap(stored.positions);
        frame.box.reset();
        if (stored.box) {
            try {
                frame.box = reduced(*stored.box);
            } catch (InputError const& error) {
                throw InputError(where + error.what());
            }
            molecules_.make_whole(frame.positions, *frame.box);
        }
        visit(frame);
        ++frame.index;
    }
    if (frame.index == 0)
        throw InputError(trajectory_ + ": has no frame from " + format_number(range_.from) + " to "
                         + format_number(range_.to) + " ps");
}

Frame Frames::first() const {
    struct Found {};
    Frame first;
    try {
        for_each([&](Frame const& frame) {
            first = frame;
            throw Found{};
        });
    } catch (Found const&) {
    }
    return first;
}

std::vector<double> masses_of(Topology const& topology) {
    std::vector<double> masses;
    for (auto const& atom : topology.atoms) masses.push_back(atom.element ? atom.element->mass() : 0);
    return masses;
}

}  // namespace trotter::app
