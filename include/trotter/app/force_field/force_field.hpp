// Force fields in OpenMM's XML format.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/structure.hpp>
#include <trotter/app/system_options.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// Atom types, templates of residues and parameters of forces, from OpenMM's XML files. A copy shares what was loaded.
class ForceField {
public:
    /// Text of force-field XML, of one root element `<ForceField>`, and its name in messages.
    struct Text {
        std::string name;  ///< of the file, or what messages call it
        std::string xml;   ///< the whole text
    };
    /// Chooses the template of a residue by other means than its graph: returns its name, or nothing. Called with the
    /// topology and the index of the residue before templates are compared with it.
    using Matcher = std::function<std::optional<std::string>(Topology const&, int residue)>;
    /// Makes a template for a residue that matches none: returns XML as of a file with it, and its types and
    /// parameters; or nothing. Called with the topology and the index of the residue.
    using Generator = std::function<std::optional<Text>(Topology const&, int residue)>;

    /// From files (plain or gzip), read as if they were one. Names are looked for in `folders`, then as paths; included
    /// files beside the including one first. Throws InputError for a file that is missing, cannot be read, or is
    /// wrong, and for a script that is none of the known ones: nothing in a file is executed.
    static ForceField load(std::vector<std::string> const& files, std::vector<std::string> const& folders = {});
    /// From texts in memory; files that they include are looked for in `folders`.
    static ForceField parse(std::vector<Text> const& texts, std::vector<std::string> const& folders = {});

    /// Adds a matcher; they are asked in the order in which they were added, after what the files say.
    void add_matcher(Matcher matcher);
    /// Adds a generator; they are asked in the order in which they were added.
    void add_generator(Generator generator);

    /// A System with a particle for each atom. `box` becomes its box, which periodic methods need. Warnings are
    /// appended to `warnings` if it is given. Throws InputError that names all residues without a template, with the
    /// nearest one and what it misses or has too much; and for options that no part of the force field uses.
    StandardSystem create_system(Topology const& topology, std::optional<Box> const& box, SystemOptions const& options,
                                 std::vector<std::string>* warnings = nullptr) const;

    /// Name of the template of each residue, as `create_system` chooses it.
    std::vector<std::string> template_names(Topology const& topology, SystemOptions const& options = {}) const;

    struct Data;                           ///< what was loaded
    Data& data() const { return *data_; }  ///< shared by all copies

private:
    explicit ForceField(std::shared_ptr<Data> data);

    std::shared_ptr<Data> data_;
};

/// The structure with the extra particles of its templates (virtual sites, Drude particles) added, and those that they
/// do not have removed. Atoms keep their positions; virtual sites get theirs by their rule, other extra particles that
/// of the atom they belong to, slightly shifted. Throws InputError for a residue that matches no template without them.
Structure add_extra_particles(Structure const& structure, ForceField const& force_field,
                              SystemOptions const& options = {});

}  // namespace trotter::app
