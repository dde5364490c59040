// Templates with patches, made when a residue needs them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "patch.hpp"
#include "template.hpp"

namespace trotter::app::force_field {

/// The patches of a force field, and the templates that each may be applied to.
class Patches {
public:
    void add(Patch patch);  ///< a later one replaces an earlier one of the name
    /// Allows a patch, which may be added later, for residue number `residue` of those that it changes.
    void allow(std::string const& template_name, std::string const& patch_name, int residue);
    /// Throws InputError for a patch that is allowed somewhere but does not exist.
    void check() const;

    bool empty() const { return patches_.empty(); }
    /// Those that change several residues, in the order of the files.
    std::vector<Patch const*> for_several_residues() const;

    /// Templates with one or more patches for one residue and this signature, in OpenMM's order.
    std::vector<Template const*> const& for_one_residue(Templates const& templates, std::uint64_t signature);
    /// Templates with this patch as that of residue number `residue`, and any number of patches for one residue before
    /// it.
    std::vector<Template const*> const& for_residue_of(Patch const& patch, int residue, Templates const& templates,
                                                       std::uint64_t signature);
    /// Place of a template that was made in OpenMM's order of those for the same patch and residue.
    std::uint64_t rank(Template const* made) const { return ranks_.at(made); }
    /// Forgets what was made, as is due when templates are added.
    void forget() { made_.clear(); }

private:
    struct Allowance {
        std::string template_name;
        std::vector<std::pair<std::string, int>> patches;  ///< name, and number of the residue
    };
    struct Key {
        Patch const* patch;
        int residue;
        std::uint64_t signature;
        friend bool operator==(Key const&, Key const&) = default;
    };
    struct HashOfKey {
        std::size_t operator()(Key const& key) const;
    };
    using List = std::vector<Template const*>;

    std::vector<Patch const*> allowed_for_one(Allowance const& allowance) const;
    void collect(Template const& base, std::size_t allowance, Key const& key, List& list);
    int index_of(std::string const& name) const;  ///< -1 if there is none

    std::vector<std::unique_ptr<Patch const>> patches_;
    std::unordered_map<std::string, int> index_;
    std::vector<Allowance> allowances_;  // in the order of the first one for each template
    std::unordered_map<std::string, std::size_t> allowance_of_;
    std::unordered_map<Key, List, HashOfKey> made_;
    std::vector<std::unique_ptr<Template const>> templates_;  // those that were made
    std::unordered_map<Template const*, std::uint64_t> ranks_;
};

}  // namespace trotter::app::force_field
