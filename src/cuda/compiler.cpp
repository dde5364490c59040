// Calls NVRTC.
// SPDX-License-Identifier: MIT
#include <nvrtc.h>

#include <algorithm>
#include <memory>
#include <vector>

#include <trotter/cuda/compiler.hpp>
#include <trotter/error.hpp>
#include <trotter/kernels/cuda_preamble.hpp>

namespace trotter::cuda {

namespace {

void check(nvrtcResult code, char const* what) {
    if (code != NVRTC_SUCCESS)
        throw UnsupportedError("CUDA's run-time compiler: " + std::string(what) + " failed with " + nvrtcGetErrorString(code));
}

/// A program of one architecture runs on all later ones of the same generation.
std::string option_for(int architecture) {
    int count = 0;
    check(nvrtcGetNumSupportedArchs(&count), "counting architectures");
    std::vector<int> known(static_cast<std::size_t>(count));
    check(nvrtcGetSupportedArchs(known.data()), "listing architectures");
    int best = 0;
    for (int const candidate : known)
        if (candidate <= architecture) best = std::max(best, candidate);
    if (best == 0) throw UnsupportedError("CUDA's run-time compiler no longer knows the architecture sm_" + std::to_string(architecture));
    return (best / 10 == architecture / 10 ? "-arch=sm_" : "-arch=compute_") + std::to_string(best);
}

std::string version() {
    int major = 0, minor = 0;
    check(nvrtcVersion(&major, &minor), "asking for its version");
    return std::to_string(major) + '.' + std::to_string(minor);
}

struct Destroy {
    using pointer = nvrtcProgram;
    void operator()(nvrtcProgram program) const { nvrtcDestroyProgram(&program); }
};

using GetSize = nvrtcResult (*)(nvrtcProgram, std::size_t*);
using Get = nvrtcResult (*)(nvrtcProgram, char*);

std::string take(nvrtcProgram program, GetSize get_size, Get get) {
    std::size_t size = 0;
    check(get_size(program, &size), "reading a result's size");
    std::string result(size, '\0');
    check(get(program, result.data()), "reading a result");
    return result;
}

}  // namespace

Compilation::Compilation(std::string const& text, int architecture)
    : source("#define SIMT_WIDTH 32\n" + std::string(kernels::cuda_preamble) + text),
      option(option_for(architecture)),
      identity("nvrtc " + version() + ' ' + option + '\n' + source) {}

std::string Compilation::run() const {
    nvrtcProgram made = nullptr;
    check(nvrtcCreateProgram(&made, source.c_str(), "trotter.cu", 0, nullptr, nullptr), "creating a program");
    std::unique_ptr<nvrtcProgram, Destroy> const program(made);
    char const* const options[] = {option.c_str(), "-std=c++17"};
    if (nvrtcCompileProgram(program.get(), 2, options) != NVRTC_SUCCESS)
        throw UnsupportedError("device text does not compile with " + option + ":\n"
                               + take(program.get(), &nvrtcGetProgramLogSize, &nvrtcGetProgramLog).c_str());
    return option.starts_with("-arch=sm") ? take(program.get(), &nvrtcGetCUBINSize, &nvrtcGetCUBIN)
                                          : take(program.get(), &nvrtcGetPTXSize, &nvrtcGetPTX);
}

}  // namespace trotter::cuda
