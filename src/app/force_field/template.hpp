// Templates: what types and parameters the atoms of a residue get.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trotter/core/virtual_sites.hpp>

#include "graph.hpp"

namespace trotter::app::force_field {

/// Names and values of an atom's own parameters, in ascending order of the names.
using AtomParameters = std::vector<std::pair<std::string, double>>;

/// An atom of a template.
struct TemplateAtom {
    std::string name;
    int type = 0;                   ///< number of the atom type
    std::optional<Element> element;  ///< of the type
    AtomParameters parameters;      ///< such as the charge
};

/// How an extra particle is placed. The particles of `site` are atoms of the template.
struct SiteRule {
    int atom = 0;  ///< the extra particle
    VirtualSite site;
    int exclude_with = 0;  ///< the atom whose exclusions it shares
};
bool operator==(SiteRule const& a, SiteRule const& b);
/// The site with the particles that `renumber` maps its own to.
template <class Renumber> VirtualSite renumbered(VirtualSite site, Renumber const& renumber) {
    std::visit(
        [&](auto& s) {
            if constexpr (requires { s.particles; }) {
                for (int& particle : s.particles) particle = renumber(particle);
            } else if constexpr (requires { s.particle; }) {
                s.particle = renumber(s.particle);
            } else {
                s.particle1 = renumber(s.particle1), s.particle2 = renumber(s.particle2);
                if constexpr (requires { s.particle3; }) s.particle3 = renumber(s.particle3);
            }
        },
        site);
    return site;
}

/// A residue of the force field.
struct Template {
    /// A fixed distance [nm] of two atoms.
    struct FixedDistance {
        int atom1 = 0, atom2 = 0;
        double distance = 0;
        friend bool operator==(FixedDistance const&, FixedDistance const&) = default;
    };
    std::string name;
    std::vector<TemplateAtom> atoms;
    Graph graph;  ///< elements and bonds, with the bonds of each atom in the order of the file
    std::vector<std::pair<int, int>> bonds;
    std::vector<int> external_bonds;  ///< an atom for each
    std::vector<SiteRule> sites;
    std::vector<FixedDistance> constraints;
    int override_level = 0;
    bool rigid_water = true;

    void add_atom(TemplateAtom atom);
    void add_bond(int atom1, int atom2);
    void add_external_bond(int atom);
    std::optional<int> find_atom(std::string_view atom_name) const;
};

/// Whether two templates give the atoms of a residue the same types and parameters, constraints and sites, if they are
/// matched to these atoms of the templates.
bool assign_the_same(Template const& a, std::vector<int> const& atoms_of_a, Template const& b,
                     std::vector<int> const& atoms_of_b);

/// The templates of a force field.
class Templates {
public:
    /// Adds one, unless there is one of the name with a higher override level; replaces one with a lower level.
    /// Returns false if there is one with the same level.
    [[nodiscard]] bool add(Template added);

    Template const* find(std::string_view name) const;  ///< null if there is none
    /// In the order in which they were added.
    std::vector<std::unique_ptr<Template const>> const& all() const { return templates_; }
    /// Those with the element counts of this signature, in the same order.
    std::vector<Template const*> const& with_signature(std::uint64_t signature) const;

private:
    std::vector<std::unique_ptr<Template const>> templates_, replaced_;
    std::unordered_map<std::string_view, Template const*> by_name_;
    std::unordered_map<std::uint64_t, std::vector<Template const*>> by_signature_;
};

}  // namespace trotter::app::force_field
