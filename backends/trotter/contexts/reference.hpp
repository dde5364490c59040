// The Reference backend as programs that choose their backend use it.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/contexts/compiled_context.hpp>
#include <trotter/reference.hpp>

namespace trotter {

template <> struct BackendChoices<Reference> {
    static std::vector<std::string_view> precisions(Double) { return {"double"}; }
    static Reference backend(BackendChoice const&) { return {}; }
    static std::string instruction_set() { return {}; }
    static std::string fft_library() { return {}; }
};

}  // namespace trotter
