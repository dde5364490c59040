// The registry of kernels: implementations of operations on backends, found at compile time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <trotter/concepts.hpp>
#include <trotter/parts/parts.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Shared by the forces of one Context: arrays, box, parameters, pair lists, batches of terms. Each backend specializes
/// it.
template <Backend B, Precision P> class Engine;

namespace detail {

/// The engine's data of one part of a force: the result of its `register_part`, constructed in place.
template <class Part, class EngineType> struct PartKernel {
    struct From {
        Part const& part;
        EngineType& engine;
        Registration who;
    };
    using Kept = decltype(std::declval<EngineType&>().register_part(std::declval<Part const&>(), Registration{}));
    static constexpr bool has_update =
        requires(EngineType & engine, Kept & kept, Part const& part) { engine.update_part(kept, part); };
    Kept kept;

    PartKernel(From const& from) : kept(from.engine.register_part(from.part, from.who)) {}
};

/// The kernels of these parts, if the engine supports all of them.
template <class Parts, class EngineType> struct PartKernels {
    static constexpr bool exist = false, have_updates = false;
    using Type = std::tuple<>;
};
template <class... Part, class EngineType>
    requires requires(EngineType& engine, Part const&... part) { (engine.register_part(part, Registration{}), ...); }
struct PartKernels<std::tuple<Part...>, EngineType> {
    static constexpr bool exist = true;
    using Type = std::tuple<PartKernel<std::remove_cvref_t<Part>, EngineType>...>;
    static constexpr bool have_updates = (PartKernel<std::remove_cvref_t<Part>, EngineType>::has_update && ...);

    static Type make(std::tuple<Part...> const& parts, EngineType& engine, Registration who) {
        return std::apply(
            [&](auto const&... part) {
                return Type(typename PartKernel<std::remove_cvref_t<Part>, EngineType>::From{part, engine, who}...);
            },
            parts);
    }
};

}  // namespace detail

/// The implementation of `Op` on `B` in precision `P`. A specialization is the registration. The primary template is
/// the sum of the parts of a force (see `parts_of`), which the engine supports by `register_part`; an `Op` without
/// parts and without a specialization makes no Context: see `diagnosis.hpp`.
///
/// A kernel has a constructor `Kernel(Op const&, Engine<B, P>&, Registration)` that checks the parameters. Optional
/// members of a force's kernel are in `kernel_hooks.hpp`. On Reference it adds to `host.box_virial`, if engaged, the
/// contribution of periodic images and volume to the virial: see `common/forces/box_virial.hpp`.
template <class Op, Backend B, Precision P> struct Kernel {
private:
    using EngineType = Engine<B, P>;
    using PartKernels = detail::PartKernels<decltype(parts_of(std::declval<Op const&>())), EngineType>;
    static constexpr bool has_parts = PartKernels::exist;
    static constexpr bool has_several = std::tuple_size_v<typename PartKernels::Type> > 1;

public:
    static constexpr bool is_missing = !has_parts;  ///< no kernel for this backend and precision

    /// Makes the kernels of all parts. Throws InputError for invalid parameters.
    Kernel(Op const& op, EngineType& engine, Registration who)
        requires(has_parts)
        : parts_(PartKernels::make(parts_of(op), engine, who)), stated_(op) {}

    /// Adds the forces of all parts; returns their energy [kJ/mol].
    template <class Request> double compute(EngineType& engine, Request const& request)
        requires(has_parts)
    {
        double energy = 0;
        for_each_part([&](auto& part) { energy += engine.compute_part(part, request); });
        return energy;
    }
    /// The energy of parts that are evaluated together at the end of an evaluation.
    template <class Request> double late_energy(EngineType& engine, Request const& request)
        requires(has_parts)
    {
        double energy = 0;
        for_each_part([&](auto& part) {
            if constexpr (requires { engine.late_energy(part, request); }) energy += engine.late_energy(part, request);
        });
        return energy;
    }
    /// Updates the parameters of all parts, or of none if it throws.
    void update(Op const& op, EngineType& engine)
        requires(PartKernels::have_updates)
    {
        if constexpr (has_several) {
            try {
                update_parts(op, engine);
            } catch (...) {
                update_parts(stated_, engine);
                throw;
            }
            stated_ = op;
        } else
            update_parts(op, engine);
    }
    /// Saves the parts that have a state.
    template <class Archive> void save(Archive& archive) {
        for_each_part([&](auto& part) {
            if constexpr (requires { part.save(archive); }) part.save(archive);
        });
    }
    /// Loads what `save` wrote.
    template <class Archive> void load(Archive& archive) {
        for_each_part([&](auto& part) {
            if constexpr (requires { part.load(archive); }) part.load(archive);
        });
    }
    /// Calls `visit` with the engine's data of each part.
    template <class Visit> void for_each_part(Visit const& visit) {
        std::apply([&](auto&... part) { (visit(part.kept), ...); }, parts_);
    }

private:
    struct Nothing {
        Nothing(Op const&) {}
    };

    void update_parts(Op const& op, EngineType& engine) {
        auto const parts = parts_of(op);
        [&]<std::size_t... n>(std::index_sequence<n...>) {
            (engine.update_part(std::get<n>(parts_).kept, std::get<n>(parts)), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<typename PartKernels::Type>>{});
    }

    typename PartKernels::Type parts_;
    [[no_unique_address]] std::conditional_t<has_several, Op, Nothing> stated_;
};

}  // namespace trotter
