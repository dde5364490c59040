// Sections of the page, as HTML; each adds to the warnings what a reader must not overlook.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/report/page/run_facts.hpp"

namespace trotter::app::page {

std::string section_of_input(RunFacts const& facts);
std::string section_of_preparation(RunFacts const& facts);
std::string section_of_stages(RunFacts const& facts);
std::string section_of_curves(RunFacts& facts);
std::string section_of_kinetic_energy(RunFacts& facts);
/// RMSD and RMSF; the folders are searched for tables of names and bonds.
std::string section_of_motion(RunFacts& facts, std::vector<std::string> const& data_folders);
std::string section_of_citations(RunFacts const& facts);

/// Temperature that a stage was asked for; nothing if it is not known.
std::optional<double> target_temperature(Stage const& stage);
/// The second half of the finite values of a column, in which the start is forgotten.
std::vector<double> second_half(LogTable const& log, char const* title);

}  // namespace trotter::app::page
