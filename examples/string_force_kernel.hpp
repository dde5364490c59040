// The same force with hand-written kernels instead of those generated from its formula: one for hosts, one for devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/reference.hpp>
#include <trotter/registration.hpp>

#include "string_force.hpp"

namespace string_theory {

/// Device text, in the macros that OpenCL and CUDA both support; kernels/common.hpp has the functions.
inline constexpr char const* string_text = R"(
KERNEL void pull_strings(GLOBAL mm_ulong* RESTRICT forces, GLOBAL coordinate* RESTRICT sums,
                         GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                         GLOBAL const int2* RESTRICT ends, GLOBAL const coordinate2* RESTRICT numbers,
                         int count, int accumulator) {
    LOCAL coordinate scratch[64];
    coordinate sum = 0;
    for (int n = GLOBAL_ID; n < count; n += GLOBAL_SIZE) {
        const int first = ends[n].x, second = ends[n].y;
        const coordinate4 from = positions[first], to = positions[second];
        coordinate3 d = make_coordinate3(from.x - to.x, from.y - to.y, from.z - to.z);
#ifdef PERIODIC
        d = nearest_image(d, box);
#endif
        const coordinate tension = numbers[n].x, rest_energy = numbers[n].y;
        const coordinate energy = sqrt(tension*tension*(d.x*d.x + d.y*d.y + d.z*d.z) + rest_energy*rest_energy);
        const coordinate pull = tension*tension/energy;
        add_fine_force(forces, first, make_coordinate3(-pull*d.x, -pull*d.y, -pull*d.z));
        add_fine_force(forces, second, make_coordinate3(pull*d.x, pull*d.y, pull*d.z));
        sum += energy;
    }
    add_group_sum(sum, scratch, sums + accumulator*SUM_WIDTH);
}
)";

}  // namespace string_theory

namespace trotter {

/// For Reference, Cpu, and every other backend that keeps its state in host memory: one string after the other.
template <HostBackend B, Precision P> class Kernel<string_theory::StringForce, B, P> {
public:
    Kernel(string_theory::StringForce const& force, Engine<B, P>& engine, Registration who)
        : force_(force), index_(who.index) {
        check_terms(force, engine.host.particles.count());
    }

    double compute(Engine<B, P>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        double total = 0;
        for (auto const& string : force_.strings) {
            auto const i = static_cast<std::size_t>(string.particle1), j = static_cast<std::size_t>(string.particle2);
            Vec3<> d = host.positions[i] - host.positions[j];
            if (force_.periodic) d = host.box.minimum_image(d);
            double const energy = std::hypot(string.tension * norm(d), string.rest_energy);
            Vec3<> const pull = d * (string.tension * string.tension / energy);
            add_force(host, i, j, -pull, d);
            total += energy;
        }
        return total;
    }

    void update(string_theory::StringForce const& force, Engine<B, P>& engine) {
        check_terms(force, engine.host.particles.count());
        check_same_terms(force_, force);
        force_ = force;
    }

private:
    string_theory::StringForce force_;
    int index_;
};

/// For OpenCl and Cuda: one class for both and for every precision.
template <DeviceBackend B, Precision P> class Kernel<string_theory::StringForce, B, P> {
public:
    Kernel(string_theory::StringForce const& force, Engine<B, P>& engine, Registration who)
        : force_(force), index_(who.index), accumulator_(engine.device.sums.add()) {
        check_terms(force, engine.host.particles.count());
        auto& device = engine.device;
        std::vector<device::mm_int2> ends;
        for (auto const& string : force.strings) ends.push_back({string.particle1, string.particle2});
        ends.resize(std::max<std::size_t>(ends.size(), 1));  // kernels take no array without elements
        ends_ = device::Array<Queue, device::mm_int2>(device.queue, ends);
        numbers_ = device::NumberArray<Queue>(device.queue, numbers(), device.types.coordinate_is_double);
        std::string const defines = force.periodic ? "#define PERIODIC\n" : "";
        kernels_.take(device.compile(string_theory::string_text, defines));
    }

    /// Launches the kernel; the energy is known when the evaluation ends.
    double compute(Engine<B, P>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto& device = engine.device;
        auto const count = static_cast<std::int32_t>(force_.strings.size()),
                   accumulator = static_cast<std::int32_t>(accumulator_);
        device::launch<"pull_strings">(
            device.queue, kernels_, device::grid_for(device.queue.properties(), force_.strings.size()), device.forces,
            device.sums, device.positions, device.box, ends_, numbers_, count, accumulator);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const&) { return engine.device.total(accumulator_); }

    void update(string_theory::StringForce const& force, Engine<B, P>& engine) {
        check_terms(force, engine.host.particles.count());
        check_same_terms(force_, force);
        force_ = force;
        numbers_.upload(engine.device.queue, numbers());
    }

private:
    using Queue = typename B::Queue;

    std::vector<double> numbers() const {
        std::vector<double> result;
        for (auto const& string : force_.strings) result.insert(result.end(), {string.tension, string.rest_energy});
        result.resize(std::max<std::size_t>(result.size(), 2));
        return result;
    }

    string_theory::StringForce force_;
    int index_, accumulator_;
    device::Array<Queue, device::mm_int2> ends_;
    device::NumberArray<Queue> numbers_;
    device::SourceKernels<Queue, string_theory::string_text> kernels_;
};

}  // namespace trotter
