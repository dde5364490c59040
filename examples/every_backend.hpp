// Runs a function on every backend of this build that has a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>

#include <trotter/backends.hpp>
#include <trotter/trotter.hpp>

/// Calls `visit(backend, precision)`, Reference first.
template <class Visit> void on_every_backend(Visit const& visit) {
    using namespace trotter;
    visit(Reference{}, Double{});
#ifdef TROTTER_HAVE_CPU
    visit(Cpu{}, Mixed{});
#endif
    [[maybe_unused]] auto const on_device = [&](auto backend, auto const& devices) {
        if (devices.empty())
            std::printf("%s has no device here, and is left out\n", backend.name.data());
        else
            visit(backend, Mixed{});
    };
#ifdef TROTTER_HAVE_OPENCL
    on_device(OpenCl{}, opencl::devices());
#endif
#ifdef TROTTER_HAVE_CUDA
    on_device(Cuda{}, cuda::devices());
#endif
}
