// The kernels that a Context keeps for its integrators, one of which is current.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/base/owned.hpp>
#include <trotter/base/random.hpp>
#include <trotter/error.hpp>
#include <trotter/integrators/compound.hpp>
#include <trotter/kernel.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// The integrators compiled for a Context made with `I`: this type alone, or the list of a Compound.
template <class I> struct ListFor {
    using Type = IntegratorList<I>;  ///< list of the one type
};
/// A compound integrator has its own list.
template <class List> struct ListFor<BasicCompoundIntegrator<List>> {
    using Type = List;  ///< that of the compound
};

template <class List, class B, class P> class IntegratorKernels;

/// The kernels of one integrator, or of those of a compound, of which one is current.
template <class... Is, class B, class P> class IntegratorKernels<IntegratorList<Is...>, B, P> {
public:
    /// Keeps one integrator, or those of a Compound; `make` makes their kernels.
    template <class I> explicit IntegratorKernels(I const& integrator) {
        if constexpr (requires { integrator.integrators; }) {
            if (integrator.integrators.empty()) throw InputError("the CompoundIntegrator holds no integrator");
            values_.assign(integrator.integrators.begin(), integrator.integrators.end());
            current_ = integrator.current;
            is_compound_ = true;
        } else {
            values_.emplace_back(integrator);
        }
    }

    /// Makes all kernels, or makes them again with their current parameters.
    template <class List> [[gnu::cold]] void make(System<List> const& system, Engine<B, P>& engine) {
        for (std::size_t i = 0; i < kernels_.size(); ++i)
            std::visit([&](auto const& kernel) { values_[i] = kernel->integrator(); }, kernels_[i]);
        kernels_.clear();
        for (auto const& value : values_) {
            Registration const who{count(), streams::integrator + static_cast<std::uint32_t>(count())};
            std::visit(
                [&]<class I>(I const& integrator) {
                    kernels_.emplace_back(Owned<Kernel<I, B, P>>(std::in_place, joined(integrator, system), engine, who));
                },
                value);
        }
        choose(current_);
    }

    /// Number of integrators.
    int count() const { return static_cast<int>(kernels_.size()); }
    /// Index of the integrator that steps.
    int current() const { return current_; }
    /// Throws InputError if there is no such integrator.
    void choose(int index) {
        if (index < 0 || index >= count())
            throw InputError("there is no integrator " + std::to_string(index) + "; the Context has " + std::to_string(count()));
        current_ = index;
    }

    /// Calls `visit` with the kernel of one integrator, or with every kernel.
    template <class Visit> decltype(auto) visit(int index, Visit&& visit) {
        auto& any = kernels_[static_cast<std::size_t>(index)];
        return std::visit([&](auto& kernel) -> decltype(auto) { return visit(*kernel); }, any);
    }
    /// Calls `visit(kernel)` for every kernel.
    template <class Visit> void for_each(Visit&& visit) {
        for (auto& any : kernels_) std::visit([&](auto& kernel) { visit(*kernel); }, any);
    }

    /// Parameters by their paths in the XML tree of files, where each integrator of a Compound has its own element.
    std::map<std::string, double> parameters() {
        auto result = parameters_of_kernels();
        if (!is_compound_) return result;
        result["currentIntegrator"] = current_;
        for (int i = 0; i < count(); ++i) result["IntegratorParameters[" + std::to_string(i) + "]/"] = 0;
        return result;
    }
    /// Restores what `parameters` returned. Throws InputError for a current integrator that does not exist.
    void set_parameters(std::map<std::string, double> const& parameters) {
        for_each([&](auto& kernel) {
            if constexpr (requires { kernel.set_parameters(parameters); }) kernel.set_parameters(parameters);
        });
        if (auto const current = parameters.find("currentIntegrator"); is_compound_ && current != parameters.end())
            choose(static_cast<int>(current->second));
    }
    /// Throws InputError for a name that is not among those of `parameters`. Names below the elements of these, such as
    /// the variables of a CustomIntegrator, are checked by `set_parameters`.
    [[gnu::cold]] void check_names(std::map<std::string, double> const& parameters) {
        auto const known = this->parameters(), elements = parameters_of_kernels();
        for (auto const& [name, value] : parameters)
            if (!known.contains(name) && !elements.contains(name.substr(0, name.rfind('/') + 1)))
                throw InputError("no integrator of this Context keeps a number of the name '" + name
                                 + "' (settings such as its temperature have functions of their own); known: " + listed(known));
    }

private:
    std::map<std::string, double> parameters_of_kernels() {
        std::map<std::string, double> result;
        for_each([&](auto const& kernel) {
            if constexpr (requires { kernel.parameters(); }) result.merge(kernel.parameters());
        });
        return result;
    }
    /// The first names: each particle may have some.
    static std::string listed(std::map<std::string, double> const& numbers) {
        constexpr int most = 8;
        std::string result;
        int count = 0;
        for (auto const& entry : numbers) {
            if (count > 0) result += ", ";
            if (count++ == most) return result + "…";
            result += entry.first;
        }
        return count == 0 ? "none" : result;
    }

    std::vector<std::variant<Is...>> values_;
    std::vector<std::variant<Owned<Kernel<Is, B, P>>...>> kernels_;
    int current_ = 0;
    bool is_compound_ = false;
};

}  // namespace trotter
