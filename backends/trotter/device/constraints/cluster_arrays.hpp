// The small clusters of a System on the device, one work-item per cluster.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/runtime/array.hpp>

namespace trotter::device {

/// The arrays `members`, `ranges` and `shapes` of the kernels.
template <DeviceQueue Q> class ClusterArrays {
public:
    ClusterArrays(Clusters const& clusters, Engine<Q>& engine) {
        std::vector<std::int32_t> members, ranges;
        std::vector<double> shapes;
        // Kinds begin at multiples of 32, so that the work-items of a warp do one kind of work.
        for (auto const& list : clusters.lists) {
            for (std::size_t const n : {items_, list.count(), members.size(), shapes.size()})
                ranges.push_back(static_cast<std::int32_t>(n));
            items_ += (list.count() + 31) / 32 * 32;
            members.insert(members.end(), list.members.begin(), list.members.end());
            shapes.insert(shapes.end(), list.shapes.begin(), list.shapes.end());
            counts_[static_cast<std::size_t>(list.kind)] = list.count();
        }
        // Kernels take no empty arrays.
        members.resize(std::max<std::size_t>(members.size(), 1));
        shapes.resize(std::max<std::size_t>(shapes.size(), 1));
        this->members = Array<Q, std::int32_t>(engine.queue, members);
        this->ranges = Array<Q, std::int32_t>(engine.queue, ranges);
        this->shapes = NumberArray<Q>(engine.queue, shapes, engine.types.coordinate_is_double);
    }

    Array<Q, std::int32_t> members, ranges;
    NumberArray<Q> shapes;

    std::size_t items() const { return items_; }

    /// Returns a loop that executes `text_of(kind)` for every cluster of every kind. In it, atom1 … are the particles
    /// and `shape` points to the parameters of the shape.
    template <class TextOf> std::string loop(TextOf const& text_of) const {
        std::string text = "for (int item = GLOBAL_ID; item < " + std::to_string(items_) + "; item += GLOBAL_SIZE) {\n";
        for (std::size_t k = 0; k < counts_.size(); ++k)
            if (counts_[k] > 0) text += of_kind(static_cast<ClusterKind>(k), text_of(static_cast<ClusterKind>(k)));
        return text + "}\n";
    }

private:
    static std::string of_kind(ClusterKind kind, std::string const& body) {
        std::string const range = std::to_string(4 * static_cast<int>(kind)),
                          particles = std::to_string(particles_of(kind));
        std::string text = "{ const int index = item - ranges[" + range + "];\nif (index >= 0 && index < ranges["
                           + range + " + 1]) {\nGLOBAL const int* cluster = members + ranges[" + range + " + 2] + ("
                           + particles + " + 1)*index;\n";
        if (numbers_of(kind) > 0)
            text += "GLOBAL const coordinate* shape = shapes + ranges[" + range + " + 3] + "
                    + std::to_string(numbers_of(kind)) + "*cluster[" + particles + "];\n";
        for (int p = 0; p < particles_of(kind); ++p)
            text += "const int atom" + std::to_string(p + 1) + " = cluster[" + std::to_string(p) + "];\n";
        return text + body + "}}\n";
    }

    std::size_t items_ = 0;
    std::array<std::size_t, cluster_kinds> counts_{};
};

}  // namespace trotter::device
