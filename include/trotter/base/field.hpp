// Descriptions of per-term and per-particle parameters, for formulas, files, checks and messages.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>

#include <trotter/error.hpp>

namespace trotter {

// For forces that declare how they are read and written: see io/forces.hpp.
class XmlNode;
class XmlWriter;

/// Valid values of a field; all must be finite.
enum class Valid { any, not_negative, positive, at_least_one, angle };

/// The expected values, for messages.
constexpr std::string_view expected_text(Valid valid) {
    switch (valid) {
        case Valid::not_negative: return "a number that is not negative";
        case Valid::positive: return "a positive number";
        case Valid::at_least_one: return "1 or more";
        case Valid::angle: return "an angle between 0 and pi";
        default: return "a finite number";
    }
}
/// Whether a value is finite and as `valid` requires.
inline bool allows(Valid valid, double value) {
    if (!std::isfinite(value)) return false;
    switch (valid) {
        case Valid::not_negative: return value >= 0;
        case Valid::positive: return value > 0;
        case Valid::at_least_one: return value >= 1;
        case Valid::angle: return value >= 0 && value <= std::numbers::pi * (1 + 1e-15);
        default: return true;
    }
}

/// A parameter of a term or particle: its names in formulas and in files, and its member.
template <class Object, class T> struct Field {
    std::string_view formula_name, file_name;  ///< name in formulas; attribute in files
    T Object::* member;  ///< pointer to the member
    Valid valid;  ///< accepted values

    using Value = T;  ///< type of the member

    /// Names in formulas and in files, pointer to the member, accepted values.
    constexpr Field(std::string_view formula, std::string_view file, T Object::* kept, Valid allowed = Valid::any)
        : formula_name(formula), file_name(file), member(kept), valid(allowed) {}
    /// The same name in both.
    constexpr Field(std::string_view name, T Object::* kept, Valid allowed = Valid::any) : Field(name, name, kept, allowed) {}
};

/// Name of one of many objects in messages. Made for each object that is checked; the text is only built for a message.
struct Numbered {
    std::string_view kind;  ///< such as "Bond"
    std::size_t number = 0;  ///< its index, from 0

    /// The name and index, followed by `text`.
    friend std::string operator+(Numbered const& object, std::string_view text) {
        return std::string(object.kind) + ' ' + std::to_string(object.number) + std::string(text);
    }
};

/// Throws InputError with the invalid value of the object `where` and the expected values.
template <class Where>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_value(std::string_view what, double value, std::string_view expected,
                                                         Where const& where) {
    throw InputError(where + ": " + std::string(what) + " is " + std::to_string(value) + ", expected "
                     + std::string(expected));
}

/// Throws InputError unless `field` allows its value; `where` names the object and its index.
template <class Object, class T, class Where>
void check_field(Field<Object, T> const& field, Object const& object, Where const& where) {
    double const value = static_cast<double>(object.*field.member);
    if (!allows(field.valid, value)) refuse_value(field.formula_name, value, expected_text(field.valid), where);
}

/// Throws InputError for the first invalid value.
template <class Fields, class Object, class Where>
void check_fields(Fields const& fields, Object const& object, Where const& where) {
    std::apply([&](auto const&... field) { (check_field(field, object, where), ...); }, fields);
}

namespace detail {

template <class Where> void require_finite(double value, char const* what, Where const& where) {
    if (!allows(Valid::any, value)) refuse_value(what, value, expected_text(Valid::any), where);
}

}  // namespace detail

/// Throws InputError for a particle that does not exist.
template <class Where>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_particle(int index, int particles, Where const& where) {
    throw InputError(where + ": there is no particle " + std::to_string(index) + "; the System has "
                     + std::to_string(particles) + " particles, counted from 0");
}
/// Throws InputError unless `index` is from 0 to `particles` - 1.
template <class Where> void check_particle(int index, int particles, Where const& where) {
    if (index < 0 || index >= particles) refuse_particle(index, particles, where);
}

/// A parameter that the forces of a Context share by name.
struct GlobalParameter {
    std::string name{};  ///< name in formulas and in `Context::set_parameter`
    double default_value = 0;  ///< value in a new Context
};

}  // namespace trotter
