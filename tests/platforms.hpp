// The platforms and precisions on which tests run, chosen at run time and compiled once, in Trotter::standard. Tests of
// user-defined types, which must be compiled for each backend, use backends.hpp.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/error.hpp>

#include "catch_compat.hpp"

namespace trotter {

/// A platform and a precision, and their rounding errors.
struct TestPlatform {
    std::string platform, precision;
    bool is_on_device = platform == "opencl" || platform == "cuda";
    bool is_double = precision == "double";
    /// Rounding error of a number computed from a few others, relative to their magnitude.
    double rounding = is_double ? 1e-13 : 2e-6;
    /// The same for terms, which hosts compute in double in every precision.
    double term_rounding = is_double || !is_on_device ? 1e-12 : rounding;

    std::string name() const { return platform + ":" + precision; }
    BackendChoice choice() const { return {.platform = platform, .precision = precision}; }
};

inline TestPlatform const reference_platform{"reference", "double"};

/// The platforms named by the environment variable TROTTER_TEST_PLATFORMS, such as "opencl:mixed opencl:double";
/// default: the hosts.
inline std::vector<TestPlatform> tested_platforms() {
    char const* const names = std::getenv("TROTTER_TEST_PLATFORMS");
#ifdef TROTTER_HAVE_CPU
    std::istringstream words(names != nullptr ? names : "reference:double cpu:mixed cpu:double");
#else
    std::istringstream words(names != nullptr ? names : "reference:double");
#endif
    std::vector<TestPlatform> result;
    for (std::string word; words >> word;) {
        auto const colon = word.find(':');
        if (colon == word.npos)
            throw InputError("TROTTER_TEST_PLATFORMS has '" + word + "', expected a platform and a precision, as cpu:mixed");
        result.push_back({word.substr(0, colon), word.substr(colon + 1)});
    }
    return result;
}

/// The current platform of a test case, named in failure messages.
class CurrentPlatform : public TestPlatform {
public:
    explicit CurrentPlatform(TestPlatform const& platform)
        : TestPlatform(platform),
          message_(Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info) << name()) {}

private:
    Catch::ScopedMessage message_;
};

/// Runs the rest of the test case once for each tested platform. Tests tagged [devices] also run on devices; those
/// tagged [slow] on OpenCL only in mixed precision, since OpenCL compilers for CPUs need minutes for the loops of many
/// formulas in one precision.
inline CurrentPlatform each_platform() {
    static auto const all = tested_platforms();
    return CurrentPlatform(GENERATE(from_range(all)));
}

}  // namespace trotter
