// SPDX-License-Identifier: MIT
#include "structure_json.hpp"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

namespace trotter::program {
namespace {

using Json = nlohmann::json;

class JsonStructure {
public:
    explicit JsonStructure(std::string const& path) : path_(path) {}

    app::Structure read(Json const& root) {
        auto const& chains = list(member(root, "chains", "the file"), "chains");
        for (std::size_t i = 0; i < chains.size(); ++i) add_chain(chains[i], numbered("chains", i));
        read_bonds(root);
        read_positions(root);
        if (root.contains("box") && !root["box"].is_null()) read_box(root["box"]);
        return std::move(structure_);
    }

private:
    [[noreturn]] void fail(std::string const& where, Json const& value, std::string const& expected) const {
        throw InputError(path_ + ": " + where + " is "
                         + in_quotes(value.dump(-1, ' ', true, Json::error_handler_t::replace), 60) + ", expected " + expected);
    }
    static std::string numbered(std::string const& what, std::size_t index) { return what + "[" + std::to_string(index) + "]"; }

    Json const& member(Json const& object, char const* key, std::string const& where) const {
        if (!object.is_object() || !object.contains(key))
            throw InputError(path_ + ": " + where + " has no member \"" + key + "\", expected it as `trotter prepare` writes it");
        return object[key];
    }
    Json const& list(Json const& value, std::string const& where, std::size_t size = 0) const {
        if (!value.is_array() || (size > 0 && value.size() != size))
            fail(where, value, size > 0 ? "a list of " + std::to_string(size) : "a list");
        return value;
    }
    std::string text(Json const& object, char const* key, std::string const& where) const {
        auto const& value = member(object, key, where);
        if (!value.is_string()) fail(where + "." + key, value, "a text");
        return value.get<std::string>();
    }
    Vec3<> vector(Json const& value, std::string const& where) const {
        Vec3<> result;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const& number = list(value, where, 3)[axis];
            if (!number.is_number()) fail(where, value, "three numbers");
            result[axis] = number.get<double>();
        }
        if (!is_finite(result)) fail(where, value, "finite numbers");
        return result;
    }
    std::optional<int> small_integer(Json const& value, std::string const& where, std::int64_t low, std::int64_t high) const {
        if (value.is_null()) return {};
        if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
            || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
            fail(where, value, "a whole number from " + std::to_string(low) + " to " + std::to_string(high) + ", or null");
        return value.get<int>();
    }

    void add_chain(Json const& chain, std::string const& where) {
        structure_.topology.add_chain(text(chain, "id", where));
        auto const& residues = list(member(chain, "residues", where), where + ".residues");
        for (std::size_t i = 0; i < residues.size(); ++i) {
            auto const place = numbered(where + ".residues", i);
            structure_.topology.add_residue(text(residues[i], "name", place), text(residues[i], "id", place),
                                            text(residues[i], "icode", place));
            auto const& atoms = list(member(residues[i], "atoms", place), place + ".atoms");
            for (std::size_t k = 0; k < atoms.size(); ++k) add_atom(atoms[k], numbered(place + ".atoms", k));
        }
    }
    void add_atom(Json const& atom, std::string const& where) {
        auto const& symbol = member(atom, "element", where);
        auto const element = symbol.is_string() ? app::Element::from_symbol(symbol.get_ref<std::string const&>()) : std::nullopt;
        if (!element && !symbol.is_null()) fail(where + ".element", symbol, "a chemical symbol, or null for an extra particle");
        structure_.topology.add_atom(text(atom, "name", where), element,
                                     small_integer(member(atom, "formal_charge", where), where + ".formal_charge", -99, 99));
    }
    void read_bonds(Json const& root) {
        auto const& bonds = list(member(root, "bonds", "the file"), "bonds");
        auto const last = structure_.topology.atom_count() - 1;
        for (std::size_t i = 0; i < bonds.size(); ++i) {
            auto const where = numbered("bonds", i);
            auto const& bond = list(bonds[i], where, 3);
            auto const atom1 = small_integer(bond[0], where, 0, last), atom2 = small_integer(bond[1], where, 0, last);
            if (!atom1 || !atom2) fail(where, bond, "two indices of atoms, and the order of the bond or null");
            structure_.topology.add_bond(*atom1, *atom2, app::BondType::unknown, small_integer(bond[2], where, 1, 3));
        }
    }
    void read_positions(Json const& root) {
        auto const& positions = list(member(root, "positions", "the file"), "positions");
        for (std::size_t i = 0; i < positions.size(); ++i) structure_.positions.push_back(vector(positions[i], numbered("positions", i)));
        if (positions.size() != structure_.topology.atoms.size())
            throw InputError(path_ + ": has " + std::to_string(positions.size()) + " positions, expected one for each of the "
                             + std::to_string(structure_.topology.atoms.size()) + " atoms");
    }
    void read_box(Json const& value) {
        auto const& vectors = list(value, "box", 3);
        structure_.box = Box{vector(vectors[0], "box[0]"), vector(vectors[1], "box[1]"), vector(vectors[2], "box[2]")};
        try {
            structure_.box->check();
        } catch (InputError const& error) {
            throw InputError(path_ + ": " + error.what());
        }
    }

    std::string const& path_;
    app::Structure structure_;
};

}  // namespace

app::Structure parse_structure_json(std::string const& text, std::string const& path) {
    Json root;
    try {
        root = Json::parse(text);
    } catch (Json::exception const& error) {
        throw InputError(path + ": is no JSON: " + error.what());
    }
    return JsonStructure(path).read(root);
}

}  // namespace trotter::program
