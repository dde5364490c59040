// Reads any bytes as a trajectory: complete frames of one size are returned, or the reader throws InputError.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include <trotter/error.hpp>
#include <trotter/io/trajectory_reader.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static int const file = ::memfd_create("trajectory", 0);
    static std::string const path = "/proc/self/fd/" + std::to_string(file);
    if (file < 0 || ::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<::ssize_t>(size)) std::abort();
    try {
        trotter::TrajectoryReader reader{path};
        for (auto const& frame : reader)
            if (frame.positions.size() != reader.particles()) std::abort();
    } catch (trotter::InputError const&) {
    }
    return 0;
}
