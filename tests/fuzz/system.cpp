// Reads any bytes as a System, State or integrator: the result survives a round trip, or the reader throws.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>

namespace {

template <class Parse, class Write> void round_trip(std::string const& text, Parse parse, Write write) {
    std::string written;
    try {
        written = write(parse(text, "fuzz.xml"));
    } catch (trotter::InputError const&) {
        return;
    }
    if (write(parse(written, "written.xml")) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text(reinterpret_cast<char const*>(data), size);
    round_trip(text, trotter::parse_system<>, trotter::system_to_xml<trotter::StandardForces>);
    round_trip(text, trotter::parse_state, trotter::state_to_xml);
    round_trip(text, trotter::parse_integrator, trotter::integrator_to_xml);
    return 0;
}
