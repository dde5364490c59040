// Defines the types `real`, `mixed` and `coordinate` of kernel source.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string>

#include <trotter/concepts.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/error.hpp>
#include <trotter/precision.hpp>

namespace trotter::device {

/// `real` is for forces, `mixed` for integration, `coordinate` for positions and sums of energies: double if the device
/// has it, since float positions alone cost 4e-6 of the force at 6 nm.
struct NumberTypes {
    bool real_is_double = false, mixed_is_double = false, coordinate_is_double = false;

    /// The types for a precision. Throws UnsupportedError if the precision needs double and the device lacks it.
    template <Precision P> static NumberTypes of(DeviceProperties const& properties) {
        NumberTypes const types{std::same_as<typename P::Real, double>, std::same_as<typename P::Master, double>,
                                properties.has_double};
        if (types.mixed_is_double && !properties.has_double)
            throw UnsupportedError("the device " + properties.name + " has no double precision, which "
                                   + std::string(P::name) + " precision needs");
        return types;
    }

    /// Suffix of literals of type `real`.
    std::string real_suffix() const { return real_is_double ? "" : "f"; }
    std::string coordinate_suffix() const { return coordinate_is_double ? "" : "f"; }

    /// Definitions before all kernel source.
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
