// Chooses the inner loops of the Cpu backend by the processor's instruction sets.
// SPDX-License-Identifier: MIT
#include <string>

#include <trotter/cpu/dispatch_table.hpp>
#include <trotter/error.hpp>

namespace trotter::cpu {

// Defined for the sets in CMake's option TROTTER_INSTRUCTION_SETS.
extern constinit InstructionSet const sse4_loops, avx2_loops, avx512_loops, base_loops;

static std::vector<InstructionSet const*> available() {
    std::vector<InstructionSet const*> result;
#ifdef TROTTER_HAVE_AVX512
    bool const has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd")
                            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
                            && __builtin_cpu_supports("avx512vl");
    if (has_avx512) result.push_back(&avx512_loops);
#endif
#ifdef TROTTER_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) result.push_back(&avx2_loops);
#endif
#ifdef TROTTER_HAVE_SSE4
    if (__builtin_cpu_supports("sse4.1")) result.push_back(&sse4_loops);
#endif
#ifdef TROTTER_HAVE_BASE
    result.push_back(&base_loops);
#endif
    if (result.empty())
        throw UnsupportedError("the Cpu backend was compiled for " TROTTER_INSTRUCTION_SETS
                               ", and this processor has none of these instruction sets");
    return result;
}

static InstructionSet const*& current() {
    static InstructionSet const* set = available().front();
    return set;
}

InstructionSet const& instruction_set() { return *current(); }

std::vector<std::string_view> instruction_sets() {
    std::vector<std::string_view> names;
    for (auto const* set : available()) names.push_back(set->name);
    return names;
}

void use_instruction_set(std::string_view name) {
    std::string known;
    for (auto const* set : available()) {
        if (set->name == name) {
            current() = set;
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(set->name);
    }
    throw UnsupportedError("this machine has no instruction set '" + std::string(name)
                           + "' for the Cpu backend; it has " + known);
}

}  // namespace trotter::cpu
