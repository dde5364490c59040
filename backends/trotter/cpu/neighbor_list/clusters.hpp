// Sorts copies of particles into spatial clusters; the order of particles elsewhere never changes.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/neighbor_list/atom_types.hpp>
#include <trotter/cpu/neighbor_list/column_levels.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// Particles in columns along c, sorted by height and cut into clusters of four slots. A band is `band` columns wide
/// along a; bands are stored consecutively, and so are neighboring columns within a band. `Arch` only keeps symbols of
/// different instruction sets apart.
template <class Arch, class Real> class Clusters {
public:
    /// Unused slots are this far away and as far from each other, beyond any cutoff; so are the bounds of particles
    /// with non-finite positions.
    static constexpr double nowhere = 1e15;

    Box cell;  ///< the periodic box, or one around all particles
    Box span;  ///< divided into steps of references: the periodic box, or one so large that nothing wraps around
    Vec3<> origin;
    bool is_periodic = false;
    std::array<int, 2> columns{};   ///< along a and b
    std::vector<int> column_start;  ///< first cluster of each column, and the end
    std::vector<int> particles;     ///< of each slot, -1 where unused
    std::vector<int> slots;         ///< of each particle
    std::vector<Vec3<>> lattice;    ///< integer box vectors that wrap the particle of a slot into the cell
    std::vector<Vec3<>> translations;
    Aligned<Real> coordinates, points;               ///< see ClusterView
    Aligned<std::uint32_t> references;               ///< the same
    std::vector<std::uint16_t> without_lj;           ///< the same
    std::array<std::vector<float>, 3> lower, upper;  ///< bounds of each cluster, rounded outwards
    ColumnLevels<Arch> levels;

    /// Columns along a in a band. Consecutive clusters then spread over about as many columns along a as along b, so
    /// that few others are near them.
    static constexpr int band = 2;
    int band_count() const { return (columns[0] + band - 1) / band; }
    /// The number of columns along a before a band.
    int columns_before(int of_band) const { return std::min(of_band * band, columns[0]); }
    int column(int a, int b) const {
        int const before = columns_before(a / band), wide = columns_before(a / band + 1) - before;
        return before * columns[1] + b * wide + a - before;
    }

    int size() const { return static_cast<int>(particles.size()) / cluster_size; }
    int reduction_block_count() const { return (size() + clusters_per_block - 1) / clusters_per_block; }
    /// A slot after all others, in its own reduction block, that no particle has.
    int padding_slot() const { return reduction_block_count() * slots_per_block; }
    /// The number of slots for which coordinates and parameters are allocated.
    std::size_t slot_count() const { return static_cast<std::size_t>(padding_slot() + cluster_size); }
    /// Without parameters.
    ClusterView<Real> view() const {
        auto result = view(coordinates.data());
        if (has_points_) result.points = points.data();
        return result;
    }
    ClusterView<Real> view(SlotParameters<Arch, Real> const& parameters) const {
        auto result = view();
        if (!parameters.type_table.empty()) result.type_table = parameters.type_table.data();
        result.type_count = parameters.type_count;
        result.parameters_per_type = static_cast<int>(parameters.type_table.size() / max_types);
        result.parameters = parameters.records.data();
        return result;
    }
    /// The same with other coordinates, and without points, types and parameters.
    template <class Number> ClusterView<Number> view(Number const* of_slots) const {
        auto step = [](double length) { return static_cast<Number>(length * 0x1p-32); };
        return {of_slots,
                nullptr,
                nullptr,
                0,
                0,
                nullptr,
                references.data(),
                without_lj.data(),
                &span.a.x,
                {step(span.a.x), step(span.b.y), step(span.c.z)},
                {step(span.b.x)},
                {step(span.c.x), step(span.c.y)},
                !span.is_rectangular()};
    }
    /// The largest distance along each axis at which references are surely within half of each of the span's vectors.
    double half_of_span() const {
        double largest = 0;  // fractional coordinate of (±1, ±1, ±1) nm
        for (Vec3<> const& corner : {Vec3<>{1, 1, 1}, Vec3<>{1, 1, -1}, Vec3<>{1, -1, 1}, Vec3<>{1, -1, -1}}) {
            Vec3<> const fractions = span.fractions(corner);
            for (std::size_t axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(fractions[axis]));
        }
        return 0.499 / largest;
    }
    /// The largest extent of a cluster along any axis, from its reference.
    double largest_extent() const { return largest_extent_; }
    /// Whether there are points, see ClusterView.
    bool has_points() const { return has_points_; }
    /// Whether a cluster is near enough to the next for coordinates of both to be relative to the same point.
    bool is_near_next(std::size_t cluster) const {
        // Columns of sparse systems are wide. Steps between them must not wrap around.
        std::size_t const first = record_size * width() * cluster, second = first + record_size * width();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::int64_t const from = references[first + axis], to = references[second + axis];
            if (std::abs(to - from) >= std::int64_t{1} << 31) return false;
        }
        if (part_of(cluster) != part_of(cluster + 1) || is_anywhere(cluster) != is_anywhere(cluster + 1)) return false;
        Vec3<> const d = reference_position(cluster + 1) - reference_position(cluster);
        return dot(d, d) <= 1;
    }
    /// The position of a cluster's reference.
    Vec3<> reference_position(std::size_t cluster) const {
        Steps steps;
        std::memcpy(&steps, references.data() + record_size * width() * cluster, sizeof steps);
        return position_of(steps);
    }

    Vec3<> position_of(Steps const& steps) const {
        return origin + (span.a * steps[0] + span.b * steps[1] + span.c * steps[2]) * 0x1p-32;
    }

    /// Whether a cluster's particles have finite positions.
    bool is_anywhere(std::size_t cluster) const { return lower[0][cluster] < static_cast<float>(nowhere); }
    /// The part of a cluster's particles, see NearPositions.
    int part_of(std::size_t cluster) const {
        return parts_.empty() ? 0 : parts_[static_cast<std::size_t>(particles[cluster_size * cluster])];
    }
    bool has_parts() const { return !parts_.empty(); }

    /// Sorts particles; `box` is null without periodic boundaries. Particles of different `parts` share no cluster; if
    /// `parts` is empty, all belong to one.
    void sort(std::vector<Vec3<>> const& positions, Box const* box, std::vector<int> const& parts, Threads& threads) {
        parts_ = parts;
        choose_cell(positions, box);
        choose_columns(positions.size());
        assign_columns(positions, threads);
        assign_slots(positions, threads);
        std::size_t const blocks = particles.size() / width();
        references.assign(record_size * slot_count(), 0);
        coordinates.resize(record_size * slot_count());
        choose_points();
        for (std::size_t slot = 0; slot < slot_count(); ++slot)
            if (slot >= particles.size() || particles[slot] < 0) {
                Real const far = static_cast<Real>(nowhere * static_cast<double>(1 + slot % (1 << 22)));
                for (std::size_t axis = 0; axis < 3; ++axis) coordinates[record_size * slot + axis] = far;
                set_charge(slot, Real(0));
            }
        is_translated_.resize(blocks);
        for (auto* bounds : {&lower, &upper})
            for (auto& values : *bounds) values.resize(blocks + 16);
        threads.for_ranges(
            static_cast<std::size_t>(size()), [&](std::size_t b, std::size_t e) { choose_references(positions, b, e); },
            64);
        load(positions, threads);
        threads.for_ranges(
            static_cast<std::size_t>(size()), [&](std::size_t b, std::size_t e) { find_bounds(b, e); }, 64);
        levels.find({origin.z, origin.z + cell.c.z}, column_start, lower[2], upper[2], threads);
        find_largest_extent();
    }

    /// Sets the charge stored with a slot's coordinates.
    void set_charge(std::size_t slot, Real charge) {
        coordinates[record_size * slot + 3] = charge;
        if (has_points_) points[record_size * slot + 3] = charge;
    }
    /// Stores particle types in the points, for use with `parameters` alone.
    void set_types(AtomTypes<Arch, Real> const& types, SlotParameters<Arch, Real>& parameters, Threads& threads) {
        parameters.type_table.clear();
        if (!has_points_ || types.type_table.empty()) return;
        parameters.type_table = types.type_table;
        parameters.type_count = types.count;
        for_each_slot(threads, [&](std::size_t slot, int particle) {
            if (particle < 0) return;
            constexpr unsigned mask = (1u << type_bits) - 1;
            unsigned const type = types.of_particle[static_cast<std::size_t>(particle)];
            std::uint32_t steps[3];
            std::memcpy(steps, points.data() + record_size * slot, sizeof steps);
            for (std::size_t axis = 0; axis < 3; ++axis)
                steps[axis] = (steps[axis] & ~mask) | (type >> type_bits * axis & mask);
            std::memcpy(points.data() + record_size * slot, steps, sizeof steps);
        });
    }

    /// Copies positions to the slots.
    void load(std::vector<Vec3<>> const& positions, Threads& threads) {
        threads.for_ranges(
            static_cast<std::size_t>(size()), [&](std::size_t b, std::size_t e) { load(positions, b, e); }, 128);
    }
    void load(std::vector<Vec3<>> const& positions, std::size_t begin, std::size_t end) {
        Vec3<> const a = span.a * 0x1p-32, b = span.b * 0x1p-32, c = span.c * 0x1p-32;
        loops<Arch, Real>().fill_slots({&positions[0].x,
                                        &translations[0].x,
                                        is_translated_.data(),
                                        particles.data(),
                                        references.data(),
                                        {origin.x, origin.y, origin.z},
                                        {{a.x}, {b.x, b.y}, {c.x, c.y, c.z}},
                                        {{points_of_[0].x, points_of_[1].y, points_of_[2].z},
                                         {points_of_[0].y, points_of_[1].z},
                                         {points_of_[0].z}},
                                        !span.is_rectangular(),
                                        coordinates.data(),
                                        has_points_ ? points.data() : nullptr,
                                        static_cast<std::ptrdiff_t>(begin),
                                        static_cast<std::ptrdiff_t>(end)});
    }

    BoundsView bounds() const {
        return {{lower[0].data(), lower[1].data(), lower[2].data()},
                {upper[0].data(), upper[1].data(), upper[2].data()}};
    }

    /// Fractional coordinates of a point relative to the cell.
    Vec3<> fractions(Vec3<> const& x) const {
        Vec3<> const d = x - origin;
        double const c = d.z / cell.c.z, b = (d.y - c * cell.c.y) / cell.b.y;
        return {(d.x - b * cell.b.x - c * cell.c.x) / cell.a.x, b, c};
    }

    /// Calls `assign(slot, particle)` for all slots in parallel.
    template <class Assign> void for_each_slot(Threads& threads, Assign const& assign) const {
        threads.for_each(particles.size(), [&](std::size_t slot) { assign(slot, particles[slot]); });
    }

