// SPDX-License-Identifier: MIT
#include "prmtop_values.hpp"

#include <fmt/format.h>

namespace trotter::app {

PrmtopSection const& PrmtopValues::section(std::string_view name) const {
    auto const found = prmtop_.sections.find(name);
    if (found == prmtop_.sections.end()) refuse(file(), fmt::format("the section %FLAG {} is missing", name));
    return found->second;
}

void PrmtopValues::check_count(std::string_view name, std::size_t count) const {
    if (auto const& found = section(name); found.values.size() != count)
        refuse(where(name), fmt::format("%FLAG {} has {} values, but must have {}", name, found.values.size(), count));
}

std::vector<double> PrmtopValues::reals(std::string_view name) const {
    std::vector<double> result;
    for (auto const& text : texts(name))
        result.push_back(to_real(text, where(name), fmt::format("a value of %FLAG {}", name)));
    return result;
}

std::vector<int> PrmtopValues::integers(std::string_view name) const {
    std::vector<int> result;
    for (auto const& text : texts(name))
        result.push_back(to_integer(text, where(name), fmt::format("a value of %FLAG {}", name)));
    return result;
}

std::vector<double> PrmtopValues::reals(std::string_view name, std::size_t count) const {
    check_count(name, count);
    return reals(name);
}

std::vector<int> PrmtopValues::integers(std::string_view name, std::size_t count) const {
    check_count(name, count);
    return integers(name);
}

std::vector<std::vector<int>> PrmtopValues::rows(std::vector<std::string_view> const& names, std::size_t width) const {
    std::vector<std::vector<int>> result;
    for (auto const name : names) {
        auto const values = integers(name);
        if (values.size() % width != 0)
            refuse(where(name),
                   fmt::format("%FLAG {} has {} values, but must have a multiple of {}", name, values.size(), width));
        for (auto first = values.begin(); first != values.end(); first += static_cast<std::ptrdiff_t>(width))
            result.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
    }
    return result;
}

int PrmtopValues::pointer(PrmtopPointer which) const {
    auto const& values = texts("POINTERS");
    auto const index = static_cast<std::size_t>(which);
    return index < values.size()
               ? to_integer(values[index], where("POINTERS"), fmt::format("value {} of %FLAG POINTERS", index + 1))
               : 0;
}

int PrmtopValues::atom(int index, std::string_view name) const {
    if (index < 0 || static_cast<std::size_t>(index) >= prmtop_.topology.atoms.size())
        refuse(where(name), fmt::format("%FLAG {} names atom {}, but the file has {} atoms", name, index + 1,
                                        prmtop_.topology.atoms.size()));
    return index;
}

}  // namespace trotter::app
