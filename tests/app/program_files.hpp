// Files of other programs, made by tests, and what reading them is refused with.
// SPDX-License-Identifier: MIT
#pragma once
#include "../catch_compat.hpp"

#include <string>

#include <trotter/app/coordinates.hpp>
#include <trotter/app/structure/residue_names.hpp>
#include <trotter/error.hpp>

#include "../io/scratch.hpp"

namespace trotter::testing {

/// A folder of files with a small table of names.
class ProgramFiles {
public:
    ProgramFiles() {
        put("pdbNames.xml", R"(<Residues>
 <Residue name="All"/> <Residue name="Protein"/> <Residue name="Nucleic"/>
 <Residue name="HOH" alt1="WAT" alt2="SOL" alt3="TIP3"><Atom name="O" alt1="OW" alt2="OH2"/></Residue>
</Residues>)");
    }

    /// Writes a file; returns its path.
    std::string put(std::string const& name, std::string const& text) const {
        put_bytes(folder_ / name, text);
        return folder_ / name;
    }
    app::ResidueNames names() const { return app::ResidueNames::load({folder_.path().string()}); }
    std::string path() const { return folder_.path().string(); }

    /// The message of the InputError that `action` throws, without the folder.
    template <class Action> std::string refusal(Action&& action) const {
        auto message = message_of<InputError>(action);
        auto const folder = path() + "/";
        for (auto at = message.find(folder); at != message.npos; at = message.find(folder))
            message.erase(at, folder.size());
        return message;
    }

private:
    ScratchFolder folder_;
};

}  // namespace trotter::testing
