// How a force describes its numbers once, for formulas, files, checks, uploads and messages alike.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>

#include <trotter/error.hpp>

namespace trotter {

/// Which values of a field make sense. Every number must be finite.
enum class Valid { any, not_negative, at_least_one, angle };

/// One number of a term or particle: its name in formulas, its name in files, and where it is kept.
template <class Object, class T> struct Field {
    std::string_view formula_name, file_name;
    T Object::* member;
    Valid valid = Valid::any;

    using Value = T;
};

/// Throws InputError unless `value` is what `field` allows; `where` names the object and its index.
template <class Object, class T> void check_field(Field<Object, T> const& field, Object const& object, std::string const& where) {
    double const value = static_cast<double>(object.*field.member);
    auto refuse = [&](char const* expected) {
        throw InputError(where + ": " + std::string(field.formula_name) + " is " + std::to_string(value) + ", expected " + expected);
    };
    if (!std::isfinite(value)) refuse("a finite number");
    if (field.valid == Valid::not_negative && value < 0) refuse("a number that is not negative");
    if (field.valid == Valid::at_least_one && value < 1) refuse("1 or more");
    if (field.valid == Valid::angle && (value < 0 || value > std::numbers::pi * (1 + 1e-15))) refuse("an angle between 0 and pi");
}

/// Throws InputError unless `index` is that of one of `particles` particles.
inline void check_particle(int index, int particles, std::string const& where) {
    if (index < 0 || index >= particles)
        throw InputError(where + ": there is no particle " + std::to_string(index) + "; the System has " + std::to_string(particles)
                         + " particles, counted from 0");
}

/// A parameter that the forces of a Context share by name.
struct GlobalParameter {
    std::string name;
    double default_value = 0;
};

}  // namespace trotter
