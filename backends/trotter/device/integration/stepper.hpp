// Steps that stay on the device: products of kicks, drifts and noise, with the constraints of small clusters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/device/integration/step_text.hpp>
#include <trotter/host/integrators/splitting.hpp>
#include <trotter/kernels/noise.hpp>

namespace trotter::device {

template <DeviceQueue Q> struct GraphOfQueue {
    struct Type {};
};
template <HasGraphs Q> struct GraphOfQueue<Q> { using Type = typename Q::Graph; };
/// Recorded work, or nothing where the queue cannot record.
template <DeviceQueue Q> using GraphOf = typename GraphOfQueue<Q>::Type;

/// Carries out a product. Letters between two evaluations of the forces are one launch.
template <DeviceQueue Q> class Stepper {
public:
    /// `baths` has for each particle the number of the one that it is in, where the product scales velocities.
    Stepper(Product product, RandomStream noise, Engine<Q>& engine, std::vector<std::int32_t> const& baths = {})
        : product_(std::move(product)), noise_(noise) {
        Clusters const clusters(engine.host.particles);
        std::vector<std::int32_t> members, ranges;
        std::vector<double> shapes;
        for (auto const& list : clusters.lists) {
            for (std::size_t const n : {items_, list.count(), members.size(), shapes.size()})
                ranges.push_back(static_cast<std::int32_t>(n));
            items_ += (list.count() + 31) / 32 * 32;
            members.insert(members.end(), list.members.begin(), list.members.end());
            shapes.insert(shapes.end(), list.shapes.begin(), list.shapes.end());
            kinds_.push_back(list.count() > 0);
        }
        shapes.resize(std::max<std::size_t>(shapes.size(), 1));
        first_bath_ = members.size();
        members.insert(members.end(), baths.begin(), baths.end());
        bath_count_ = baths.empty() ? 0 : static_cast<std::size_t>(*std::max_element(baths.begin(), baths.end())) + 1;
        members.resize(std::max<std::size_t>(members.size(), 1));
        members_ = Array<Q, std::int32_t>(engine.queue, members);
        ranges_ = Array<Q, std::int32_t>(engine.queue, ranges);
        shapes_ = NumberArray<Q>(engine.queue, shapes, engine.types.coordinate_is_double);
        numbers_ = NumberArray<Q>(engine.queue, numbers_of_step + bath_count_, engine.types.coordinate_is_double);
        auto const& inverse_masses = engine.host.inverse_masses;
        clears_forces_ = std::find(inverse_masses.begin(), inverse_masses.end(), 0.0) == inverse_masses.end();
        compile(engine);
    }

    /// True where every constraint is one of a triangle or a small star, and no virtual site has to follow.
    static bool can_do(HostEngine const& host) {
        return host.virtual_sites.empty() && Clusters(host.particles).is_complete;
    }

    /// Where the queue can record work, a step is recorded once and given as a whole from then on. The first step after
    /// a change is carried out as it comes: it compiles, allocates and uploads, which cannot be recorded.
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, StepNumbers const& numbers) {
        step(engine, evaluate, numbers_for(numbers), [] {});
    }
    /// The same with what `numbers_for` would give, and launches for what is to be gathered of all particles.
    template <class Gather>
    void step(Engine<Q>& engine, ForceEvaluator const& evaluate, std::vector<double> numbers, Gather const& gather) {
        engine.take_state();
        engine.host_is_out_of_date();
        upload(engine, std::move(numbers));
        if (engine.pairs.sort_is_due(engine.host.step_count)) engine.pairs.sort(engine);  // recorded steps do not
        if (clears_forces_) engine.make_forces_clear();                                   // nor do they clear
        if (engine.is_step_unusual()) return give(engine, evaluate, gather);
        if constexpr (HasGraphs<Q>) {
            if (recorded_epoch_ == engine.epoch) {
                engine.drop_step_begin();
                return engine.queue.launch(graph_);
            }
            if (seen_epoch_ == engine.epoch) {
                engine.queue.begin_capture();
                give(engine, evaluate, gather);
                graph_ = engine.queue.end_capture();
                recorded_epoch_ = engine.epoch;
                return engine.queue.launch(graph_);
            }
        }
        give(engine, evaluate, gather);
        seen_epoch_ = engine.epoch;
    }

    /// On the device: kick, drift, decay and spread of noise of a letter, the tolerance, and a number for each bath.
    NumberArray<Q> const& numbers() const { return numbers_; }
    static constexpr std::size_t numbers_of_step = 5;

