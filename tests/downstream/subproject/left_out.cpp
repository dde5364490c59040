// A force or an integrator of an extension that this build is without is refused with the CMake option that adds it.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include <trotter/io/integrator.hpp>
#include <trotter/io/system.hpp>

namespace {

template <class Read> bool names_options(Read const& read) {
    try {
        read();
    } catch (trotter::InputError const& error) {
        std::string const message = error.what();
        if (message.ends_with("; this build is without the extensions of TROTTER_AMOEBA, TROTTER_DRUDE"))
            return true;
        std::printf("the message is: %s\n", message.c_str());
        return false;
    }
    std::puts("nothing was refused");
    return false;
}

}  // namespace

int main() {
    bool const names_for_force = names_options([] {
        (void)trotter::parse_system(R"(<System openmmVersion="8.6" type="System" version="1">
<PeriodicBoxVectors><A x="2" y="0" z="0"/><B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors>
<Particles><Particle mass="1"/></Particles><Constraints/>
<Forces><Force type="AmoebaVdwForce" version="4"/></Forces></System>)");
    });
    bool const names_for_integrator = names_options(
        [] { (void)trotter::parse_integrator(R"(<Integrator type="DrudeSCFIntegrator" version="1"/>)"); });
    return names_for_force && names_for_integrator ? 0 : 1;
}
