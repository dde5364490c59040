// Writes sanitized messages to standard error, without blocking the run.
// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <string>
#include <string_view>

namespace trotter::program {

/// Returns the text on one line and as valid UTF-8, with `?` for control characters and invalid bytes, and with long
/// parts shortened in the middle: words of more than 256 bytes, texts of more than 1200.
std::string presentable(std::string_view text);

/// Writes to standard error; drops what cannot be written within this time.
void tell(std::string_view text, std::chrono::milliseconds patience = std::chrono::milliseconds(200));

/// Opens /dev/null for standard streams that the caller has closed, so that no file opened later gets their
/// descriptors, and thus their output. Writing to standard output still fails.
void occupy_standard_streams();

}  // namespace trotter::program
