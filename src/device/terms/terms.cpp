// Generates the kernel that evaluates the bonded terms of all forces.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/terms/terms.hpp>

namespace trotter::device {

std::vector<std::pair<std::string, int>> TermKind::sums() const {
    std::vector<std::pair<std::string, int>> result{{"energy", energy_accumulator}};
    for (std::size_t d = 0; d < derivative_accumulators.size(); ++d)
        result.emplace_back("derivative" + std::to_string(d), derivative_accumulators[d].second);
    return result;
}

std::string terms_kernel(std::vector<TermKind> const& kinds) {
    std::string cases, parameters;
    std::size_t parameter = 0, sum = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        auto const& kind = kinds[k];
        std::string const n = std::to_string(k), range = std::to_string(numbers_per_range * k);
        std::string before, after;
        for (auto const& [name, accumulator] : kind.sums()) {
            before += "coordinate " + name + " = 0;\n";
            after += "if (has_sums) kept[kept_begins[" + std::to_string(sum++) + "] + index] = " + name + ";\n";
        }
        std::size_t const atoms = kind.count > 0 ? kind.particles.size() / kind.count : 0;
        for (std::size_t p = 0; p < atoms; ++p) {
            std::string const a = std::to_string(p + 1);
            before += "const int atom" + a + " = particles[ranges[" + range + " + 2] + " + std::to_string(p)
                      + "*count + index];\n" + "const coordinate3 x" + a + " = trimTo3("
                      + (kind.acts_on_centroids ? "centroids" : "positions") + "[atom" + a + "]);\n";
        }
        std::size_t const first_parameter = std::exchange(parameter, parameter + kind.parameters.size());
        // Includes kinds without terms: the launch passes the arguments of all.
        for (auto const& argument : kind.arguments) parameters += ", " + argument.declaration;
        if (kind.count == 0) continue;
        cases += "{ const int index = item - ranges[" + range + "], count = ranges[" + range + " + 1];\n"
                 + "if (wanted[" + n + "] && index >= 0 && index < count) {\n" + "#define FIELD(n) fields[ranges["
                 + range + " + 3] + (n)*count + index]\n" + "#define MAP_SIZES (cmap_sizes + ranges[" + range
                 + " + 4])\n" + "#define TABLES (tables + ranges[" + range + " + 5])\n"
                 + "#define PARAMETER(n) parameters[" + std::to_string(first_parameter) + " + (n)]\n" + before
                 + kind.text + after + "#undef FIELD\n#undef MAP_SIZES\n#undef TABLES\n#undef PARAMETER\n}}\n";
    }
    return std::string("KERNEL void evaluate_terms(") + terms_parameters + parameters + ") {\n"
           "for (int item = GLOBAL_ID; item < items; item += GLOBAL_SIZE) {\n" + cases + "}\n}\n";
}

}  // namespace trotter::device
