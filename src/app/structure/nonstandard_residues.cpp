// SPDX-License-Identifier: MIT
#include "nonstandard_residues.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace trotter::app {
namespace {

/// Standard residues, and the names of the modified ones that each replaces.
constexpr std::pair<std::string_view, std::string_view> replaced[] = {
    {"ALA", "AIB ALM AYA BNN CHG CSD DAL DHA DNP FLA HAC MAA PRR TIH TPQ"},
    {"ARG", "ACL AGM ARM DAR HAR HMR"},
    {"ASN", "MEN"},
    {"ASP", "2AS ASA ASB ASK ASL ASQ BHD DAS DSP IAS"},
    {"CYS",
     "BCS BUC C5C C6C CAS CCS CEA CME CSO CSP CSS CSW CSX CY1 CY3 CYG CYM CYQ DCY EFC OCS PEC PR3 PYX "
     "SCH SCS SCY SHC SMC SOC"},
    {"GLN", "DGN"},
    {"GLU", "5HP CGU DGL GGL GMA PCA"},
    {"GLY", "GL3 GLZ GSC MPQ MSA NMC SAR"},
    {"HIS", "3AH DHI HIC HIP MHS NEM NEP"},
    {"ILE", "DIL IIL"},
    {"LEU", "BUG CLE DLE MK8 MLE NLE NLN NLP"},
    {"LYS", "5OW ALY DLY KCX LLP LLY LYM LYZ SHR TRG"},
    {"MET", "CXM FME MSE OMT"},
    {"PHE", "DAH DPN HPQ PHI PHL"},
    {"PRO", "DPR HYP"},
    {"SER", "DSN MIS OAS SAC SEL SEP SET SVA"},
    {"THR", "ALO BMT DTH TPO"},
    {"TRP", "DTR HTR LTR TPL TRO"},
    {"TYR", "DTY IYR PAQ PTR STY TYB TYI TYQ TYS TYY"},
    {"VAL", "DIV DVA MVA"},
};

bool is_in(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view standard_for(std::string_view name) {
    static auto const table = [] {
        std::unordered_map<std::string_view, std::string_view> standard_of;
        for (auto [standard, names] : replaced)
            for (; names.size() >= 3; names.remove_prefix(std::min<std::size_t>(4, names.size())))
                standard_of[names.substr(0, 3)] = standard;
        return standard_of;
    }();
    auto const found = table.find(name);
    return found == table.end() ? std::string_view{} : found->second;
}

bool has_template(std::string_view name) {
    return is_in(name, {"ALA", "ASN", "CYS", "GLU", "HIS", "LEU", "MET", "PRO", "THR", "TYR",
                        "ARG", "ASP", "GLN", "GLY", "ILE", "LYS", "PHE", "SER", "TRP", "VAL",
                        "A",   "C",   "G",   "U",   "DA",  "DC",  "DG",  "DT",  "ACE", "NME"});
}

bool is_nucleotide(std::string_view name) {
    return is_in(name, {"A", "G", "C", "U", "I", "DA", "DG", "DC", "DT", "DI"});
}

}  // namespace trotter::app
