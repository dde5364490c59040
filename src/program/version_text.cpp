// Says what this build is.
// SPDX-License-Identifier: MIT
#include "version_text.hpp"

#include <fmt/format.h>

#include <trotter/program.hpp>
#include <trotter/version.hpp>

namespace trotter::program {

std::string version_text(KnownForces const& forces) {
    std::string text = "trotter " + std::string(version) + " (MIT licence)";
    text += fmt::format("\nbackends: {}", fmt::join(list_platforms(forces.compiled), ", "));
    std::string const fft = fft_library();
    if (fft.empty()) return text;
    text += "\nFourier transforms: " + fft;
    if (fft.find("fftw") != fft.npos)
        text += "; FFTW is under the GNU GPL 2 or later, and so is this binary as a whole where it is passed on";
    return text;
}

}  // namespace trotter::program
