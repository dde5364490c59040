// Reads DCD frames in the variants of CHARMM, NAMD, X-PLOR and OpenMM.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "cell.hpp"
#include "trajectory_formats.hpp"

namespace trotter::detail {
namespace {

constexpr std::int32_t head_record = 84, cell_record = 48;

/// Integers of the header by their index in CHARMM's array ICNTRL, from 0.
struct Counts {
    enum Place { frames, first, interval, fixed_particles = 8, step_size, cell, fourth_dimension, version = 19, all };
    std::array<std::int32_t, all> number;

    bool is_of_charmm() const { return number[version] != 0; }
    /// A float in CHARMM's files, a double across two integers in X-PLOR's.
    double step_size_in(Order order) const {
        if (is_of_charmm()) return double{std::bit_cast<float>(number[step_size])};
        auto low = static_cast<std::uint32_t>(number[step_size]), high = static_cast<std::uint32_t>(number[step_size + 1]);
        if (order == Order::Big) std::swap(low, high);
        return std::bit_cast<double>(std::uint64_t{high} << 32 | low);
    }
};

/// Returns cosines of three angles, given as cosines or in degrees; NaN if neither.
std::array<double, 3> cosines_of(std::array<double, 3> given) {
    if (std::ranges::all_of(given, [](double angle) { return std::abs(angle) <= 1; })) return given;
    constexpr auto no_angle = std::numeric_limits<double>::quiet_NaN();
    for (auto& angle : given)
        angle = !(angle >= 30 && angle <= 150) ? no_angle : cosine_of_degrees(angle);
    return given;
}

}  // namespace

DcdFrames::DcdFrames(ByteSource& in) {
    in.order = in.take(4)[0] == 0 ? Order::Big : Order::Little;
    if (auto const kind = in.take(4); kind == "VELD")
        in.fail("is a DCD file of velocities, expected one of positions");
    else if (kind != "CORD")
        in.fail("is not a DCD file, expected the letters CORD in its head");
    read_counts(in);
    in.expect(head_record, "the end of the head");
    auto const titles = in.number<std::uint32_t>();
    in.skip(titles);
    in.expect(titles, "the end of the titles");
    in.expect(std::int32_t{4}, "the record of the number of particles");
    auto const particles = in.number<std::int32_t>();
    if (particles < 0 || particles > std::numeric_limits<std::int32_t>::max() / 4)
        in.fail("damaged: the number of particles is " + std::to_string(particles));
    particles_ = static_cast<std::size_t>(particles);
    in.expect(std::int32_t{4}, "the record of the number of particles");
}

void DcdFrames::read_counts(ByteSource& in) {
    Counts counts{};
    for (auto& number : counts.number) number = in.number<std::int32_t>();
    auto const& number = counts.number;
    if (number[Counts::fixed_particles] != 0)
        in.fail("has " + std::to_string(number[Counts::fixed_particles]) +
                " fixed particles, which its frames leave out; expected a file whose frames hold all particles");
    if (counts.is_of_charmm() && number[Counts::fourth_dimension] != 0)
        in.fail("has positions in four dimensions, expected three");
    stated_ = number[Counts::frames];
    first_ = number[Counts::first];
    interval_ = number[Counts::interval];
    periodic_ = counts.is_of_charmm() && number[Counts::cell] != 0;
    step_size_ = counts.step_size_in(in.order) * charmm_time;
    if (stated_ < 0) in.fail("damaged: the number of frames is " + std::to_string(stated_));
    if (!std::isfinite(step_size_)) in.fail("damaged: the step size is not a finite number");
}

std::optional<Box> DcdFrames::read_box(ByteSource& in) const {
    in.expect(cell_record, "the length of the record of the unit cell");
    std::array<double, 6> cell;
    for (auto& value : cell) value = in.number<double>();
    in.expect(cell_record, "the length of the record of the unit cell");
    if (cell[0] == 0 && cell[2] == 0 && cell[5] == 0) return {};  // no unit cell, as written by MDAnalysis
    auto const [gamma, beta, alpha] = cosines_of({cell[1], cell[3], cell[4]});
    auto const box = box_from(cell[0] / 10, gamma, cell[2] / 10, beta, alpha, cell[5] / 10);
    if (!is_box(box))
        in.fail("the unit cell is none: expected three lengths, and cosines or degrees of its angles");
    return box;
}

bool DcdFrames::read(ByteSource& in, TrajectoryFrame& frame) {
    if (in.at_end()) {
        if (read_ < stated_) in.fail("holds " + std::to_string(read_) + " frames, but states " + std::to_string(stated_));
        return false;
    }
    if (periodic_)
        frame.box = read_box(in);
    else
        frame.box.reset();
    auto const record = static_cast<std::int32_t>(4 * particles_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        in.expect(record, "the length of a record of coordinates");
        auto const bytes = in.take(4 * particles_);
        frame.positions.resize(particles_);
        for (std::size_t i = 0; i < particles_; ++i)
            frame.positions[i][axis] = double{number_from<float>(bytes.data() + 4 * i, in.order)} / 10;
        in.expect(record, "the length of a record of coordinates");
    }
    frame.step = first_ + interval_ * read_++;
    frame.time = static_cast<double>(frame.step) * step_size_;
    return true;
}

}  // namespace trotter::detail
