// Which types the words `real`, `mixed` and `coordinate` of device text stand for.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string>

#include <trotter/concepts.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/error.hpp>
#include <trotter/precision.hpp>

namespace trotter::device {

/// `real` is what forces are computed in, `mixed` what is integrated in, `coordinate` what positions are kept in and
/// sums of energies are made in: double wherever the device has it, since float positions alone cost 4e-6 of the
/// force at 6 nm.
struct NumberTypes {
    bool real_is_double = false, mixed_is_double = false, coordinate_is_double = false;

    /// For a precision on a device. Throws UnsupportedError where the device lacks double and the precision needs it.
    template <Precision P> static NumberTypes of(DeviceProperties const& properties) {
        NumberTypes const types{std::same_as<typename P::Real, double>, std::same_as<typename P::Master, double>,
                                properties.has_double};
        if (types.mixed_is_double && !properties.has_double)
            throw UnsupportedError("the device " + properties.name + " has no double precision, which "
                                   + std::string(P::name) + " precision needs");
        return types;
    }

    /// What makes numbers of type `real` in text: the suffix of literals.
    std::string real_suffix() const { return real_is_double ? "" : "f"; }
    std::string coordinate_suffix() const { return coordinate_is_double ? "" : "f"; }

    /// The definitions in front of all device text.
    std::string preamble() const {
        return definitions("real", real_is_double) + definitions("mixed", mixed_is_double)
               + definitions("coordinate", coordinate_is_double) + (real_is_double ? "#define REAL_IS_DOUBLE\n" : "");
    }

private:
    static std::string definitions(std::string const& word, bool is_double) {
        std::string const type = is_double ? "double" : "float";
        std::string text = "typedef " + type + ' ' + word + ";\n";
        for (char const n : {'2', '3', '4'})
            text += "typedef " + type + n + ' ' + word + n + ";\n#define make_" + word + n + " make_" + type + n + '\n';
        return text;
    }
};

}  // namespace trotter::device
