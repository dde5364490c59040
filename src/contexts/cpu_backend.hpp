// The Cpu backend as the program uses it: the instruction set is chosen when it runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu.hpp>
#include <trotter/cpu/fft.hpp>
#include <trotter/cpu/runtime_loops.hpp>
#include <trotter/precision.hpp>

#include "compiled_context_members.hpp"

namespace trotter {

using RuntimeCpu = BasicCpu<cpu::RuntimeArch>;

template <> struct BackendChoices<RuntimeCpu> {
    static RuntimeCpu backend(BackendChoice const& choice) {
        if (!choice.instruction_set.empty()) cpu::use_instruction_set(choice.instruction_set);
        return {.threads = choice.threads};
    }
    static std::string instruction_set() { return std::string(cpu::instruction_set().name); }
    static std::string fft_library() { return std::string(cpu::fft_library()); }
};

}  // namespace trotter
