// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/change_log.hpp>

namespace trotter::app {

std::string ChangeLog::text() const {
    std::string lines;
    for (auto const& change : changes) {
        lines += change.step + ": " + change.object + " " + change.what;
        if (!change.why.empty()) lines += ": " + change.why;
        lines += "\n";
    }
    for (auto const& warning : warnings) lines += "warning: " + warning + "\n";
    return lines;
}

}  // namespace trotter::app
