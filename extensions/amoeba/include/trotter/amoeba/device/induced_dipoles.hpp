// Solves for induced dipoles on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <trotter/amoeba/device/kernels/solver.hpp>
#include <trotter/amoeba/multipoles/convergence.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>

namespace trotter::amoeba {

/// Both sets of vectors of all sites: dipoles [e nm] or fields [e/nm²].
template <device::DeviceQueue Q> struct DeviceSets {
    device::NumberArray<Q> d, p;

    explicit DeviceSets(device::Engine<Q>& engine)
        : d(engine.queue, 4 * engine.padded, engine.types.real_is_double),
          p(engine.queue, 4 * engine.padded, engine.types.real_is_double) {
        d.clear(engine.queue);
        p.clear(engine.queue);
    }
};

/// For kernels that add partial sums.
template <device::DeviceQueue Q> device::LaunchGrid one_group(device::Engine<Q>& engine) {
    return {1, std::min<std::size_t>(256, engine.queue.properties().largest_group)};
}

/// The induced dipoles of earlier steps, from which the first guess is extrapolated in time: those that the permanent
/// moments' fields induce, and a linear combination of what mutual induction has added in earlier steps. Its coefficients
/// are those with which the steps before the last would have given the last one in least squares; they follow vibrations,
/// which polynomials of time do not, at steps of 2 fs. The last evaluation stays in arrays of its own until the next one.
template <device::DeviceQueue Q> class DipoleHistory {
public:
    static constexpr std::int32_t remembered = 6;  ///< number of evaluations

    /// What a guess is made of: the number of evaluations in the history, the index of the newest, and whether the last
    /// evaluation is to be added as such.
    struct Guess {
        bool remember = false;
        std::int32_t count = 0, newest = 0;

        /// Number of evaluations in the linear combination.
        std::int32_t terms() const { return count > 1 ? count - 1 : count; }
    };

    DipoleHistory(device::Engine<Q>& engine, std::int32_t parts)
        : parts_(parts),
          history_(engine.queue, 8 * remembered * engine.padded, engine.types.real_is_double),
          products_(engine.queue, static_cast<std::size_t>(products * parts), engine.types.coordinate_is_double),
          shares_(engine.queue, remembered, engine.types.coordinate_is_double) {
        history_.clear(engine.queue);
    }
    void take_kernels(typename Q::Program& program) { kernels_.take(program); }

    /// For the present positions. The same positions get the same guess again; other positions in the same step replace
    /// the last evaluation, so that a trial that is rejected leaves no trace.
    Guess begin(device::Engine<Q>& engine) {
        Guess guess{.remember = false, .count = count_, .newest = newest_};
        step_ = engine.host.step_count;
        if (last_step_ && repeats(engine)) {
            step_ = *last_step_;
        } else if (last_step_) {
            auto const steps = step_ - *last_step_;
            if (steps == 1)
                guess = {.remember = true, .count = std::min(count_ + 1, remembered), .newest = (newest_ + 1) % remembered};
            else if (steps != 0)
                guess.count = 0;
        }
        last_step_.reset();  // in case of an exception
        count_ = guess.count;
        newest_ = guess.newest;
        return guess;
    }
    /// Finds the linear combination, while `field` and `dipoles` are those of the last evaluation.
    void find_shares(device::Engine<Q>& engine, Guess const& guess, device::NumberArray<Q> const& polarizability,
                     DeviceSets<Q> const& field, DeviceSets<Q> const& dipoles) {
        if (guess.count == 0) return;
        auto& queue = engine.queue;
        device::launch<"remember_dipoles">(queue, kernels_, {static_cast<std::size_t>(parts_), 64}, polarizability,
                                           field.d, field.p, dipoles.d, dipoles.p, history_, products_,
                                           static_cast<std::int32_t>(guess.remember), guess.newest);
        if (guess.count == 1)
            shares_.upload(queue, {1}, 0);
        else
            device::launch<"find_shares">(queue, kernels_, one_group(engine), products_, shares_, guess.terms());
    }
    device::NumberArray<Q> const& evaluations() const { return history_; }
    device::NumberArray<Q> const& shares() const { return shares_; }
    /// Call when the induced dipoles have been found.
    void complete(device::Engine<Q>& engine) {
        last_step_ = step_;
        motions_ = engine.state.motions();
        positions_.clear();
        if (!engine.state.is_on_device()) positions_ = engine.host.positions;
        repeats_next_ = false;
    }

    /// `last`: the fields and the dipoles of the last evaluation.
    template <class Archive>
    void save(device::Engine<Q>& engine, std::initializer_list<DeviceSets<Q> const*> last, Archive& archive) {
        archive.put(last_step_.has_value());
        if (!last_step_) return;
        archive.put(*last_step_);
        archive.put(repeats(engine));
        archive.put(count_);
        archive.put(newest_);
        archive.put(history_.download(engine.queue));
        for (auto const* sets : last)
            for (auto const* numbers : {&sets->d, &sets->p}) archive.put(numbers->download(engine.queue));
    }
    template <class Archive>
    void load(device::Engine<Q>& engine, std::initializer_list<DeviceSets<Q>*> last, Archive& archive) {
        last_step_.reset();
        count_ = newest_ = 0;
        if (!archive.template get<bool>()) return;
        auto const step = archive.template get<std::int64_t>();
        repeats_next_ = archive.template get<bool>();
        auto const count = archive.template get<std::int32_t>(), newest = archive.template get<std::int32_t>();
        auto const read = [&](device::NumberArray<Q>& numbers) {
            auto const values = archive.template get_vector<double>();
            if (values.size() != numbers.size() || count < 0 || count > remembered || newest < 0 || newest >= remembered)
                throw InputError("the checkpoint has induced dipoles of another System");
            numbers.upload(engine.queue, values);
        };
        read(history_);
        for (auto* sets : last) read(sets->d), read(sets->p);
        last_step_ = step;
        count_ = count;
        newest_ = newest;
    }

private:
    bool repeats(device::Engine<Q>& engine) const {
        if (repeats_next_) return true;
        return engine.state.is_on_device() ? positions_.empty() && motions_ == engine.state.motions()
                                           : positions_ == engine.host.positions;
    }
    static constexpr std::int32_t products = remembered * (remembered + 1) / 2 - 1;

    std::int32_t parts_, count_ = 0, newest_ = 0;
    std::int64_t step_ = 0;                  // of the evaluation that has begun
    std::optional<std::int64_t> last_step_;  // of the last evaluation that was completed
    std::uint64_t motions_ = 0;              // where its positions were on the device
    std::vector<Vec3<>> positions_;          // else these
    bool repeats_next_ = false;              // after a checkpoint was loaded
    device::NumberArray<Q> history_, products_, shares_;
    device::SourceKernels<Q, kernels::history> kernels_;
};

/// Preconditioned conjugate gradients with all vectors on the device. The device judges the convergence: iterations
/// beyond it change nothing, so that the host launches as many as the last evaluation needed before it waits for the
/// result.
template <device::DeviceQueue Q> class DeviceConjugateGradients {
    using Sets = DeviceSets<Q>;
    using Numbers = device::NumberArray<Q>;

public:
    DeviceConjugateGradients(device::Engine<Q>& engine, std::int32_t parts)
        : parts_(parts),
          change_(engine),
          image_(engine),
          direction_(engine),
          of_direction_(engine),
          gradient_(engine),
          products_(engine.queue, static_cast<std::size_t>(6 * parts_), engine.types.coordinate_is_double),
          totals_(engine.queue, 9, engine.types.coordinate_is_double),
          limit_(engine.queue.version(), engine.types.coordinate_is_double) {}

    void take_kernels(typename Q::Program& program) { kernels_.take(program); }
    /// The gradients of the mesh's potentials, for `launch_field`.
    Sets& gradient() { return gradient_; }
    /// The last change α(E + T μ) - μ, which is α times the residual; 0 before the first use.
    Sets const& change() const { return change_; }

    /// Starts from the guess in `dipoles`. `launch_field(sets)` launches the sums of the field of dipoles. Throws
    /// SimulationError if `most` iterations do not bring the rms change below `target` [D]. Returns the number of
    /// iterations.
    template <class LaunchField>
    int solve(device::Engine<Q>& engine, Numbers const& polarizability, Sets const& field, Sets& dipoles,
              double target, int most, LaunchField const& launch_field) {
        double const per_size = debye / std::sqrt(static_cast<double>(engine.host.size()));
        limit_ = (target / per_size) * (target / per_size);
        launch_field(dipoles);
        device::launch<"first_change">(engine.queue, kernels_, grid(), engine.forces, polarizability, field.d, field.p,
                                       gradient_.d, gradient_.p, dipoles.d, dipoles.p, change_.d, change_.p, products_,
                                       totals_);
        int launched = 0;
        for (int until = std::min(most, last_);; until = std::min(most, launched + 1)) {
            for (; launched < until; ++launched) launch_iteration(engine, polarizability, dipoles, launch_field);
            device::launch<"find_changes">(engine.queue, kernels_, one_group(engine), products_, totals_);
            auto const found = totals_.download(engine.queue);
            double const error = per_size * std::sqrt(std::max(found[0], found[1]));
            if (!(error >= target)) return last_ = static_cast<int>(found[2]);  // or the positions are not finite
            if (launched == most) refuse_induction(most, error, target);
        }
    }

private:
    device::LaunchGrid grid() const { return {static_cast<std::size_t>(parts_), 64}; }
    template <class LaunchField>
    void launch_iteration(device::Engine<Q>& engine, Numbers const& polarizability, Sets& dipoles, LaunchField const& launch_field) {
        auto& queue = engine.queue;
        launch_field(change_);
        device::launch<"apply_matrix">(queue, kernels_, grid(), engine.forces, polarizability, gradient_.d, gradient_.p,
                                       change_.d, change_.p, image_.d, image_.p, products_);
        device::launch<"find_lengths">(queue, kernels_, one_group(engine), products_, totals_, limit_);
        device::launch<"advance">(queue, kernels_, grid(), polarizability, totals_, image_.d, image_.p, direction_.d,
                                  direction_.p, of_direction_.d, of_direction_.p, dipoles.d, dipoles.p, change_.d,
                                  change_.p, products_);
    }

    std::int32_t parts_;
    Sets change_, image_, direction_, of_direction_, gradient_;
    Numbers products_;  // partial sums
    Numbers totals_;    // Σ change² of both sets, the number of iterations, and lengths of steps
    device::ChangingReal limit_;
    int last_ = 0;  // iterations of the last evaluation
    device::SourceKernels<Q, kernels::solver> kernels_;
};

}  // namespace trotter::amoeba
