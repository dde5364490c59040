// Cpu backend for run-time choice, including that of the instruction set.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/contexts/all.hpp>
#include <trotter/contexts/compiled_context.hpp>
#include <trotter/cpu.hpp>
#include <trotter/precision.hpp>

namespace trotter {

template <> struct BackendChoices<Cpu> {
    static std::vector<std::string_view> precisions(Double) { return {"double"}; }
    // Both are the same: forces in float, everything else in double.
    static std::vector<std::string_view> precisions(Mixed) { return {"single", "mixed"}; }
    static Cpu backend(BackendChoice const& choice) {
        if (!choice.instruction_set.empty()) cpu::use_instruction_set(choice.instruction_set);
        return {.threads = choice.threads, .list_buffer = choice.list_buffer};
    }
};

}  // namespace trotter
