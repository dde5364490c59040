// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <trotter/error.hpp>

#include "app/force_field/assembly.hpp"
#include "app/force_field/bonds.hpp"
#include "script.hpp"

namespace trotter::app::force_field {
namespace {

using Improper = CharmmImpropers::Improper;

// The text before the last `separator`, and that behind it.
std::optional<std::pair<std::string, std::string>> split_last(std::string const& text, char separator) {
    auto const place = text.rfind(separator);
    if (place == std::string::npos) return {};
    return std::pair{text.substr(0, place), text.substr(place + 1)};
}

// What a residue is made of, by CHARMM's names.
struct NamedResidue {
    std::set<std::string> parts;       // the residue and its patches
    std::map<std::string, int> atoms;  // indices by name
};

class Impropers {
public:
    Impropers(CharmmImpropers const& tables, Assembly& assembly) : tables_(tables), assembly_(assembly) {
        for (int i = 0; i < count(assembly.topology.residues); ++i) residues_.push_back(named_residue(i));
    }

    void add() {
        for (int i = 0; i < count(residues_); ++i)
            for (auto const& improper : impropers_of(at(residues_, i)))
                if (auto const atoms = find_atoms(improper, i); atoms && is_bonded(*atoms)) add_term(*atoms);
        if (!periodic_.empty()) {
            auto& force =
                at(assembly_.system.forces<PeriodicTorsionForce>(), assembly_.find_or_add<PeriodicTorsionForce>());
            force.torsions.insert(force.torsions.end(), periodic_.begin(), periodic_.end());
        }
        if (harmonic_.torsions.empty()) return;
        harmonic_.energy = RuntimeExpression(
            "k*min(dtheta, 2*pi - dtheta)^2; dtheta = abs(theta - theta0); pi = 3.141592653589793");
        harmonic_.parameter_names = {"k", "theta0"};
        assembly_.system.add(std::move(harmonic_));
    }

private:
    NamedResidue named_residue(int residue) const {
        NamedResidue result;
        auto const atoms = atoms_of(assembly_.topology, residue);
        int const index = at(assembly_.assignment.matched_residue, residue);
        bool const has_template = index >= 0 && at(assembly_.assignment.residues, index).residues.size() == 1;
        if (has_template) result.parts = parts_of(at(assembly_.assignment.residues, index).matched->name);
        for (int const atom : atoms) {
            auto const name =
                has_template ? at(assembly_.assignment.atoms, atom).atom->name : name_by_type(atom, result.parts);
            if (!name) return {};
            if (!result.atoms.emplace(*name, atom).second)
                throw InputError(
                    fmt::format("the impropers of CHARMM cannot be found in the residue {}, which has two atoms {}",
                                assembly_.topology.residue_name(residue), *name));
        }
        return result;
    }
    // `RES-PATCH_1-PATCH_2`: the residue and its patches without their numbers.
    static std::set<std::string> parts_of(std::string const& template_name) {
        auto const first = template_name.find('-');
        std::set<std::string> result{template_name.substr(0, first)};
        for (auto begin = first; begin != std::string::npos;) {
            auto const end = template_name.find('-', begin + 1);
            auto const patch = template_name.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
            auto const numbered = split_last(patch, '_');
            result.insert(numbered ? numbered->first : patch);
            begin = end;
        }
        return result;
    }
    // Names of types are `RES-ATOM`, with `Drude-` before those of Drude particles. Nothing for types of another kind.
    std::optional<std::string> name_by_type(int atom, std::set<std::string>& parts) const {
        static std::string const drude = "Drude-";
        std::string type = assembly_.types.name(assembly_.type(atom));
        bool const is_drude = type.starts_with(drude);
        auto const split = split_last(is_drude ? type.substr(drude.size()) : type, '-');
        if (!split) return {};
        parts.insert(split->first);
        return (is_drude ? "D" : "") + split->second;
    }

