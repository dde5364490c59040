// Lines, words and numbers of text files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// A line of a file, for messages.
struct Location {
    std::string_view path;
    int line = 0;  ///< from 1; 0: the file as a whole
};

/// Throws InputError: `PATH, line N: WHAT`.
[[noreturn]] void refuse(Location location, std::string_view what);

/// Without blanks at both ends.
std::string_view stripped(std::string_view text);
/// Pieces between blanks.
std::vector<std::string_view> words(std::string_view text);
/// Lines without their ends; `\r\n` is one, too.
std::vector<std::string_view> lines(std::string_view text);
/// At most `width` characters from column `first`, from 0; fewer or none if the line ends before.
std::string_view columns(std::string_view line, std::size_t first, std::size_t width);
/// In upper case.
std::string upper_case(std::string_view text);
/// A piece of the input as messages quote it: in quotes, without control characters, cut after 40.
std::string in_quotes(std::string_view text);

///@{
/// Whether the text is a number; the number goes to `value`. Reals may have an exponent with D.
bool parse(std::string_view text, double& value);
bool parse(std::string_view text, int& value);
///@}
///@{
/// A number that is named `what` in the message of refuse() if the text is none, or is not finite.
double to_real(std::string_view text, Location location, std::string_view what);
int to_integer(std::string_view text, Location location, std::string_view what);
///@}

}  // namespace trotter::app
