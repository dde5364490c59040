// One kernel for every integrator that is a product of kicks, drifts and Ornstein-Uhlenbeck steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/host/integrators/common.hpp>
#include <trotter/host/integrators/known_forces.hpp>
#include <trotter/integrators/splitting.hpp>
#include <trotter/kernel.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// An integrator that states its product, with a step size of fixed length, or one that follows the forces.
template <class I>
concept SplittingStep = Integrator<I> && requires {
    I::splitting.letters;
};
template <class I>
concept VariableStep = SplittingStep<I> && requires(I const& i) {
    i.error_tolerance;
};

/// One whose deterministic letters are a try: it says `static constexpr bool is_metropolized = true`.
template <class I>
concept MetropolizedStep = SplittingStep<I> && requires {
    requires I::is_metropolized;
};
template <class I>
concept FixedSplittingStep = SplittingStep<I> && !VariableStep<I> && !MetropolizedStep<I>;

/// What is left of velocities after an Ornstein-Uhlenbeck step of `time` [ps].
template <class T> T velocity_decay(T const& time, T const& friction) {
    using std::exp;
    return exp(-friction * time);
}
/// The standard deviation of the noise that it adds [nm/ps·√amu].
template <class T> T velocity_spread(T const& time, T const& friction, T const& temperature) {
    using std::expm1, std::sqrt;
    return sqrt(-expm1(-2 * friction * time) * constants::gas_constant * temperature);
}

/// The numbers of one step.
struct StepNumbers {
    double step_size = 0;  ///< [ps]
    double kick_size = 0;  ///< what V's stand for together [ps]; differs from the step size where that changes
    double temperature = 0, friction = 0;
    double constraint_tolerance = 0;
};

/// Of an integrator whose step has a fixed length.
template <SplittingStep I> StepNumbers step_numbers(I const& integrator) {
    StepNumbers numbers{.step_size = integrator.step_size,
                        .kick_size = integrator.step_size,
                        .constraint_tolerance = integrator.constraint_tolerance};
    if constexpr (HasHeatBath<I>) {
        numbers.temperature = integrator.temperature;
        numbers.friction = integrator.friction;
    }
    return numbers;
}

