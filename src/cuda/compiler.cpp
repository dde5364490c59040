// Calls NVRTC.
// SPDX-License-Identifier: MIT
#include <nvrtc.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include <trotter/cuda/compiler.hpp>
#include <trotter/kernels/cuda_preamble.hpp>

#include "library.hpp"

namespace trotter::cuda {

namespace {

/// Named as in nvrtc.h, less the prefix.
struct Nvrtc {
    Library library{{TROTTER_NVRTC_LIBRARY, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                    "CUDA's run-time compiler (libnvrtc.so) is not installed"};
    decltype(&nvrtcVersion) version = library.find("nvrtcVersion");
    decltype(&nvrtcGetErrorString) get_error_string = library.find("nvrtcGetErrorString");
    decltype(&nvrtcGetNumSupportedArchs) get_num_supported_archs = library.find("nvrtcGetNumSupportedArchs");
    decltype(&nvrtcGetSupportedArchs) get_supported_archs = library.find("nvrtcGetSupportedArchs");
    decltype(&nvrtcCreateProgram) create_program = library.find("nvrtcCreateProgram");
    decltype(&nvrtcDestroyProgram) destroy_program = library.find("nvrtcDestroyProgram");
    decltype(&nvrtcCompileProgram) compile_program = library.find("nvrtcCompileProgram");
    decltype(&nvrtcGetProgramLogSize) get_program_log_size = library.find("nvrtcGetProgramLogSize");
    decltype(&nvrtcGetProgramLog) get_program_log = library.find("nvrtcGetProgramLog");
    decltype(&nvrtcGetCUBINSize) get_cubin_size = library.find("nvrtcGetCUBINSize");
    decltype(&nvrtcGetCUBIN) get_cubin = library.find("nvrtcGetCUBIN");
    decltype(&nvrtcGetPTXSize) get_ptx_size = library.find("nvrtcGetPTXSize");
    decltype(&nvrtcGetPTX) get_ptx = library.find("nvrtcGetPTX");
};

Nvrtc const& nvrtc() {
    static Nvrtc const loaded;
    return loaded;
}

void check(nvrtcResult code, char const* what) {
    if (code != NVRTC_SUCCESS)
        throw UnsupportedError("CUDA's run-time compiler: " + std::string(what) + " failed with " + nvrtc().get_error_string(code));
}

/// The newest architecture known to NVRTC that runs on the device.
int known_architecture(int architecture) {
    int count = 0;
    check(nvrtc().get_num_supported_archs(&count), "counting architectures");
    std::vector<int> known(static_cast<std::size_t>(count));
    check(nvrtc().get_supported_archs(known.data()), "listing architectures");
    int best = 0;
    for (int const candidate : known)
        if (candidate <= architecture) best = std::max(best, candidate);
    if (best == 0) throw UnsupportedError("CUDA's run-time compiler no longer knows the architecture sm_" + std::to_string(architecture));
    return best;
}
/// A program of one architecture runs on all later ones of the same generation.
std::string option_for(int architecture) {
    int const best = known_architecture(architecture);
    return (best / 10 == architecture / 10 ? "-arch=sm_" : "-arch=compute_") + std::to_string(best);
}

/// Inserts KERNEL_BEGIN at the beginning of all kernels.
std::string with_beginnings(std::string text) {
    constexpr std::string_view begin = " KERNEL_BEGIN";
    for (std::size_t at = text.find("KERNEL "); at != text.npos; at = text.find("KERNEL ", at)) {
        at = text.find('{', at);
        if (at != text.npos) text.insert(at + 1, begin);
    }
    return text;
}

std::string version() {
    int major = 0, minor = 0;
    check(nvrtc().version(&major, &minor), "asking for its version");
    return std::to_string(major) + '.' + std::to_string(minor);
}

struct Destroy {
    using pointer = nvrtcProgram;
    void operator()(nvrtcProgram program) const { nvrtc().destroy_program(&program); }
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

void load_compiler() noexcept {
    try {
        nvrtc();
    } catch (std::exception const&) {
    }
}

bool waits_for_kernel_before(int architecture) { return known_architecture(architecture) >= 90; }

Compilation::Compilation(std::string const& text, int architecture)
    : source("#define WARP_SIZE 32\n" + std::string(kernels::cuda_preamble) + with_beginnings(text)),
      option(option_for(architecture)),
      identity("nvrtc " + version() + ' ' + option + '\n' + source) {}

std::string Compilation::run() const {
    nvrtcProgram made = nullptr;
    check(nvrtc().create_program(&made, source.c_str(), "trotter.cu", 0, nullptr, nullptr), "creating a program");
    std::unique_ptr<nvrtcProgram, Destroy> const program(made);
    char const* const options[] = {option.c_str(), "-std=c++17", "-ftz=true", "-prec-div=false", "-prec-sqrt=false"};
    if (nvrtc().compile_program(program.get(), static_cast<int>(std::size(options)), options) != NVRTC_SUCCESS)
        throw UnsupportedError("device text does not compile with " + option + ":\n"
                               + take(program.get(), nvrtc().get_program_log_size, nvrtc().get_program_log).c_str());
    return option.starts_with("-arch=sm") ? take(program.get(), nvrtc().get_cubin_size, nvrtc().get_cubin)
                                          : take(program.get(), nvrtc().get_ptx_size, nvrtc().get_ptx);
}

}  // namespace trotter::cuda
