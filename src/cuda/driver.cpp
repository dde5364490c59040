// Loads NVIDIA's driver.
// SPDX-License-Identifier: MIT
#include "driver.hpp"

#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include <trotter/cuda/compiler.hpp>

namespace trotter::cuda {

namespace {

Driver load() {
    Driver const d;
    if (auto const code = d.init(0); code != CUDA_SUCCESS) {
        char const* name = nullptr;
        d.get_error_name(code, &name);
        throw UnsupportedError("there is no CUDA device: NVIDIA's driver says "
                               + std::string(name != nullptr ? name : "nothing"));
    }
    return d;
}

}  // namespace

Driver const& driver() {
    static Driver const loaded = load();
    return loaded;
}

std::string error_name(CUresult code) {
    char const* name = nullptr;
    driver().get_error_name(code, &name);
    return name != nullptr ? name : "error " + std::to_string(static_cast<int>(code));
}

void check(CUresult code, std::string const& device, char const* what) {
    if (code != CUDA_SUCCESS)
        throw UnsupportedError("CUDA on " + device + ": " + what + " failed with " + error_name(code));
}

/// Returns no thread if the system refuses one; callers then do the work when needed.
static std::jthread in_a_thread(void (*work)()) {
    try {
        return std::jthread(work);
    } catch (std::system_error const&) {
        return {};
    }
}

CUcontext primary_context(int device, std::string const& name) {
    static std::mutex mutex;
    static std::map<int, CUcontext> contexts;
    std::lock_guard const lock(mutex);
    auto& context = contexts[device];
    if (context == nullptr) {
        auto const beside = in_a_thread(load_compiler);  // needed next, and takes time too
        check(driver().device_primary_ctx_retain(&context, device), name, "making a context");
    }
    return context;
}

}  // namespace trotter::cuda
