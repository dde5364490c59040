// What goes to standard error: sentences that harm no terminal, and that nobody has to read for a run to go on.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <string>
#include <string_view>

namespace trotter::program {

/// The text on one line and as valid UTF-8, with `?` for control characters and bytes that are none, and with what is
/// too long to be read cut in its middle: a name or value of more than 256 bytes, a text of more than 1200.
std::string presentable(std::string_view text);

/// Writes to standard error what has room there within this time; what cannot be written is dropped.
void tell(std::string_view text, std::chrono::milliseconds patience = std::chrono::milliseconds(200));

/// Gives a standard stream that the caller has closed to /dev/null, so that no file that is opened later gets its
/// number, and with it what is meant for the stream. Standard output still refuses what is written to it.
void occupy_standard_streams();

}  // namespace trotter::program