    /// These numbers, with baths that do nothing.
    std::vector<double> numbers_for(StepNumbers const& n) const {
        auto const share = [this](char letter) {
            return 1.0 / static_cast<double>(std::count(product_.letters.begin(), product_.letters.end(), letter));
        };
        double const o = n.step_size * share('O');
        bool const is_stochastic = product_.letters.find('O') != std::string::npos;
        std::vector<double> values{
            n.kick_size * share('V'), n.step_size * share('R'), is_stochastic ? velocity_decay(o, n.friction) : 1,
            is_stochastic ? velocity_spread(o, n.friction, n.temperature) : 0,
            n.constraint_tolerance};
        values.resize(numbers_of_step + bath_count_, 1);
        return values;
    }

private:
    struct Section {
        std::size_t first = 0;
        bool needs_forces = false;
        typename Q::Kernel kernel;
    };

    template <class Gather> void give(Engine<Q>& engine, ForceEvaluator const& evaluate, Gather const& gather) {
        engine.begin_step_with([&] { launch(engine.queue, count_, {1, 1}, engine.step_counter); });
        engine.give_step_begin();
        if (!sections_.front().needs_forces) engine.join();
        for (auto& section : sections_) {
            if (section.needs_forces) evaluate({engine.host.integration_groups, false});
            if (section.first == product_.gathers_before) gather();
            launch(engine.queue, section.kernel, groups_for(engine.queue.facts(), items_), engine.positions,
                   engine.velocities, engine.forces, members_, ranges_, shapes_, numbers_, engine.step_counter,
                   engine.failures, noise_.seed, noise_.stream);
            if (section.needs_forces && clears_forces_) engine.forces_were_cleared();
        }
    }

    // Forces are evaluated before the first V and wherever one finds particles that have moved.
    bool evaluates_before(std::size_t i) const {
        if (product_.letters[i] != 'V') return false;
        bool is_first = true;
        for (std::size_t k = 0; k < i; ++k) is_first = is_first && product_.letters[k] == 'O';
        return is_first || product_.needs_new_forces[i];
    }

    void compile(Engine<Q>& engine) {
        std::string text = kernels::noise;
        text += "typedef struct { coordinate kick, drift, decay, noise, tolerance; } StepNumbers;\n";
        for (std::size_t first = 0, end = 0; first < product_.letters.size(); first = end) {
            end = first + 1;
            while (end < product_.letters.size() && !evaluates_before(end) && end != product_.gathers_before) ++end;
            text += section_text(sections_.size(), first, end);
            sections_.push_back({first, evaluates_before(first), {}});
        }
        text += "KERNEL void count_step(GLOBAL mm_ulong* counter) { counter[0] += 1; }\n";
        program_ = engine.compile(text);
        count_ = program_.kernel("count_step");
        for (std::size_t n = 0; n < sections_.size(); ++n)
            sections_[n].kernel = program_.kernel("section" + std::to_string(n));
    }

    std::string section_text(std::size_t number, std::size_t first, std::size_t end) const {
        std::string text = "KERNEL void section" + std::to_string(number)
                           + "(GLOBAL coordinate4* RESTRICT positions, GLOBAL mixed4* RESTRICT velocities, "
                             "GLOBAL mm_long* RESTRICT forces, GLOBAL const int* RESTRICT members, GLOBAL const int* RESTRICT ranges, "
                             "GLOBAL const coordinate* RESTRICT shapes, GLOBAL const coordinate* RESTRICT stored, "
                             "GLOBAL const mm_ulong* RESTRICT counter, GLOBAL int* RESTRICT failures, mm_ulong seed, uint stream) {\n"
                             "StepNumbers numbers;\nnumbers.kick = stored[0];\nnumbers.drift = stored[1];\nnumbers.decay = stored[2];\n"
                             "numbers.noise = stored[3];\nnumbers.tolerance = stored[4];\n"
                             "const mm_ulong draw = (counter[0] - 1)*" + std::to_string(product_.draws_before(product_.letters.size()))
                           + ";\nif (GLOBAL_ID == 0 && forces[3*PADDED_NUM_ATOMS] != 0) {\nfailures[0] = (int) forces[3*PADDED_NUM_ATOMS];\n"
                             + (clears_forces_ ? "forces[3*PADDED_NUM_ATOMS] = 0;\n" : "") + "}\n"
                             "for (int item = GLOBAL_ID; item < ranges[16] + ranges[17]; item += GLOBAL_SIZE) {\n";
        for (std::size_t k = 0; k < kinds_.size(); ++k)
            if (kinds_[k]) text += kind_text(static_cast<ClusterKind>(k), first, end);
        return text + "}\n}\n";
    }
    std::string kind_text(ClusterKind kind, std::size_t first, std::size_t end) const {
        std::string const range = std::to_string(4 * static_cast<int>(kind)),
                          width = std::to_string(particles_of(kind) + 1);
        std::string text = "if (item >= ranges[" + range + "] && item < ranges[" + range + "] + ranges[" + range
                           + " + 1]) {\n" + "GLOBAL const int* cluster = members + ranges[" + range + " + 2] + " + width
                           + "*(item - ranges[" + range + "]);\n" + "GLOBAL const coordinate* shape = shapes + ranges["
                           + range + " + 3] + " + std::to_string(numbers_of(kind)) + "*cluster["
                           + std::to_string(particles_of(kind)) + "];\n";
        for (int p = 1; p <= particles_of(kind); ++p) {
            std::string const n = std::to_string(p);
            text += "const int atom" + n + " = cluster[" + std::to_string(p - 1) + "];\n" + "coordinate3 x" + n
                    + " = trimTo3(positions[atom" + n + "]);\n" + "const mixed4 stored" + n + " = velocities[atom" + n
                    + "];\n" + "coordinate3 v" + n + " = make_coordinate3(stored" + n + ".x, stored" + n + ".y, stored"
                    + n + ".z);\n" + "const coordinate w" + n + " = stored" + n + ".w;\n" + "const coordinate3 f" + n
                    + " = force_on(forces, atom" + n + ");\n";
            if (product_.letters.find('S', first) < end)
                text += "const int bath" + n + " = " + std::to_string(numbers_of_step) + " + members["
                        + std::to_string(first_bath_) + " + atom" + n + "];\n";
            if (clears_forces_ && product_.letters.find('V', first) < end)
                text += "forces[atom" + n + "] = forces[atom" + n + " + PADDED_NUM_ATOMS] = forces[atom" + n
                        + " + 2*PADDED_NUM_ATOMS] = 0;\n";
        }
        text += ClusterText(kind, product_).act(first, end);
        for (int p = 1; p <= particles_of(kind); ++p) {
            std::string const n = std::to_string(p);
            text += "if (!(fabs(x" + n + ".x) + fabs(x" + n + ".y) + fabs(x" + n + ".z) < 1e30f)) failures[0] = atom"
                    + n + " + 1;\n";
            text += "positions[atom" + n + "] = make_coordinate4(x" + n + ".x, x" + n + ".y, x" + n + ".z, 0);\n"
                    + "velocities[atom" + n + "] = make_mixed4((mixed) v" + n + ".x, (mixed) v" + n + ".y, (mixed) v"
                    + n + ".z, stored" + n + ".w);\n";
        }
        return text + "}\n";
    }

