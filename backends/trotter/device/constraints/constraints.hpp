// Constraints in separate launches, for steps that are not splittings.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>

#include <trotter/device/constraints/cluster_arrays.hpp>
#include <trotter/device/constraints/cluster_text.hpp>
#include <trotter/device/constraints/constraint_networks.hpp>
#include <trotter/device/queue_engine.hpp>

namespace trotter::device {

inline constexpr char const
    *small_constraint_parameters =
        "GLOBAL coordinate4* positions, GLOBAL const coordinate4* starts, GLOBAL mixed4* RESTRICT velocities",
    *tolerance_parameters = "GLOBAL int* RESTRICT failures, float tolerance";

/// All constraints of a System, applied to an Engine's positions and velocities on the device. A constraint that cannot
/// be satisfied is marked in `engine.failures`.
template <DeviceQueue Q> class Constraints {
public:
    Constraints(Clusters const& clusters, Engine<Q>& engine)
        : arrays_(clusters, engine), networks_(clusters.networks, engine) {
        for (std::size_t k = 0; k < clusters.lists.size(); ++k)
            has_small_ = has_small_ || (numbers_of(static_cast<ClusterKind>(k)) > 0 && clusters.lists[k].count() > 0);
        if (empty()) return;
        auto const program = engine.compile(text());
        if (has_small_) {
            positions_.take(program, "constrain_positions");
            velocities_.take(program, "constrain_velocities");
        }
        if (!networks_.empty()) network_kernels_.take(program);
    }
    bool empty() const { return !has_small_ && networks_.empty(); }

    /// Moves the engine's positions until every distance is within the relative `tolerance`. Constraint forces act
    /// along the directions at `start`, an array like positions.
    void constrain_positions(Engine<Q>& engine, NumberArray<Q> const& start, double tolerance) {
        auto const within = static_cast<float>(std::max(tolerance, smallest_tolerance));
        auto const& positions = engine.state.moving_positions();
        auto const launch_networks = [&](LaunchGrid groups, auto const&... arguments) {
            launch<"constrain_network_positions">(engine.queue, network_kernels_, groups, arguments...);
        };
        networks_.launch_concurrently(engine, launch_networks, positions, start, engine.velocities, within);
        if (has_small_) launch_small(engine, positions_, positions, start, engine.velocities, within);
        engine.join();
    }
    /// Removes from `velocities` the components that would change a distance: networks within `tolerance` nm/ps, small
    /// clusters to rounding.
    void constrain_velocities(Engine<Q>& engine, NumberArray<Q> const& velocities, double tolerance) {
        auto const within = static_cast<float>(std::max(tolerance, smallest_tolerance));
        auto const launch_networks = [&](LaunchGrid groups, auto const&... arguments) {
            launch<"constrain_network_velocities">(engine.queue, network_kernels_, groups, arguments...);
        };
        networks_.launch_concurrently(engine, launch_networks, engine.positions, velocities, within);
        if (has_small_) launch_small(engine, velocities_, engine.positions, engine.positions, velocities, within);
        engine.join();
    }

private:
    using SmallList = ParameterList<small_constraint_parameters, cluster_parameters, tolerance_parameters>;

    void launch_small(Engine<Q>& engine, TypedKernel<Q, SmallList>& kernel, NumberArray<Q> const& positions,
                      NumberArray<Q> const& start, NumberArray<Q> const& velocities, float const tolerance) {
        kernel.launch(engine.queue, grid_for(engine.queue.properties(), arrays_.items()), positions, start, velocities,
                      arrays_.members, arrays_.ranges, arrays_.shapes, engine.failures, tolerance);
    }

    std::string text() const {
        std::string result = std::string(network_definitions) + kernels::networks;
        if (!networks_.empty()) result += kernels::network_constraints;
        return result + small_text("constrain_positions", [](ClusterKind kind) { return position_text(kind); })
               + small_text("constrain_velocities", [](ClusterKind kind) { return velocity_text(kind); });
    }
    template <class TextOf> std::string small_text(std::string const& name, TextOf const& text_of) const {
        return "KERNEL void " + name + '(' + SmallList::text() + ") {\n" + arrays_.loop([&](ClusterKind kind) {
            return numbers_of(kind) == 0 ? std::string() : text_of(kind);
        }) + "}\n";
    }
    static std::string load(ClusterKind kind, std::string const& name, std::string const& from) {
        return for_particles(kind,
                             [&](std::string const& p) {
                                 return "coordinate3 " + name + p + " = trimTo3(" + from + "[atom" + p + "]);";
                             })
               + '\n';
    }
    static std::string position_text(ClusterKind kind) {
        ClusterText text(kind);
        text.add(load(kind, "x", "positions") + load(kind, "start", "starts")
                 + for_particles(kind, [](std::string const& p) {
                       return "const coordinate w" + p + " = velocities[atom" + p + "].w;";
                   }));
        text.constrain_positions();
        text.add(for_particles(kind, [](std::string const& p) {
            return "positions[atom" + p + "] = make_coordinate4(x" + p + ".x, x" + p + ".y, x" + p + ".z, 0);";
        }));
        return text.text();
    }
    static std::string velocity_text(ClusterKind kind) {
        ClusterText text(kind);
        text.add(load(kind, "x", "positions") + for_particles(kind, [](std::string const& p) {
                     return "const mixed4 stored" + p + " = velocities[atom" + p + "];\ncoordinate3 v" + p
                            + " = make_coordinate3(stored" + p + ".x, stored" + p + ".y, stored" + p
                            + ".z);\nconst coordinate w" + p + " = stored" + p + ".w;";
                 }));
        text.constrain_velocities();
        text.add(for_particles(kind, [](std::string const& p) {
            return "velocities[atom" + p + "] = make_mixed4((mixed) v" + p + ".x, (mixed) v" + p + ".y, (mixed) v" + p
                   + ".z, stored" + p + ".w);";
        }));
        return text.text();
    }

    ClusterArrays<Q> arrays_;
    ConstraintNetworks<Q> networks_;
    bool has_small_ = false;
    TypedKernel<Q, SmallList> positions_, velocities_;
    SourceKernels<Q, kernels::network_constraints, network_definitions> network_kernels_;
};

}  // namespace trotter::device
