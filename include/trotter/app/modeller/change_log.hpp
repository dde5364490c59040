// What was changed in a structure, and why.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter::app {

/// One change of a structure by a step of preparation.
struct Change {
    std::string step;    ///< the function that made it: `add_hydrogens`
    std::string object;  ///< what was changed: `HIS A:57`, `214 waters`
    std::string what;    ///< what was done: `became HIE`
    std::string why;     ///< the reason: `only NE2 can make a hydrogen bond`; may be empty
};

/// Changes and warnings of the steps of a preparation, in their order.
struct ChangeLog {
    std::vector<Change> changes;        ///< first those of the first step
    std::vector<std::string> warnings;  ///< one sentence each

    /// One line for each change and each warning.
    std::string text() const;
};

}  // namespace trotter::app
