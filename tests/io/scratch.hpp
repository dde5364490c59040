// A temporary folder for a test's files, and the message of an expected exception.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace trotter::testing {

class ScratchFolder {
public:
    ScratchFolder() {
        auto name = (std::filesystem::temp_directory_path() / "trotter-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ScratchFolder(ScratchFolder const&) = delete;
    ScratchFolder& operator=(ScratchFolder const&) = delete;
    ~ScratchFolder() { std::filesystem::remove_all(path_); }

    std::string operator/(std::string const& name) const { return (path_ / name).string(); }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string bytes_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline void put_bytes(std::string const& path, std::string const& bytes) {
    std::ofstream{path, std::ios::binary} << bytes;
}

/// The message of the `Expected` that `action` threw; empty if it threw nothing. Other exceptions propagate.
template <class Expected, class Action> std::string message_of(Action&& action) {
    try {
        action();
    } catch (Expected const& error) {
        return error.what();
    }
    return {};
}

}  // namespace trotter::testing
