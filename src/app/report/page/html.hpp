// Elements of a page.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app::page {

/// A column of a table.
struct Column {
    std::string title;
    bool is_number = false;  ///< aligned to the right
};

/// A table of plain texts, without columns that are empty; rows beyond `most` are only counted.
std::string table(std::vector<Column> const& columns, std::vector<std::vector<std::string>> const& rows,
                  std::size_t most = 200);
/// A paragraph of plain text; muted if it says what is missing.
std::string paragraph(std::string_view text);
std::string note(std::string_view text);
/// A heading with what belongs to it.
std::string section(std::string_view title, std::string_view html);
/// A plot with a caption of plain text, which may be empty.
std::string figure(std::string_view svg, std::string_view caption);
/// Figures side by side where there is room.
std::string figures(std::string_view html);
/// The whole page.
std::string document(std::string_view title, std::string_view html);

}  // namespace trotter::app::page
