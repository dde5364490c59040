// Cache files of compiled device programs: named by a digest of the source, beginning with a digest of the program.
// SPDX-License-Identifier: MIT
#include <trotter/device/runtime/program_cache.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace trotter::device {

namespace {

__extension__ using Wide = unsigned __int128;

/// FNV-1a with 128 bits (Fowler, Noll, Vo), in 32 hexadecimal digits.
std::string digest(std::string_view bytes) {
    constexpr Wide prime = (Wide{1} << 88) + 0x13B;
    Wide value = (Wide{0x6C62272E07BB0142u} << 64) + 0x62B821756295C58Du;
    for (char const c : bytes) value = (value ^ static_cast<unsigned char>(c)) * prime;
    std::string text;
    for (int shift = 124; shift >= 0; shift -= 4)
        text += "0123456789abcdef"[static_cast<std::size_t>(value >> shift) & 15];
    return text;
}

std::filesystem::path default_folder() {
    if (char const* const folder = std::getenv("TROTTER_CACHE_DIR")) return folder;
    for (auto const& [variable, below] : {std::pair{"XDG_CACHE_HOME", "trotter"}, {"HOME", ".cache/trotter"}})
        if (char const* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            return std::filesystem::path(folder) / below;
    return {};
}

std::string const format = "trotter program 1\n";

}  // namespace

ProgramCache::ProgramCache() : ProgramCache(default_folder()) {}
ProgramCache::ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::filesystem::path ProgramCache::file(std::string_view source) const { return folder_ / digest(source); }

std::optional<std::string> ProgramCache::find(std::string_view source) const {
    if (folder_.empty()) return {};
    auto const name = file(source);
    std::error_code error;
    auto const size = std::filesystem::file_size(name, error);
    if (error || size < format.size() + 32) return {};
    std::string begin(format.size() + 32, '\0'), program(size - begin.size(), '\0');
    std::ifstream stream(name, std::ios::binary);
    stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    stream.read(program.data(), static_cast<std::streamsize>(program.size()));
    if (!stream || begin != format + digest(program)) return {};
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
