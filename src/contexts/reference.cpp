// The standard System on the Reference backend.
// SPDX-License-Identifier: MIT
#include <trotter/reference.hpp>

#include "compiled_context_members.hpp"

namespace trotter {

template <> struct BackendChoices<Reference> {
    static Reference backend(BackendChoice const&) { return {}; }
    static std::string instruction_set() { return {}; }
    static std::string fft_library() { return {}; }
};

template class CompiledContext<Reference, Double>;

}  // namespace trotter