/// Carries out a product, letter after letter. Between two places where forces must be known all happens block after
/// block of particles: letters up to the next constraints in a single pass, then these, while the block is in the
/// cache.
template <auto product> class SplittingStepper {
public:
    explicit SplittingStepper(RandomStream noise) : noise_(noise) {}

    void step(HostEngine& host, ForceEvaluator const& evaluate, StepNumbers const& numbers) {
        numbers_ = numbers;
        kick_ = numbers.kick_size * product.share('V');
        drift_ = numbers.step_size * product.share('R');
        if constexpr (product.is_stochastic()) {
            double const share = numbers.step_size * product.share('O');
            decay_ = velocity_decay(share, numbers.friction);
            noise_scale_ = velocity_spread(share, numbers.friction, numbers.temperature);
        }
        sections_from<0>(host, evaluate);
        if constexpr (product.begins_with_last_forces()) known_forces_.remember(host);
    }

private:
    static constexpr std::size_t count = product.letters.size();

    static constexpr bool is_barrier(std::size_t i) {
        return product.constrain_positions_after(i) || product.constrain_velocities_after(i);
    }
    static constexpr std::size_t section_end(std::size_t first) {
        std::size_t i = first;
        while (i + 1 < count && !is_barrier(i)) ++i;
        return i + 1;
    }
    /// The first V of the step, if no R stands before it, finds positions that only thermostats and the like have
    /// changed.
    static constexpr bool needs_forces(std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i)
            if (product.letters[i] == 'V') {
                bool is_first = true;
                for (std::size_t k = 0; k < i; ++k) is_first = is_first && product.letters[k] == 'O';
                return is_first || product.needs_new_forces(i);
            }
        return false;
    }
    /// Of a section that needs forces: whether they are those of the end of the last step.
    static constexpr bool has_last_forces(std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i)
            if (product.needs_new_forces(i)) return false;
        return product.begins_with_last_forces();
    }
    /// Of sections that follow each other without new forces.
    static constexpr std::size_t sections_end(std::size_t first) {
        std::size_t end = section_end(first);
        while (end < count && !needs_forces(end, section_end(end))) end = section_end(end);
        return end;
    }
    /// How many R's stand in the run of R and O that ends at `last`.
    static constexpr double drifts_of_run(std::size_t last) {
        double drifts = 0;
        for (std::size_t k = last + 1; k-- > 0 && product.letters[k] != 'V';) drifts += product.letters[k] == 'R';
        return drifts;
    }

    template <std::size_t first> void sections_from(HostEngine& host, ForceEvaluator const& evaluate) {
        if constexpr (first < count) {
            constexpr std::size_t section = section_end(first), end = sections_end(first);
            if constexpr (needs_forces(first, section)) {
                if constexpr (first > 0) host.virtual_sites.place(host.positions, host.box);
                if (!(has_last_forces(first, section) && known_forces_.hold(host)))
                    evaluate({host.integration_groups, false});
            }
            {
                auto const part = host.threads.profile.part("motion");
                host.threads.run(static_cast<int>(host.constraints.blocks()), [&](int block) {
                    move<first, end>(host, host.constraints.block(static_cast<std::size_t>(block)));
                });
            }
            sections_from<end>(host, evaluate);
        }
    }

    template <std::size_t first, std::size_t last> void move(HostEngine& host, ParticleBlock const& block) const {
        if constexpr (first < last) {
            constexpr std::size_t end = section_end(first);
            bool const is_constrained = !host.constraints.empty(),
                       keeps = is_constrained && product.constrain_positions_after(end - 1);
            thread_local Displaced displaced;  // as large as a block, and so in the cache of whoever moves one
            displaced.start.resize(block.size());
            displaced.moved.resize(block.size());
            pass<first, end>(host, block, keeps ? displaced.start.data() : nullptr,
                             keeps ? displaced.moved.data() : nullptr);
            if (is_constrained) constrain<end - 1>(host, block, displaced);
            move<end, last>(host, block);
        }
    }

    /// Positions of a block before a section and after it.
    struct Displaced {
        std::vector<Vec3<>> start, moved;
    };

    template <std::size_t first, std::size_t end>
    void pass(HostEngine& host, ParticleBlock const& block, Vec3<>* start, Vec3<>* moved) const {
        constexpr std::size_t middle = end_of_pass(first, end);
        // Each O of a step draws at a step number of its own.
        auto const draw = static_cast<std::uint64_t>(host.step_count) * product.count('O') + noises_before(first);
        host.motion.move({.letters = product.letters.data() + first,
                          .letter_count = middle - first,
                          .kick = kick_,
                          .drift = drift_,
                          .decay = decay_,
                          .spread = noise_scale_,
                          .noise = noise_,
                          .first_draw = draw,
                          .begin = block.begin,
                          .end = block.end,
                          .inverse_masses = host.inverse_masses.data(),
                          .inverse_mass_roots = host.inverse_mass_roots.data(),
                          .forces = host.forces.data(),
                          .positions = host.positions.data(),
                          .velocities = host.velocities.data(),
                          .start = start,
                          .moved = middle == end ? moved : nullptr});
        if constexpr (middle < end) pass<middle, end>(host, block, nullptr, moved);
    }
    static constexpr std::size_t end_of_pass(std::size_t first, std::size_t end) {
        while (noises_before(end) - noises_before(first) > Moves::max_draws) --end;
        return end;
    }
    static constexpr std::size_t noises_before(std::size_t letter) {
        std::size_t count = 0;
        for (std::size_t k = 0; k < letter; ++k) count += product.letters[k] == 'O';
        return count;
    }

    // Moving the positions back onto the constraints took an impulse: it also acts on the velocities.
    template <std::size_t last>
    void constrain(HostEngine& host, ParticleBlock const& block, Displaced const& displaced) const {
        if constexpr (product.constrain_velocities_after(last))
            host.constraints.apply_to_velocities(block, host.positions.data(), host.velocities.data());
        if constexpr (product.constrain_positions_after(last)) {
            constrain_positions(host, block, displaced.start.data(), numbers_.constraint_tolerance);
            double const rate = 1 / (drifts_of_run(last) * drift_);
            host.motion.correct(host.velocities.data() + block.begin, host.positions.data() + block.begin,
                                displaced.moved.data(), rate, block.size());
        }
    }

    RandomStream noise_;
    StepNumbers numbers_;
    double kick_ = 0, drift_ = 0, decay_ = 1, noise_scale_ = 0;
    KnownForces known_forces_;
};

/// Verlet, Langevin and every SplittingIntegrator: the same step size throughout.
template <FixedSplittingStep I, HostBackend B, Precision P> struct Kernel<I, B, P> {
    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : integrator_(integrator), stepper_(engine.host.random_stream(seed_of(integrator), who.stream)) {
        check_integrator(integrator);
    }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        stepper_.step(host, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    /// Of a deterministic leapfrog at the time of the positions; else with velocities as they are stored.
    double kinetic_energy(HostEngine& host, ForceEvaluator evaluate) {
        double const offset = I::splitting.is_stochastic() ? 0 : velocity_offset();
        return shifted_kinetic_energy(host, evaluate, offset, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return I::splitting.velocity_offset() * integrator_.step_size; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) { change_step_size(integrator_, step_size); }
    void set_temperature(double temperature) requires HasHeatBath<I> { change_temperature(integrator_, temperature); }
    void set_friction(double friction) requires HasHeatBath<I> { change_friction(integrator_, friction); }

    template <class Archive> void save(Archive& archive) const { save_numbers(integrator_, archive); }
    template <class Archive> void load(Archive& archive) { load_numbers(integrator_, archive); }

private:
    I integrator_;
    SplittingStepper<I::splitting> stepper_;
};

}  // namespace trotter
