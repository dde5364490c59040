// Elements of atoms in files that do not tell them.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

#include <trotter/app/element.hpp>

namespace trotter::app {

/// The element that the name of an atom suggests by the rules of OpenMM: CL, NA, MG, BE, LI, K and ZN, and CA if it
/// `is_alone` in its residue, at the beginning, behind digits; else the first letter. Beyond OpenMM, an atom
/// alone in a residue that is named like it (FE in FE2) may be any element. Nothing if there is no such element.
std::optional<Element> element_from_name(std::string_view name, std::string_view residue_name, bool is_alone);

}  // namespace trotter::app
