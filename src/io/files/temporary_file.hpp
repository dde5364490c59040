// Temporary file that replaces its target atomically.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <random>
#include <string>

#include <fmt/format.h>

#include "descriptor.hpp"

namespace trotter::detail {

/// A new file in the folder of `target`. It is unnamed until put_in_place, so that a killed program leaves nothing
/// behind; if the file system does not support that, it has a random, unused name, `.trotter-….partial`.
class TemporaryFile {
public:
    /// On failure the descriptor is empty and errno set.
    explicit TemporaryFile(std::string target) : target_(std::move(target)), file_(open_nameless()) {
        if (file_) return;
        do {
            name_ = random_name();
            file_ = Descriptor{::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
        } while (!file_ && errno == EEXIST);
        if (!file_) name_.clear();
    }
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile() {
        if (!name_.empty()) ::unlink(name_.c_str());
    }

    Descriptor& descriptor() { return file_; }

    /// Renames it to its target, which is replaced. Returns false, with errno set, on failure.
    bool put_in_place() {
        // rename() needs a named file
        while (name_.empty()) {
            auto const name = random_name();
            if (::linkat(AT_FDCWD, own_link(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
                name_ = name;
            else if (errno != EEXIST)
                return false;
        }
        if (std::rename(name_.c_str(), target_.c_str()) != 0) return false;
        name_.clear();
        return true;
    }

private:
    static std::string own_link(Descriptor const& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

    Descriptor open_nameless() const {
#ifdef O_TMPFILE
        Descriptor file{::open(folder_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)};
        if (file && ::access(own_link(file).c_str(), F_OK) == 0) return file;
#endif
        return Descriptor{};
    }

    std::string random_name() const {
        std::random_device bits;
        return fmt::format("{}/.trotter-{:08x}{:08x}.partial", folder_of(target_), bits(), bits());
    }

    std::string target_, name_;
    Descriptor file_;
};

}  // namespace trotter::detail
