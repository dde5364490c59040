// Products of kicks with forces of different groups, drifts and noise: RESPA, stated as a type or as a
// CustomIntegrator. SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/host/integrators/common.hpp>
#include <trotter/host/integrators/group_forces.hpp>
#include <trotter/host/integrators/splitting.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// A product whose letters the run time knows. V, R and O are as in a `Splitting`; P moves the particles back onto the
/// constraints and the velocities by what that took, C projects the velocities on them.
struct GroupedProduct {
    struct Letter {
        char what = 0;
        int set = 0;       ///< of a V: which of `sets`
        double share = 0;  ///< of the time step; of a P: how much of it has passed since the last
    };
    std::vector<Letter> letters{};
    std::vector<ForceGroups> sets{};
    /// Of a step's random numbers, of which it may draw a million for each particle.
    static std::uint64_t first_draw(std::int64_t step_count) { return static_cast<std::uint64_t>(step_count) << 20; }

    int set_of(ForceGroups const& groups);
    /// With constraints where a run of R and O ends, and on velocities at the end.
    static GroupedProduct of(NestedSplitting const& splitting);
};

/// A CustomIntegrator that is such a product: the form that OpenMM's MTSIntegrator and MTSLangevinIntegrator have.
struct MultipleSteps {
    GroupedProduct product{};
    bool changes_state = false;  ///< begins with UpdateContextState
    int unconstrained = -1;      ///< the per-DOF variable that keeps the positions before they were constrained, or -1
    int decay = -1, spread = -1, thermal_energy = -1;  ///< global variables of a O: v = decay v + spread √(kT/m) ξ
};
/// That product, or nothing where the integrator is none.
std::optional<MultipleSteps> recognize_multiple_steps(CustomIntegrator const& integrator);

/// Carries out such a product. Between two places where something must be known of all particles the letters act in a
/// single pass.
class MultipleStepper {
public:
    MultipleStepper(GroupedProduct product, RandomStream noise, std::size_t particles);

    /// What an O does: v = decay v + spread ξ/√m.
    struct Numbers {
        double step_size = 0, decay = 1, spread = 0, constraint_tolerance = 0;
        std::uint64_t first_draw = 0;  ///< of the step's random numbers
    };
    /// To be called where something may have changed since the last step or state change.
    void begin(HostEngine& host) { forces_.forget_if_changed(host), forces_.remember(host); }
    /// `begin` stands before it.
    void step(HostEngine& host, ForceEvaluator const& evaluate, Numbers const& numbers);

    /// Positions before they were moved back onto the constraints last; empty where there are none.
    std::vector<Vec3<>> const& unconstrained() const { return unconstrained_; }
    GroupedProduct const& product() const { return product_; }

private:
    std::size_t end_of_pass(std::size_t first) const;
    void provide_forces(HostEngine& host, ForceEvaluator const& evaluate, std::size_t first, std::size_t end);
    void pass(HostEngine& host, std::size_t first, std::size_t end, Numbers const& numbers);
    void constrain(HostEngine& host, double time, double tolerance);
    void positions_have_changed() { forces_.forget(), sites_are_old_ = true; }

    GroupedProduct product_;
    RandomStream noise_;
    custom_integrator::GroupForces forces_;
    std::vector<Vec3<>> start_, unconstrained_;
    bool sites_are_old_ = false;  // some of their parents have moved in this step
};

template <class I>
concept NestedSplittingStep = Integrator<I> && requires {
    I::nested_splitting.letters;
};

/// But for the number of the first draw.
template <NestedSplittingStep I> MultipleStepper::Numbers numbers_of_product(I const& integrator) {
    MultipleStepper::Numbers numbers{.step_size = integrator.step_size,
                                     .constraint_tolerance = integrator.constraint_tolerance};
    if constexpr (I::nested_splitting.is_stochastic()) {
        double const share = integrator.step_size / static_cast<double>(I::nested_splitting.count({'O', 0}));
        numbers.decay = velocity_decay(share, integrator.friction);
        numbers.spread = velocity_spread(share, integrator.friction, integrator.temperature);
    }
    return numbers;
}

/// Carries out a product on a backend; `step` has the numbers of `MultipleStepper`.
template <HostBackend B, Precision P> class ProductStepper {
public:
    static constexpr bool stays_on_device = false;

    ProductStepper(GroupedProduct product, RandomStream noise, Engine<B, P>& engine)
        : stepper_(std::move(product), noise, engine.host.size()) {}

    void step(HostEngine& host, ForceEvaluator const& evaluate, MultipleStepper::Numbers const& numbers) {
        stepper_.begin(host);
        stepper_.step(host, evaluate, numbers);
    }

private:
    MultipleStepper stepper_;
};

template <NestedSplittingStep I, HostBackend B, Precision P> struct Kernel<I, B, P> {
    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : integrator_(integrator),
          stepper_(GroupedProduct::of(I::nested_splitting),
                   engine.host.random_stream(integrator.seed, who.stream), engine) {
        check_integrator(integrator);
    }

    /// Whether a step leaves the state on the device.
    bool stays_on_device() const { return ProductStepper<B, P>::stays_on_device; }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        auto numbers = numbers_of_product(integrator_);
        numbers.first_draw = GroupedProduct::first_draw(host.step_count);
        stepper_.step(host, evaluate, numbers);
        host.time += integrator_.step_size;
    }
    double kinetic_energy(HostEngine& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) { change_step_size(integrator_, step_size); }
    void set_temperature(double temperature) requires HasHeatBath<I> { change_temperature(integrator_, temperature); }
    void set_friction(double friction) requires HasHeatBath<I> { change_friction(integrator_, friction); }
    template <class Archive> void save(Archive& archive) const { save_numbers(integrator_, archive); }
    template <class Archive> void load(Archive& archive) { load_numbers(integrator_, archive); }

private:
    I integrator_;
    ProductStepper<B, P> stepper_;
};

}  // namespace trotter
