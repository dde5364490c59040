// Reads any text as a selection of atoms, and evaluates it: the parser returns an expression or throws InputError; its
// tree selects the same atoms.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include <trotter/app/selection.hpp>
#include <trotter/error.hpp>

namespace {

using namespace trotter;
using namespace trotter::app;

Structure few_atoms() {
    Structure structure;
    auto& topology = structure.topology;
    for (int n = 0; n < 8; ++n) {
        if (n % 4 == 0) topology.add_chain(n == 0 ? "A" : "");
        if (n % 2 == 0)
            topology.add_residue(n == 0 ? "ALA" : n == 2 ? "HOH" : "NA", std::to_string(n - 2), n == 4 ? "B" : "");
        topology.add_atom(n % 2 ? "H1" : "CA", n == 7 ? std::nullopt : Element::from_atomic_number(n % 2 ? 1 : 6));
        structure.positions.push_back({0.1 * n, 0.05 * n * n, 0});
    }
    topology.add_bond(0, 1);
    topology.add_bond(1, 2);
    structure.box = Box{{2, 0, 0}, {0.5, 2, 0}, {-0.5, 0.5, 2}};
    return structure;
}

/// Nothing for a text that is refused.
std::optional<Selection> parsed(std::string const& text) {
    try {
        return Selection::parse(text);
    } catch (InputError const&) {
        return {};
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static Structure const structure = few_atoms();
    static SelectionData const known{.charges = {0, 1, 2, 3, 4, 5, 6, 7},
                                     .masses = {},
                                     .types = std::vector<std::string>(8, "T"),
                                     .groups = {{"a", {3}}}};
    auto const selection = parsed({reinterpret_cast<char const*>(data), size});
    if (!selection) return 0;
    std::vector<int> atoms;
    try {
        atoms = selection->atoms(structure, known);
    } catch (InputError const&) {
        return 0;
    }
    auto const again = parsed(selection->tree());  // its parentheses may make it too deep
    if (again && again->atoms(structure, known) != atoms) std::abort();
    return 0;
}
