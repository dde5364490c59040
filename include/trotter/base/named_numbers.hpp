// Maps from names to values, whose `at` throws InputError for an unknown name.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <trotter/base/fixed_string.hpp>
#include <trotter/error.hpp>

namespace trotter {

/// Numbers by name. `at` throws InputError for an unknown name, with the known ones followed by `advice`.
template <FixedString advice> class NumbersByName : public std::map<std::string, double> {
public:
    using map::map;
    /// Converts from a map.
    NumbersByName(std::map<std::string, double> numbers) : map(std::move(numbers)) {}

    ///@{
    /// Throws InputError for an unknown name.
    double const& at(std::string const& name) const { return require(name), map::at(name); }
    double& at(std::string const& name) { return require(name), map::at(name); }
    ///@}

private:
    void require(std::string const& name) const {
        if (contains(name)) return;
        std::string known;
        for (auto const& entry : *this) known += (known.empty() ? "" : ", ") + entry.first;
        throw InputError("there is no number of the name '" + name + "'; known: " + (known.empty() ? "none" : known)
                         + std::string(advice.view()));
    }
};

/// Parameter values.
using NamedNumbers = NumbersByName<"">;
namespace detail {
inline constexpr FixedString derivative_advice{
    "; a derivative is computed by the parameters that a force names in `energy_parameter_derivatives`"};
}  // namespace detail
/// Parameter derivatives of the energy.
using EnergyDerivatives = NumbersByName<detail::derivative_advice>;

/// A `std::optional` for the data requested for a State. Reading an absent value throws InputError.
template <class T> class AskedFor {
public:
    AskedFor() = default;
    AskedFor(std::nullopt_t) {}  ///< absent
    /// Present.
    template <class U = T>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, AskedFor>)
    AskedFor(U&& value) : held_(std::in_place, std::forward<U>(value)) {}
    /// Also accepts a braced list.
    template <class U = T>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, AskedFor>)
    AskedFor& operator=(U&& value) {
        held_.emplace(std::forward<U>(value));
        return *this;
    }
    /// Constructs the value in place.
    template <class... Arguments> T& emplace(Arguments&&... arguments) {
        return held_.emplace(std::forward<Arguments>(arguments)...);
    }

    bool has_value() const { return held_.has_value(); }  ///< whether it is present
    explicit operator bool() const { return has_value(); }  ///< whether it is present
    ///@{
    /// Throws InputError if it is absent.
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
