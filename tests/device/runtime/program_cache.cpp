// Tests the disk cache of compiled programs: hits, integrity, and failures without effect.
// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <trotter/device/runtime/program_cache.hpp>

#include "catch_compat.hpp"
#include "device/tested_device.hpp"

using trotter::device::ProgramCache;
namespace files = std::filesystem;

namespace {

/// A folder that is removed when the test ends.
struct Folder {
    files::path path = files::temp_directory_path() / ("trotter-cache-test-" + std::to_string(::getpid()));
    Folder() { files::remove_all(path); }
    ~Folder() { files::remove_all(path); }
    auto entries() const { return std::distance(files::directory_iterator(path), {}); }
};

/// Sets TROTTER_CACHE_DIR during its lifetime.
class CacheFolder {
public:
    explicit CacheFolder(files::path const& path) {
        if (char const* const before = std::getenv("TROTTER_CACHE_DIR")) before_ = before;
        ::setenv("TROTTER_CACHE_DIR", path.c_str(), 1);
    }
    ~CacheFolder() { before_ ? ::setenv("TROTTER_CACHE_DIR", before_->c_str(), 1) : ::unsetenv("TROTTER_CACHE_DIR"); }

private:
    std::optional<std::string> before_;
};

std::string bytes_of(files::path const& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
void write(files::path const& file, std::string const& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

}  // namespace

TEST_CASE("a program is found by its whole source", "[device][host]") {
    Folder const folder;
    ProgramCache const cache(folder.path);
    CHECK_FALSE(cache.find("source"));
    cache.keep("source", std::string("bin\0ary", 7));
    CHECK(cache.find("source") == std::string("bin\0ary", 7));
    CHECK_FALSE(cache.find("source "));
    CHECK(ProgramCache(folder.path).find("source"));
    // FNV-1a of no bytes and of one, as published by its authors.
    CHECK(cache.file("").filename() == "6c62272e07bb014262b821756295c58d");
    CHECK(cache.file("a").filename() == "d228cb696f1a8caf78912b704e4a8964");
}

TEST_CASE("damaged entries are as if they were not there, and are replaced", "[device][host]") {
    Folder const folder;
    ProgramCache const cache(folder.path);
    std::string const program(1000, 'p');
    cache.keep("source", program);
    auto const whole = bytes_of(cache.file("source"));
    for (std::size_t const place : {std::size_t{0}, std::size_t{20}, std::size_t{60}, whole.size() - 1}) {
        auto damaged = whole;
        damaged[place] ^= 1;
        write(cache.file("source"), damaged);
        CHECK_FALSE(cache.find("source"));
    }
    for (std::size_t const size : {std::size_t{0}, std::size_t{30}, whole.size() - 1}) {
        write(cache.file("source"), whole.substr(0, size));
        CHECK_FALSE(cache.find("source"));
    }
    cache.keep("source", program);
    CHECK(cache.find("source") == program);
}

TEST_CASE("two processes that write at once leave one whole entry", "[device][host]") {
    Folder const folder;
    ProgramCache const cache(folder.path);
    std::string const program(3'000'000, 'p');
    auto const child = ::fork();
    REQUIRE(child >= 0);
    bool never_torn = true;
    for (int n = 0; n < 30; ++n) {
        cache.keep("source", program);
        if (auto const found = cache.find("source"); found && *found != program) never_torn = false;
        // Both processes replace the entry atomically, so it exists from the first write on.
        if (!cache.find("source")) never_torn = false;
    }
    if (child == 0) ::_exit(never_torn ? 0 : 1);
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(never_torn);
    CHECK(status == 0);
    CHECK(folder.entries() == 1);
}

TEST_CASE("a folder that cannot be written is no obstacle", "[device][host]") {
    Folder const folder;
    files::create_directories(folder.path);
    write(folder.path / "file", "no folder");
    for (auto const& place : {files::path(), folder.path / "file" / "below", files::path("/proc/trotter")}) {
        ProgramCache const cache(place);
        cache.keep("source", "program");
        CHECK_FALSE(cache.find("source"));
    }
}

TEST_CASE("the environment names the folder, and compiling uses it", "[device]") {
    Folder const folder;
    CacheFolder const used(folder.path);
    std::string const text = "KERNEL void f(GLOBAL int* a) { a[0] = 1; }";
    auto queue = trotter::TestedDevice{}.open();
    queue.compile(text).kernel("f");
    if (queue.properties().keeps_programs) {
        CHECK_FALSE(files::exists(folder.path));
        return;
    }
    CHECK(folder.entries() == 1);
    auto const file = files::directory_iterator(folder.path)->path();
    // Compiles anew what the driver refuses.
    ProgramCache const cache(folder.path);
    cache.keep("other", "nonsense");
    files::rename(cache.file("other"), file);
    CHECK(files::file_size(file) < 100);
    trotter::TestedDevice{}.open().compile(text).kernel("f");
    CHECK(files::file_size(file) > 100);
}
