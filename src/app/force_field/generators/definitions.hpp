// Definitions of terms by the types of their atoms.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/force_field/atom_types.hpp"

namespace trotter::app::force_field {

/// Numbers of definitions by the types that one of their atoms may have.
class DefinitionIndex {
public:
    void add(int definition, TypeSelector selector);
    /// The definitions that were added for a type, ascending, each once.
    std::vector<int> for_type(AtomTypes const& types, int type) const;

private:
    std::unordered_map<int, std::vector<int>> by_type_, by_class_;
    std::vector<int> any_;
};

/// The order in which a set of CPython (3.7 to 3.13) iterates over small integers that were added in this order. It
/// decides which of several definitions that fit OpenMM takes.
std::vector<int> python_set_order(std::vector<int> const& added);

}  // namespace trotter::app::force_field
