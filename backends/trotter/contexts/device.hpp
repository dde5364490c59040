// Device backends for run-time choice: one compiled Context for all precisions.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/contexts/compiled_context.hpp>
#include <trotter/device.hpp>
#include <trotter/precision.hpp>

namespace trotter {

/// A device backend with run-time precision: only device code depends on it, and compiling the host code takes half a
/// minute.
template <class B> struct RuntimeDevice {
    static constexpr std::string_view name = B::name;
    static constexpr bool keeps_state_on_host = B::keeps_state_on_host;
    using Queue = typename B::Queue;

    B backend;
    device::NumberTypes (*types_on)(device::DeviceProperties const&);
    int copies = 1;  ///< as in B

    Queue open() const { return backend.open(); }
};

template <class B> struct BackendChoices<RuntimeDevice<B>> {
    static std::vector<std::string_view> precisions(Mixed) { return {"single", "mixed", "double"}; }
    static RuntimeDevice<B> backend(BackendChoice const& choice) {
        auto const types = choice.precision == "single"  ? &device::NumberTypes::of<Single>
                           : choice.precision == "mixed" ? &device::NumberTypes::of<Mixed>
                                                         : &device::NumberTypes::of<Double>;
        return {{.device = choice.device}, types, choice.copies};
    }
};

}  // namespace trotter
