// Numbers by their names, which say what is wrong where one is read that is not there.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <trotter/error.hpp>

namespace trotter {

namespace detail {

/// Throws InputError for a name that is not among those of `numbers`; `advice` follows the known ones.
inline void require_name(std::map<std::string, double> const& numbers, std::string const& name,
                         std::string const& advice) {
    if (numbers.contains(name)) return;
    std::string known;
    for (auto const& entry : numbers) known += (known.empty() ? "" : ", ") + entry.first;
    throw InputError("there is no number of the name '" + name + "'; known: " + (known.empty() ? "none" : known)
                     + advice);
}

}  // namespace detail

/// Parameters. `at` throws InputError for a name that is not there.
class NamedNumbers : public std::map<std::string, double> {
public:
    using map::map;
    /// From any map.
    NamedNumbers(std::map<std::string, double> numbers) : map(std::move(numbers)) {}

    ///@{
    /// Throws InputError for a name that is not there.
    double const& at(std::string const& name) const { return detail::require_name(*this, name, ""), map::at(name); }
    double& at(std::string const& name) { return detail::require_name(*this, name, ""), map::at(name); }
    ///@}
};

/// Derivatives of the energy by parameters. `at` throws InputError for one that no force computes.
class EnergyDerivatives : public std::map<std::string, double> {
public:
    using map::map;
    /// From any map.
    EnergyDerivatives(std::map<std::string, double> numbers) : map(std::move(numbers)) {}

    ///@{
    /// Throws InputError for a parameter by which no force computes a derivative.
    double const& at(std::string const& name) const { return require(name), map::at(name); }
    double& at(std::string const& name) { return require(name), map::at(name); }
    ///@}

private:
    void require(std::string const& name) const {
        detail::require_name(*this, name, "; a derivative is computed by the parameters that a force names in "
                                          "`energy_parameter_derivatives`");
    }
};

/// What a State holds where it was asked for, as `std::optional`. To read it where it is absent throws InputError.
template <class T> class AskedFor {
public:
    AskedFor() = default;
    AskedFor(std::nullopt_t) {}  ///< absent
    /// Present.
    template <class U = T>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, AskedFor>)
    AskedFor(U&& value) : held_(std::in_place, std::forward<U>(value)) {}
    /// Takes a list in braces, too.
    template <class U = T>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, AskedFor>)
    AskedFor& operator=(U&& value) {
        held_.emplace(std::forward<U>(value));
        return *this;
    }
    /// Makes the value in place.
    template <class... Arguments> T& emplace(Arguments&&... arguments) {
        return held_.emplace(std::forward<Arguments>(arguments)...);
    }

    bool has_value() const { return held_.has_value(); }  ///< whether it is present
    explicit operator bool() const { return has_value(); }  ///< whether it is present
    ///@{
    /// Throws InputError where it is absent.
    T const& value() const { return require(), *held_; }
    T& value() { return require(), *held_; }
    T const& operator*() const { return value(); }
    T& operator*() { return value(); }
    T const* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    ///@}
    friend bool operator==(AskedFor const&, AskedFor const&) = default;  ///< both absent, or equal

private:
    void require() const {
        if (!has_value())
            throw InputError("the State holds no such numbers: ask `state` for Parameters, ParameterDerivatives or "
                             "IntegratorParameters");
    }

    std::optional<T> held_;
};

}  // namespace trotter
