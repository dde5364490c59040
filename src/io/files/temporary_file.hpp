// A file on its way to its name: nobody else's file can be in its place, and what is not finished leaves nothing behind.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <random>
#include <string>

#include <fmt/format.h>

#include "descriptor.hpp"

namespace trotter::detail {

/// An empty file in the folder of `target`. It has no name until it is complete, so that a killed program leaves nothing
/// (but for the instant of put_in_place, in which it has a random one); where a file system cannot do that, it has a random name, `.trotter-….partial`, under which nothing was before.
class TemporaryFile {
public:
    /// Without a descriptor, and errno set, where the folder takes no file.
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

    /// Gives it the name of its target, which is replaced. False with errno set.
    bool put_in_place() {
        // Only a file that has a name can replace another one.
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
