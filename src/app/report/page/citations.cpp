// SPDX-License-Identifier: MIT
#include <array>
#include <trotter/app/report/plot.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

/// A method or a force field, and the word in the input that tells of it.
struct Citation {
    std::string_view word, what, source;
};
constexpr std::array citations{
    Citation{"amber14", "AMBER ff14SB", "Maier et al., J. Chem. Theory Comput. 11, 3696 (2015)"},
    Citation{"amber19", "AMBER ff19SB", "Tian et al., J. Chem. Theory Comput. 16, 528 (2020)"},
    Citation{"ff19SB", "AMBER ff19SB", "Tian et al., J. Chem. Theory Comput. 16, 528 (2020)"},
    Citation{"charmm36", "CHARMM36",
             "Best et al., J. Chem. Theory Comput. 8, 3257 (2012); Huang et al., Nat. Methods 14, 71 (2017)"},
    Citation{"tip3p", "TIP3P water", "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)"},
    Citation{"tip4pew", "TIP4P-Ew water", "Horn et al., J. Chem. Phys. 120, 9665 (2004)"},
    Citation{"spce", "SPC/E water", "Berendsen et al., J. Phys. Chem. 91, 6269 (1987)"},
    Citation{"opc", "OPC water", "Izadi et al., J. Phys. Chem. Lett. 5, 3863 (2014)"},
    Citation{"PME", "particle mesh Ewald", "Essmann et al., J. Chem. Phys. 103, 8577 (1995)"},
    Citation{"LangevinMiddle", "LFMiddle Langevin integrator", "Zhang et al., J. Phys. Chem. A 123, 6056 (2019)"},
    Citation{"roe-brooks", "equilibration", "Roe and Brooks, J. Chem. Phys. 153, 054123 (2020)"}};

}  // namespace

std::string section_of_citations(RunFacts const& facts) {
    auto const program = facts.program.empty() ? std::string("Trotter") : facts.program;
    std::vector<std::vector<std::string>> rows{
        {program, "molecular simulation with the forces, integrators and files of OpenMM"},
        {"OpenMM's formats and force fields", "Eastman et al., J. Phys. Chem. B 128, 109 (2024)"}};
    auto const input = facts.input.value_or("");
    for (auto const& [word, what, source] : citations)
        if (input.find(word) != input.npos && rows.back()[0] != what) rows.push_back({std::string(what), std::string(source)});
    return section("How to cite", table({{"What"}, {"Source"}}, rows)
                                      + note("By the words of run.toml; what other files define is not listed."));
}

}  // namespace trotter::app::page
