// Reads trajectories in NetCDF by the AMBER convention 1.0 (ambermd.org/netcdf/nctraj.xhtml), permissively.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cell.hpp"
#include "netcdf_header.hpp"
#include "trajectory_formats.hpp"

namespace trotter::detail {
namespace {

/// Bytes of one record.
std::uint64_t record_size(ByteSource const& in, NetcdfVariable const& variable) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    std::uint64_t size = netcdf_size(variable.type);
    for (auto const length : variable.shape)
        if (length > 0 && (size *= length) > most) in.fail("is damaged: a NetCDF variable has more than 2^40 bytes in a frame");
    return size;
}

/// First byte of the first record, and bytes of all variables in one: padded to four, unless there is only one.
struct Records {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), size = 0;
};
Records records_of(ByteSource const& in, NetcdfHeader const& header) {
    Records all;
    std::uint64_t unpadded = 0;
    int count = 0;
    for (auto const& [name, variable] : header.variables)
        if (variable.has_records()) {
            all.begin = std::min(all.begin, variable.begin);
            unpadded = record_size(in, variable);
            all.size += padded(unpadded);
            ++count;
        }
    if (count == 1) all.size = unpadded;
    return all;
}

/// What numbers of a variable are divided by: 10 for angstrom, so that quotients are the nearest numbers, else 1.
double divisor_of(ByteSource const& in, std::string const& name, NetcdfVariable const& variable) {
    auto const found = variable.texts.find("units");
    auto const units = found == variable.texts.end() ? std::string{} : found->second.substr(0, found->second.find('\0'));
    bool const is_length = name == "coordinates" || name == "cell_lengths";
    for (std::string_view const known : {"", "angstrom", "Angstrom", "angstroms", "A"})
        if (is_length && units == known) return 10;
    if (units == (is_length ? "nanometer" : name == "time" ? "picosecond" : "degree") || units.empty() || name == "step") return 1;
    in.fail("has the variable " + name + " in units of '" + units.substr(0, 40) + "', expected angstrom, picosecond and degree");
}

}  // namespace

NetcdfFrames::NetcdfFrames(ByteSource& in) {
    auto const header = NetcdfHeaderReader<ByteSource>(in).read();
    auto const found = header.variables.find("coordinates");
    if (found == header.variables.end()) in.fail("is a NetCDF file without a variable `coordinates`, expected a trajectory of AMBER");
    auto const& shape = found->second.shape;
    if (!found->second.has_records()) in.fail("is a NetCDF file of one set of coordinates, a restart, expected a trajectory");
    if (shape.size() != 3 || shape[1] == 0 || shape[2] != 3)
        in.fail("damaged: the variable `coordinates` has other dimensions than frame, atom and three axes");
    if (shape[1] > std::numeric_limits<std::int32_t>::max()) in.fail("damaged: the number of particles is " + std::to_string(shape[1]));
    particles_ = static_cast<std::size_t>(shape[1]);
    auto const records = records_of(in, header);
    record_size_ = static_cast<std::size_t>(records.size);
    auto const field = [&](std::string const& name, std::size_t count) -> std::optional<Field> {
        auto const at = header.variables.find(name);
        if (at == header.variables.end() || !at->second.has_records()) return {};
        auto const& variable = at->second;
        if (record_size(in, variable) != count * netcdf_size(variable.type) || variable.type <= netcdf_char)
            in.fail("damaged: the variable `" + name + "` has not " + std::to_string(count) + " numbers in a frame");
        auto const offset = variable.begin - records.begin;
        if (offset > records.size || records.size - offset < count * netcdf_size(variable.type))
            in.fail("damaged: the variable `" + name + "` does not lie in the frames");
        auto const scale = variable.numbers.find("scale_factor");
        return Field{static_cast<std::size_t>(offset), variable.type,
                     (scale == variable.numbers.end() ? 1 : scale->second), divisor_of(in, name, variable)};
    };
    coordinates_ = *field("coordinates", 3 * particles_);
    time_ = field("time", 1);
    step_ = field("step", 1);
    lengths_ = field("cell_lengths", 3);
    angles_ = field("cell_angles", 3);
    constexpr auto unknown = std::numeric_limits<std::uint32_t>::max();
    stated_ = header.records == unknown ? 0 : header.records;
    if (records.begin < in.position()) in.fail("damaged: the frames begin inside the head, at byte " + std::to_string(records.begin));
    if (!in.at_end()) in.skip(records.begin - in.position());
}

double NetcdfFrames::Field::number(std::string_view record, std::size_t index) const {
    return netcdf_number(record.data() + offset + index * netcdf_size(type), type) * scale / divisor;
}

std::optional<Box> NetcdfFrames::box_in(ByteSource const& in, std::string_view record) const {
    if (!lengths_ || !angles_) return {};
    std::array<double, 3> lengths, cosines;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        lengths[axis] = lengths_->number(record, axis);
        cosines[axis] = cosine_of_degrees(angles_->number(record, axis));
    }
    if (lengths == std::array{0.0, 0.0, 0.0}) return {};
    auto const box = box_from(lengths[0], cosines[2], lengths[1], cosines[1], cosines[0], lengths[2]);
    if (!is_box(box)) in.fail("the unit cell is none: expected three lengths, and degrees of its angles");
    return box;
}

bool NetcdfFrames::read(ByteSource& in, TrajectoryFrame& frame) {
    if (in.at_end()) {
        if (read_ < stated_) in.fail("holds " + std::to_string(read_) + " frames, but states " + std::to_string(stated_));
        return false;
    }
    auto const record = in.take(record_size_);
    ++read_;
    frame.time = time_ ? time_->number(record, 0) : 0;
    auto const step = step_ ? step_->number(record, 0) : static_cast<double>(read_);
    if (!(std::abs(step) < 0x1p63)) in.fail("damaged: the step of a frame is no whole number");
    frame.step = static_cast<std::int64_t>(step);
    frame.box = box_in(in, record);
    frame.positions.resize(particles_);
    for (std::size_t i = 0; i < particles_; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) frame.positions[i][axis] = coordinates_.number(record, 3 * i + axis);
    return true;
}

}  // namespace trotter::detail
