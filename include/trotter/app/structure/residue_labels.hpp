// Names by which users choose residues.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <unordered_map>

#include <trotter/app/topology.hpp>

namespace trotter::app {

/// The name of a residue in inputs and results: `CHAIN:NUMBER` with the insertion code behind the number, `H:82A`.
std::string residue_label(Topology const& topology, int residue);

/// Residues by name. The topology must not change meanwhile.
class ResidueLabels {
public:
    explicit ResidueLabels(Topology const& topology);  ///< looks at all residues

    /// Index of the residue that is called `CHAIN:NUMBER`, or `#INDEX` counted from 0 over the whole topology. A chain
    /// without a letter is called by nothing. Throws InputError unless there is exactly one.
    int find(std::string const& label) const;

private:
    struct Found {
        int residue = 0, count = 0;
    };
    int count_;
    std::unordered_map<std::string, Found> residues_;
};

}  // namespace trotter::app
