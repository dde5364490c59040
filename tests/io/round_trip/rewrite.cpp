// Reads and rewrites the files listed on standard input, one `KIND IN OUT` per line, for round_trip_openmm.py.
// SPDX-License-Identifier: MIT
#include <iostream>
#include <string>

#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>

namespace {

void rewrite(std::string const& kind, std::string const& in, std::string const& out) {
    if (kind == "system")
        trotter::write_system(out, trotter::read_system(in));
    else if (kind == "state")
        trotter::write_state(out, trotter::read_state(in));
    else
        trotter::write_integrator(out, trotter::read_integrator(in));
}

}  // namespace

int main() {
    for (std::string kind, in, out; std::cin >> kind >> in >> out;) {
        try {
            rewrite(kind, in, out);
            std::cout << "written\n";
        } catch (trotter::InputError const& error) {
            std::cout << "refused " << error.what() << '\n';
        } catch (trotter::UnsupportedError const& error) {
            std::cout << "unsupported " << error.what() << '\n';
        }
    }
}
