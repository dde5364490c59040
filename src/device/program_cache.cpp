// Files of compiled device programs: found by a digest of their source, with a digest of themselves in front.
// SPDX-License-Identifier: MIT
#include <trotter/device/program_cache.hpp>

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace trotter::device {

namespace {

/// FNV-1a with 128 bits (Fowler, Noll, Vo), in 32 hexadecimal digits.
std::string digest(std::string_view bytes) {
    // The prime is 2^88 + low.
    constexpr std::uint64_t low = 0x13B;
    std::uint64_t high_half = 0x6C62272E07BB0142u, low_half = 0x62B821756295C58Du;
    for (char const c : bytes) {
        low_half ^= static_cast<unsigned char>(c);
        std::uint64_t const carry = (low * (low_half >> 32) + (low * (low_half & 0xFFFFFFFFu) >> 32)) >> 32;
        high_half = high_half * low + carry + (low_half << 24);
        low_half *= low;
    }
    std::string text;
    for (auto const half : {high_half, low_half})
        for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
    return text;
}

std::filesystem::path default_folder() {
    if (char const* const folder = std::getenv("TROTTER_CACHE_DIR")) return folder;
    for (auto const& [variable, below] : {std::pair{"XDG_CACHE_HOME", "trotter"}, {"HOME", ".cache/trotter"}})
        if (char const* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            return std::filesystem::path(folder) / below;
    return {};
}

constexpr std::string_view format = "trotter program 1\n";

}  // namespace

ProgramCache::ProgramCache() : ProgramCache(default_folder()) {}
ProgramCache::ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::filesystem::path ProgramCache::file(std::string_view source) const { return folder_ / digest(source); }

std::optional<std::string> ProgramCache::find(std::string_view source) const {
    if (folder_.empty()) return {};
    std::ifstream stream(file(source), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!bytes.starts_with(format) || bytes.size() < format.size() + 32) return {};
    auto program = bytes.substr(format.size() + 32);
    if (std::string_view(bytes).substr(format.size(), 32) != digest(program)) return {};
    return program;
}

void ProgramCache::keep(std::string_view source, std::string_view program) const {
    if (folder_.empty()) return;
    static std::atomic<int> count = 0;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    auto const name = file(source);
    auto temporary = name;
    temporary += "." + std::to_string(::getpid()) + "." + std::to_string(count++);
    std::ofstream stream(temporary, std::ios::binary);
    stream << format << digest(program) << program;
    stream.close();
    if (stream.good()) std::filesystem::rename(temporary, name, error);
    if (!stream.good() || error) std::filesystem::remove(temporary, error);
}

}  // namespace trotter::device
