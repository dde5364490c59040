// Runs the device tests; without a device, only those tagged [host].
// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER
#include "catch_compat.hpp"

#include <cstdio>

#include "tested_device.hpp"

int main(int argc, char* argv[]) {
    Catch::Session session;
    if (int const status = session.applyCommandLine(argc, argv); status != 0) return status;
    if (trotter::has_tested_device()) {
        auto const open = trotter::TestedDevice{}.open();  // keeps what drivers load in memory between tests
        return session.run();
    }
    std::printf("skipped: there is no device for %s; the tests that need none run\n", std::string(trotter::TestedDevice::name).c_str());
    session.configData().testsOrTags = {"[host]"};
    int const failures = session.run();
    return failures == 0 ? 77 : failures;
}