    void upload(Engine<Q>& engine, std::vector<double> values) {
        values[4] = std::max(values[4], smallest_tolerance);
        if (values == uploaded_) return;
        ++engine.epoch;
        numbers_.upload(engine.queue, uploaded_ = std::move(values));
    }

    Product product_;
    RandomStream noise_;
    std::size_t items_ = 0, first_bath_ = 0, bath_count_ = 0;
    bool clears_forces_ = false;  // each particle has its item
    std::vector<bool> kinds_;
    Array<Q, std::int32_t> members_, ranges_;
    NumberArray<Q> shapes_, numbers_;
    std::vector<double> uploaded_;
    typename Q::Program program_;
    std::vector<Section> sections_;
    typename Q::Kernel count_;
    GraphOf<Q> graph_;
    std::int64_t recorded_epoch_ = -1, seen_epoch_ = -1;
};

}  // namespace trotter::device

namespace trotter {

/// Splittings of a fixed step: on the device where their constraints allow it, otherwise on the host.
template <FixedSplittingStep I, DeviceBackend B, Precision P> struct Kernel<I, B, P> {
    using Queue = typename B::Queue;

    Kernel(I const& integrator, Engine<B, P>& engine)
        : integrator_(integrator),
          engine_(engine.device),
          noise_(engine.host.random_stream(seed_of(integrator), engine.host.next_stream)),
          host_stepper_(noise_) {
        check_integrator(integrator);
        if (device::Stepper<Queue>::can_do(engine.host))
            stepper_.emplace(device::Product(I::splitting), noise_, engine.device);
    }

    /// Whether a step leaves the state on the device.
    bool stays_on_device() const { return stepper_.has_value(); }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        if (stepper_)
            stepper_->step(engine_, evaluate, step_numbers(integrator_));
        else
            host_stepper_.step(host, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    double kinetic_energy(HostEngine& host, ForceEvaluator evaluate) {
        double const offset = I::splitting.is_stochastic() ? 0 : velocity_offset();
        return shifted_kinetic_energy(host, evaluate, offset, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return I::splitting.velocity_offset() * integrator_.step_size; }
    ForceGroups const& force_groups() const { return integrator_.force_groups; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) {
        require_not_negative(I::name, "step size", step_size);
        integrator_.step_size = step_size;
    }
    std::map<std::string, double> parameters() const { return {}; }
    void set_parameters(std::map<std::string, double> const&) {}

    template <class Archive> void save(Archive& archive) const { archive.put(integrator_.step_size); }
    template <class Archive> void load(Archive& archive) { integrator_.step_size = archive.template get<double>(); }

private:
    I integrator_;
    device::Engine<Queue>& engine_;
    RandomStream noise_;
    SplittingStepper<I::splitting> host_stepper_;
    std::optional<device::Stepper<Queue>> stepper_;
};

}  // namespace trotter
