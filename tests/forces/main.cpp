// Runs the force tests on the platforms in TROTTER_TEST_PLATFORMS; returns 77 if one has no device.
// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER
#include "platforms.hpp"

#include <algorithm>
#include <cstdio>

#include <trotter/platforms.hpp>

int main(int argc, char* argv[]) {
    Catch::Session session;
    if (int const status = session.applyCommandLine(argc, argv); status != 0) return status;
    auto const devices = trotter::list_devices();
    for (auto const& tested : trotter::tested_platforms())
        if (std::none_of(devices.begin(), devices.end(),
                         [&](auto const& device) { return device.platform == tested.platform; })) {
            std::printf("skipped: there is no device for %s\n", tested.platform.c_str());
            return 77;
        }
    return session.run();
}
