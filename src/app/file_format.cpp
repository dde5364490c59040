// SPDX-License-Identifier: MIT
#include <trotter/app/file_format.hpp>

#include <algorithm>
#include <vector>

#include "coordinate_files.hpp"
#include "structure/structure_builder.hpp"
#include "text/text.hpp"

namespace trotter::app {
namespace {

using namespace std::string_view_literals;

/// Formats that are told by their first bytes.
FileFormat by_magic(std::string_view text) {
    if (text.starts_with("CDF\1"sv) || text.starts_with("CDF\2"sv)) return FileFormat::netcdf;
    if (text.starts_with("\x54\0\0\0"sv) || text.starts_with("\0\0\0\x54"sv)) return FileFormat::dcd;
    if (text.starts_with("\0\0\x07\xcb"sv)) return FileFormat::xtc;
    return FileFormat::unknown;
}

FileFormat of_xml(std::string_view text) {
    for (auto at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
        auto const tag = text.substr(at + 1, 6);
        if (tag.starts_with('?') || tag.starts_with('!')) continue;
        return tag.starts_with("State") ? FileFormat::state : FileFormat::xml;
    }
    return FileFormat::xml;
}

/// The first lines; a whole file of millions is not split.
std::vector<std::string_view> first_lines(std::string_view text, int count) {
    std::size_t end = 0;
    for (; count > 0 && end < text.size(); --count) end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return lines(text.substr(0, end));
}

bool is_gro(std::vector<std::string_view> const& head) {
    int count = 0;
    return head.size() > 2 && parse(stripped(head[1]), count) && is_gro_atom(head[2]);
}

/// Whether the second line has the number of atoms, and maybe a time.
bool is_inpcrd(std::vector<std::string_view> const& head) {
    if (head.size() < 3) return false;
    auto const numbers = words(head[1]);
    int count = 0;
    double time = 0;
    bool const has_count = !numbers.empty() && parse(numbers[0], count) && count > 0;
    return has_count && (numbers.size() == 1 || (numbers.size() == 2 && parse(numbers[1], time)));
}

bool is_top(std::string_view body) {
    for (std::string_view const start : {"[", ";", "#include", "#define", "#if"})
        if (body.starts_with(start)) return true;
    return false;
}

}  // namespace

FileFormat recognize_format(std::string_view text) {
    if (auto const format = by_magic(text); format != FileFormat::unknown) return format;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    auto const start = text.find_first_not_of(" \t\r\n");
    if (start == text.npos) return FileFormat::unknown;
    auto const body = text.substr(start);
    if (body.starts_with('<')) return of_xml(body);
    if (body.starts_with('{')) return FileFormat::json;
    if (body.starts_with("%VERSION") || body.starts_with("%FLAG")) return FileFormat::prmtop;
    if (body.starts_with("PSF")) return FileFormat::psf;
    if (begins_with_data_block(text)) return FileFormat::mmcif;
    auto const head = first_lines(text, 3);
    if (is_gro(head)) return FileFormat::gro;
    if (has_pdb_records(text)) return FileFormat::pdb;
    if (is_top(body)) return FileFormat::top;
    if (body.starts_with('*')) return FileFormat::crd;
    return is_inpcrd(head) ? FileFormat::inpcrd : FileFormat::unknown;
}

}  // namespace trotter::app
