// POSIX file descriptor (RAII), and complete reads and writes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trotter/error.hpp>

namespace trotter::detail {

class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_;
};

inline std::string errno_text() { return std::strerror(errno); }

[[noreturn]] inline void refuse_output(std::string const& path, std::string const& what) {
    throw OutputError(path + ": " + what + ": " + errno_text());
}

/// Returns false, with errno set, unless everything was written.
inline bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// Returns false, with errno set, if reading fails, or with errno 0 at the end of the file.
inline bool read_all_at(int descriptor, char* into, std::size_t count, std::uint64_t position) {
    while (count > 0) {
        auto const got = ::pread(descriptor, into, count, static_cast<off_t>(position));
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = 0;
        if (got <= 0) return false;
        into += got;
        count -= static_cast<std::size_t>(got);
        position += static_cast<std::uint64_t>(got);
    }
    return true;
}

/// Whether it is a regular file: no folder, pipe or device.
inline bool is_regular(Descriptor const& file) {
    struct stat status {};
    return ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Final target of symbolic links, whether it exists or not.
inline std::string follow_links(std::string const& path) {
    std::filesystem::path name = path;
    constexpr int most = 40;  // limit of Linux
    for (int links = 0; links < most; ++links) {
        std::error_code error;
        auto const target = std::filesystem::read_symlink(name, error);
        if (error) break;
        name = name.parent_path() / target;
    }
    return name.string();
}

/// Name under which the previous file at `path` is kept: in the folder of the file itself, also if `path` is a link.
inline std::string previous_name(std::string const& path) { return follow_links(path) + ".previous"; }

/// Folder of a path.
inline std::string folder_of(std::string const& path) {
    auto const slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Makes a rename or a new name in the folder durable. Ignores file systems that cannot sync folders.
inline bool sync_folder(std::string const& folder) {
    Descriptor const directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    return !directory || ::fsync(directory.get()) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace trotter::detail