private:
    static constexpr std::size_t width() { return cluster_size; }

    void choose_cell(std::vector<Vec3<>> const& positions, Box const* box) {
        is_periodic = box != nullptr;
        origin = {};
        if (box) {
            cell = span = *box;
            return;
        }
        constexpr double most = std::numeric_limits<float>::max();
        Vec3<> low{most, most, most}, high{-most, -most, -most};
        for (auto const& x : positions)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (!(std::abs(x[axis]) < 1e12)) continue;
                low[axis] = std::min(low[axis], x[axis]);
                high[axis] = std::max(high[axis], x[axis]);
            }
        if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) low = high = {};
        origin = low;
        cell = Box::rectangular(high.x - low.x + 1e-3, high.y - low.y + 1e-3, high.z - low.z + 1e-3);
        // Differences of references stay below a quarter of the span.
        auto large = [](double length) { return power_of_two_above(4 * length); };
        span = Box::rectangular(large(cell.a.x), large(cell.b.y), large(cell.c.z));
    }

    /// Chooses columns so that clusters are about as long as wide.
    void choose_columns(std::size_t count) {
        double const edge =
            std::cbrt(column_load * cell.volume() / static_cast<double>(std::max<std::size_t>(count, 1)));
        double const most = std::max(1.0, static_cast<double>(count) / cluster_size);
        auto number = [&](double length) {
            return edge < length ? static_cast<int>(std::clamp(std::round(length / edge), 1.0, most)) : 1;
        };
        columns = {number(cell.a.x), number(cell.b.y)};
        // No more columns than particles, for flat cells that are nearly empty.
        while (std::size_t(columns[0]) * std::size_t(columns[1]) > std::max<std::size_t>(count, 1))
            (columns[0] > columns[1] ? columns[0] : columns[1]) /= 2;
    }

    void assign_columns(std::vector<Vec3<>> const& positions, Threads& threads) {
        column_of_.resize(positions.size());
        heights_.resize(positions.size());
        wrapped_.resize(positions.size());
        threads.for_each(positions.size(), [&](std::size_t i) {
            Vec3<> s = fractions(positions[i]), whole{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (is_periodic) whole[axis] = -std::floor(s[axis]);
                s[axis] += whole[axis];
                if (!std::isfinite(s[axis])) s[axis] = whole[axis] = 0;
            }
            auto index = [](double fraction, int n) {
                return static_cast<int>(std::clamp(fraction * n, 0.0, n - 1.0));
            };
            column_of_[i] = column(index(s.x, columns[0]), index(s.y, columns[1]));
            heights_[i] = s.z;
            wrapped_[i] = whole;
        });
    }

    /// Calls body(column) for all columns in parallel.
    template <class Body> void for_columns(Threads& threads, Body const& body) const {
        threads.for_ranges(
            column_start.size() - 1,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t c = begin; c < end; ++c) body(c);
            },
            8);
    }

    /// Orders particles by column and height; those of column c begin at members_[member_start_[c]].
    void sort_members(Threads& threads) {
        std::size_t const column_count = column_start.size() - 1;
        member_start_.assign(column_count + 1, 0);
        members_.resize(column_of_.size());
        for (int column : column_of_) ++member_start_[static_cast<std::size_t>(column) + 1];
        for (std::size_t c = 0; c < column_count; ++c) member_start_[c + 1] += member_start_[c];
        auto next = member_start_;
        for (std::size_t i = 0; i < members_.size(); ++i)
            members_[static_cast<std::size_t>(next[static_cast<std::size_t>(column_of_[i])]++)] = static_cast<int>(i);
        for_columns(threads, [&](std::size_t c) {
            auto const first = members_.begin();
            std::sort(first + member_start_[c], first + member_start_[c + 1], [&](int i, int j) {
                double const a = heights_[static_cast<std::size_t>(i)], b = heights_[static_cast<std::size_t>(j)];
                return a != b ? a < b : i < j;
            });
        });
    }

    /// Calls visit(particle, cluster of the column, slot in it) for a column; returns its number of clusters.
    template <class Visit>
    int cut_column(std::vector<Vec3<>> const& positions, std::size_t column, Visit const& visit) const {
        int cluster = -1, used = cluster_size, leader = 0;
        for (int k = member_start_[column]; k < member_start_[column + 1]; ++k) {
            int const particle = members_[static_cast<std::size_t>(k)];
            if (used == cluster_size || are_far(positions, leader, particle)) {
                ++cluster;
                used = 0;
                leader = particle;
            }
            visit(particle, cluster, used++);
        }
        return cluster + 1;
    }

    void assign_slots(std::vector<Vec3<>> const& positions, Threads& threads) {
        std::size_t const column_count = static_cast<std::size_t>(columns[0]) * static_cast<std::size_t>(columns[1]);
        column_start.assign(column_count + 1, 0);
        sort_members(threads);
        for_columns(threads,
                    [&](std::size_t c) { column_start[c + 1] = cut_column(positions, c, [](int, int, int) {}); });
        for (std::size_t c = 0; c < column_count; ++c) column_start[c + 1] += column_start[c];

        std::size_t const slot_count = static_cast<std::size_t>(column_start.back()) * width();
        particles.assign(slot_count, -1);
        lattice.assign(slot_count, {});
        translations.assign(slot_count, {});
        slots.resize(members_.size());
        for_columns(threads, [&](std::size_t c) {
            cut_column(positions, c, [&](int particle, int cluster, int n) {
                put(particle,
                    static_cast<std::size_t>(column_start[c] + cluster) * width() + static_cast<std::size_t>(n));
            });
        });
    }
    /// Whether two particles may not share a cluster: distant ones, for which float would be too coarse, those with
    /// non-finite positions, and those of different parts.
    bool are_far(std::vector<Vec3<>> const& positions, int i, int j) const {
        auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        Vec3<> const whole = wrapped_[b] - wrapped_[a];
        Vec3<> d = positions[b] - positions[a];
        if (is_periodic) d += cell.a * whole.x + cell.b * whole.y + cell.c * whole.z;
        return !(dot(d, d) <= 4) || (has_parts() && parts_[a] != parts_[b]);
    }
    void put(int particle, std::size_t slot) {
        Vec3<> const whole = wrapped_[static_cast<std::size_t>(particle)];
        particles[slot] = particle;
        slots[static_cast<std::size_t>(particle)] = static_cast<int>(slot);
        lattice[slot] = whole;
        translations[slot] = cell.a * whole.x + cell.b * whole.y + cell.c * whole.z;
        if (!is_periodic) translations[slot] = {};
    }

    static double power_of_two_above(double x) {
        int exponent;
        std::frexp(x, &exponent);
        return std::ldexp(1.0, exponent);
    }
    /// Steps between grid points along a vector of the cell: at most 1/8 nm where 2^31 points are enough for that.
    static double steps_of_grid(double length) {
        return 0x1p32 / std::clamp(power_of_two_above(8 * length), 1.0, 0x1p31);
    }

    /// Chooses grid points near the centers of clusters as references.
    void choose_references(std::vector<Vec3<>> const& positions, std::size_t begin, std::size_t end) {
        Vec3<> const grid{steps_of_grid(span.a.x), steps_of_grid(norm(span.b)), steps_of_grid(norm(span.c))};
        for (std::size_t block = begin; block < end; ++block) {
            is_translated_[block] =
                std::any_of(translations.begin() + static_cast<std::ptrdiff_t>(block * width()),
                            translations.begin() + static_cast<std::ptrdiff_t>((block + 1) * width()),
                            [](Vec3<> const& by) { return !(by == Vec3<>{}); });
            Vec3<> middle{};
            double count = 0;
            for (std::size_t slot = block * width(); slot < (block + 1) * width(); ++slot) {
                if (particles[slot] < 0) continue;
                middle += positions[static_cast<std::size_t>(particles[slot])] + translations[slot] - origin;
                ++count;
            }
            Vec3<> const fractions = span.fractions(middle * (1 / count));
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double const point = std::floor(fractions[axis] * (0x1p32 / grid[axis]) + 0.5) * grid[axis];
                std::uint32_t const steps =
                    std::isfinite(point) ? static_cast<std::uint32_t>(std::clamp(point, 0.0, 0x1p32 - grid[axis])) : 0;
                for (std::size_t n = 0; n < width(); ++n)
                    references[record_size * (block * width() + n) + axis] = steps;
            }
        }
    }

    void find_bounds(std::size_t begin, std::size_t end) {
        for (std::size_t block = begin; block < end; ++block) {
            Vec3<> const from = reference_position(block);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double low = std::numeric_limits<double>::max(), high = -low;
                for (std::size_t n = 0; n < width(); ++n) {
                    if (particles[block * width() + n] < 0) continue;
                    double const x = coordinates[record_size * (block * width() + n) + axis];
                    low = std::min(low, x);
                    high = std::max(high, x);
                }
                double const reference = from[axis];
                if (!(low <= high && high - low < nowhere)) {  // nowhere, at the height they were sorted to
                    lower[axis][block] = upper[axis][block] = static_cast<float>(axis == 2 ? origin.z : nowhere);
                    continue;
                }
                double const margin = 1e-6 * (std::abs(reference) + std::abs(low) + std::abs(high));
                lower[axis][block] = static_cast<float>(reference + low - margin);
                upper[axis][block] = static_cast<float>(reference + high + margin);
            }
        }
    }

    void find_largest_extent() {
        largest_extent_ = 0;
        for (std::size_t block = 0; block < static_cast<std::size_t>(size()); ++block) {
            if (!is_anywhere(block)) continue;
            Vec3<> const from = reference_position(block);
            for (std::size_t axis = 0; axis < 3; ++axis)
                largest_extent_ =
                    std::max({largest_extent_, upper[axis][block] - from[axis], from[axis] - lower[axis][block]});
        }
    }

    /// Uses points if they are as fine as floats of particles near each other.
    void choose_points() {
        constexpr double finest = 1.0 / (1 << 24);
        double const longest = std::max({norm(span.a), norm(span.b), norm(span.c)});
        has_points_ = sizeof(Real) == sizeof(std::uint32_t) && std::ldexp(longest, type_bits - 32) <= finest;
        if (!has_points_) return;
        points.assign(record_size * slot_count(), Real(0));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec3<> unit{};
            unit[axis] = std::ldexp(1.0, 32 - type_bits);
            points_of_[axis] = span.reciprocal(unit);
        }
    }

    std::vector<int> parts_;
    bool has_points_ = false;
    std::array<Vec3<>, 3> points_of_;  ///< gradients of point coordinates along each vector
    std::vector<char> is_translated_;  ///< clusters with any such particle: nearly all are in the cell
    double largest_extent_ = 0;
    static constexpr double column_load = cluster_size;
    std::vector<int> column_of_, member_start_, members_;
    std::vector<double> heights_;
    std::vector<Vec3<>> wrapped_;
};

}  // namespace trotter::cpu
