// The kernels that a Context keeps for the forces of its System.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/by_type.hpp>
#include <trotter/base/owned.hpp>
#include <trotter/base/random.hpp>
#include <trotter/context/abandon.hpp>
#include <trotter/context/periodic_ranges.hpp>
#include <trotter/core/request.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>
#include <trotter/system.hpp>

namespace trotter {

template <class List, Backend B, Precision P> class ForceKernels;

/// One kernel for every force, called in the order in which the forces were added.
template <class... Fs, Backend B, Precision P> class ForceKernels<ForceList<Fs...>, B, P> {
public:
    using SystemType = System<ForceList<Fs...>>;  ///< whose forces these kernels compute

    /// Makes all kernels. Throws InputError that names the first invalid force.
    [[gnu::cold]] void make(SystemType const& system, Engine<B, P>& engine) {
        kernels_ = {};
        order_ = system.order();
        (check_count<Fs>(system), ...);
        energies_.assign(order_.size(), 0);
        ranges_ = {};
        system.for_each_force([&]<class F>(int index, F const& force) {
            Registration const who{index, streams::force + static_cast<std::uint32_t>(index)};
            try {
                check_common(force);
                ranges_.set(static_cast<std::size_t>(index), force);
                of<F>().emplace_back(std::in_place, joined(force, system), engine, who);
            } catch (InputError const& error) {
                throw InputError(force_named(index, F::name) + ": " + error.what());
            }
        });
    }

    /// Calls `visit(index, kernel)` for every kernel, in order.
    template <class Visit> void for_each(Visit&& visit) {
        for (std::size_t index = 0; index < order_.size(); ++index)
            (void)(visit_if_of<Fs>(index, visit) || ...);
    }
    /// Number of forces.
    int count() const { return static_cast<int>(order_.size()); }
    /// The kernel of a force of type `F`.
    template <class F> Kernel<F, B, P>& at(typename SystemType::ForceHandle handle) { return *of<F>()[handle.index]; }
    /// Whether kernels of this type can update parameters.
    template <class F>
    static constexpr bool has_update = requires(Kernel<F, B, P>& kernel, F const& force, Engine<B, P>& engine) {
        kernel.update(force, engine);
    };
    /// Updates the parameters of the force with this index and handle. Throws InputError if more has changed.
    template <class F>
    void update(int index, F const& force, SystemType const& system, Engine<B, P>& engine) {
        at<F>(system.handle(index)).update(joined(force, system), engine);
        ranges_.set(static_cast<std::size_t>(index), force);
    }
    /// Updates the forces that depend on others, after one of these was updated.
    void update_joined(int changed, SystemType const& system, Engine<B, P>& engine) {
        system.for_each_force([&]<class F>(int index, F const& force) {
            if constexpr (requires { force.joined_with(system); })
                if (index != changed) update(index, force, system, engine);
        });
    }
    /// Throws InputError unless the kernels were made when the force with this index had this handle.
    void check_handle(int index, typename SystemType::ForceHandle handle) const {
        if (index >= count()) throw after_making(index, "added");
        if (!(order_[static_cast<std::size_t>(index)] == handle)) throw after_making(index, "exchanged for another");
    }

    /// Evaluates the forces that `request` wants into the engine; returns their energy.
    double compute(Engine<B, P>& engine, Request const& request) {
        return compute_where([](int) { return true; }, engine, request, energies_);
    }
    /// The same for the force with this index alone. Throws InputError if there is none.
    double compute_one(int wanted, Engine<B, P>& engine, Request const& request) {
        if (wanted < 0 || wanted >= count())
            throw InputError("there is no force " + std::to_string(wanted) + "; the System has "
                             + std::to_string(count()));
        std::vector<double> energies(energies_.size());
        return compute_where([wanted](int index) { return index == wanted; }, engine, request, energies);
    }
    /// The energy of each force in the last call of `compute` [kJ/mol].
    std::vector<double> const& energies() const { return energies_; }

private:
    template <class IsWanted> double compute_where(IsWanted const& is_wanted, Engine<B, P>& engine,
                                                   Request const& request, std::vector<double>& energies) {
        double total = 0;
        ranges_.check(request, engine.host.box);
        or_abandon(engine, [&] {
            engine.begin(request);
            for_each([&](int index, auto& kernel) {
                if (is_wanted(index)) energies[static_cast<std::size_t>(index)] = energy_of(kernel, engine, request);
            });
            engine.finish(request);
        });
        for_each([&](int index, auto& kernel) {
            if (is_wanted(index))
                total += energies[static_cast<std::size_t>(index)] += late_energy_of(kernel, engine, request);
        });
        return total;
    }
    [[gnu::cold]] static InputError after_making(int index, std::string const& what) {
        return InputError("force " + std::to_string(index) + " was " + what
                          + " after the Context was made; call reinitialize()");
    }
    /// Throws InputError for forces that were not added by `add`: they would have no effect.
    template <class F> static void check_count(SystemType const& system) {
        std::size_t known = 0;
        for (auto const handle : system.order()) known += handle.type == SystemType::template type_index<F>();
        if (auto const size = system.template forces<F>().size(); size != known) throw other_count(F::name, size, known);
    }
    [[gnu::cold]] static InputError other_count(std::string_view name, std::size_t size, std::size_t known) {
        return InputError("the System holds " + std::to_string(size) + " forces of the type " + std::string(name)
                          + ", but `add` was called for " + std::to_string(known));
    }
    /// Checks the members common to all forces.
    template <class F> static void check_common(F const& force) {
        if constexpr (requires { force.force_group; })
            if (force.force_group < 0)
                throw InputError("the force group is " + std::to_string(force.force_group) + ", expected 0 or more");
        if constexpr (requires { force.energy.is_set(); })
            if (!force.energy.is_set()) throw InputError("the formula `energy` was not set");
    }
    template <class F>
    static double energy_of(Kernel<F, B, P>& kernel, Engine<B, P>& engine, Request const& request) {
        auto const part = engine.host.threads.profile.part(F::name);
        if constexpr (requires { kernel.compute(engine, request); }) return kernel.compute(engine, request);
        else return 0;
    }
    // Forces that are evaluated together at the engine's `finish` have their energies only then.
    template <class KernelType>
    static double late_energy_of(KernelType& kernel, Engine<B, P>& engine, Request const& request) {
        if constexpr (requires { kernel.late_energy(engine, request); }) return kernel.late_energy(engine, request);
        else return 0;
    }
    template <class F> using KernelsOf = std::vector<Owned<Kernel<F, B, P>>>;
    template <class F> auto& of() { return kernels_.template get<KernelsOf<F>>(); }
    template <class F, class Visit> bool visit_if_of(std::size_t index, Visit& visit) {
        auto const handle = order_[index];
        if (handle.type != SystemType::template type_index<F>()) return false;
        visit(static_cast<int>(index), at<F>(handle));
        return true;
    }

    ByType<KernelsOf<Fs>...> kernels_;
    std::vector<typename SystemType::ForceHandle> order_;
    std::vector<double> energies_;
    PeriodicRanges ranges_;
};

}  // namespace trotter