    static std::vector<std::string> ordered(std::set<std::string> const& parts, auto const& listed,
                                            std::map<std::string, int> const& order) {
        std::vector<std::string> result;
        for (auto const& part : parts)
            if (listed.contains(part)) result.push_back(part);
        auto const place = [&](std::string const& name) {
            auto const found = order.find(name);
            return found == order.end() ? 0 : found->second;
        };
        std::sort(result.begin(), result.end(), [&](auto const& a, auto const& b) { return place(a) < place(b); });
        return result;
    }
    std::vector<Improper> impropers_of(NamedResidue const& residue) const {
        std::vector<Improper> result;
        auto const add_all = [&](std::vector<Improper> const& added) {
            for (auto const& improper : added)
                if (std::find(result.begin(), result.end(), improper) == result.end()) result.push_back(improper);
        };
        for (auto const& part : ordered(residue.parts, tables_.of_residues, tables_.residue_order))
            add_all(tables_.of_residues.at(part));
        for (auto const& part : ordered(residue.parts, tables_.of_patches, tables_.patch_order)) {
            if (auto const removed = tables_.removed_by_patches.find(part); removed != tables_.removed_by_patches.end())
                for (auto const& improper : removed->second) std::erase(result, improper);
            add_all(tables_.of_patches.at(part));
        }
        return result;
    }

    std::optional<std::array<int, 4>> find_atoms(Improper const& improper, int residue) const {
        std::array<int, 4> result;
        for (std::size_t i = 0; i < 4; ++i) {
            auto const& [offset, name] = improper[i];
            if (residue + offset < 0 || residue + offset >= count(residues_)) return {};
            auto const& atoms = at(residues_, residue + offset).atoms;
            auto const found = atoms.find(name);
            if (found == atoms.end()) return {};
            result[i] = found->second;
        }
        return result;
    }
    // Whether the first or the last atom is bonded to the three others.
    bool is_bonded(std::array<int, 4> const& atoms) const {
        auto const is_center = [&](std::size_t center) {
            auto const& bonded = at(assembly_.neighbors, atoms[center]);
            for (std::size_t i = 0; i < 4; ++i)
                if (i != center && !std::binary_search(bonded.begin(), bonded.end(), atoms[i])) return false;
            return true;
        };
        return is_center(0) || is_center(3);
    }

    void add_term(std::array<int, 4> const& atoms) {
        FourNames classes;
        for (std::size_t i = 0; i < 4; ++i) classes[i] = assembly_.types.class_name(assembly_.type(atoms[i]));
        auto const *periodic = find(tables_.periodic_types, classes), *harmonic = find(tables_.harmonic_types, classes);
        if (!periodic == !harmonic)
            throw InputError(fmt::format("CHARMM has {} parameters for the improper of the classes {}",
                                         periodic ? "both periodic and harmonic" : "no", fmt::join(classes, ", ")));
        auto const [a, b, c, d] = atoms;
        if (periodic)
            periodic_.push_back({a, b, c, d, static_cast<int>((*periodic)[0]), (*periodic)[1], (*periodic)[2]});
        else harmonic_.torsions.push_back({a, b, c, d, *harmonic});
    }
    // The entry with the fewest wildcards, of those the one with wildcards nearest to the front.
    static std::vector<double> const* find(std::map<FourNames, std::vector<double>> const& table,
                                           FourNames const& classes) {
        static constexpr std::array<int, 16> wildcards{0b0000, 0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b0101, 0b1001,
                                                       0b0110, 0b1010, 0b1100, 0b0111, 0b1011, 0b1101, 0b1110, 0b1111};
        for (int const any : wildcards) {
            auto key = classes;
            for (std::size_t i = 0; i < 4; ++i)
                if (any >> i & 1) key[i].clear();
            if (auto const found = table.find(key); found != table.end()) return &found->second;
        }
        return nullptr;
    }

    CharmmImpropers const& tables_;
    Assembly& assembly_;
    std::vector<NamedResidue> residues_;
    std::vector<PeriodicTorsionForce::Torsion> periodic_;
    CustomTorsionForce harmonic_;
};

}  // namespace

void CharmmImpropers::run(Assembly& assembly) const { Impropers(*this, assembly).add(); }

}  // namespace trotter::app::force_field
