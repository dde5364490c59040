// Runs a benchmark on the platform that its user names.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <trotter/backends.hpp>
#include <trotter/error.hpp>
#include <trotter/precision.hpp>

namespace trotter {

template <class B, class Visit>
void in_precision(B const& backend, std::string const& precision, Visit const& visit) {
    if (precision == "single")
        visit(backend, Single{});
    else if (precision == "mixed")
        visit(backend, Mixed{});
    else if (precision == "double")
        visit(backend, Double{});
    else
        throw InputError("the precision is '" + precision + "', expected single, mixed or double");
}

/// Calls `visit(backend, precision)`; Reference is always in double. Throws InputError for other names.
template <class Visit>
void on_platform(std::string const& platform, [[maybe_unused]] std::string const& precision, Visit const& visit) {
    if (platform == "reference") return visit(Reference{}, Double{});
#ifdef TROTTER_HAVE_CPU
    if (platform == "cpu") return in_precision(Cpu{}, precision, visit);
#endif
#ifdef TROTTER_HAVE_OPENCL
    if (platform == "opencl") return in_precision(OpenCl{}, precision, visit);
#endif
#ifdef TROTTER_HAVE_CUDA
    if (platform == "cuda") return in_precision(Cuda{}, precision, visit);
#endif
    throw InputError("there is no platform '" + platform + "' in this build");
}

inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace trotter
