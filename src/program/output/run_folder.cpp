// Checks and locks output folders.
// SPDX-License-Identifier: MIT
#include "run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <trotter/error.hpp>

namespace trotter::program {

namespace fs = std::filesystem;

namespace {

/// Whether the path is something other than a regular file; false for missing files and links to themselves.
bool is_no_file(std::string const& path) {
    std::error_code error;
    auto const status = fs::status(path, error);
    return !error && fs::exists(status) && !fs::is_regular_file(status);
}

/// Whether the path exists, including dangling links.
bool is_there(std::string const& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

void check_resumable(RunFiles const& files) {
    std::error_code error;
    if (!fs::exists(files.folder, error))
        throw InputError("there is no run to resume: " + files.folder.string() + " does not exist");
    if (!is_there(files.input()))
        throw InputError("there is no run to resume: " + files.folder.string() + " holds no run.toml");
    for (auto const& name : files.names())
        if (is_no_file(name)) throw InputError(name + " is no regular file, expected one that a run has left");
}

}  // namespace

std::vector<std::string> RunFiles::names() const {
    return {log(), trajectory("dcd"), trajectory("xtc"), trajectory("nc"), checkpoint(), previous_checkpoint(), final_state(),
            input()};
}

bool RunFiles::has_checkpoint() const { return is_there(checkpoint()) || is_there(previous_checkpoint()); }

void remove_dead_link(std::string const& path) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error)) && !fs::exists(path, error)) fs::remove(path, error);
}

void check_folder(RunFiles const& files, Folder expected) {
    std::error_code error;
    bool const exists = fs::exists(files.folder, error);
    if (exists && !fs::is_directory(files.folder, error)) throw InputError(files.folder.string() + " is not a folder");
    if (expected == Folder::resumed) check_resumable(files);
    if (exists && expected == Folder::empty && !fs::is_empty(files.folder, error) && !error)
        throw InputError("the output folder " + files.folder.string()
                         + " is not empty; --resume goes on with the run there, --overwrite replaces it");
}

void check_nothing_is_lost(RunFiles const& files) {
    for (auto const& name : {files.log(), files.trajectory("dcd"), files.trajectory("xtc"), files.trajectory("nc"),
                             files.final_state()}) {
        std::error_code error;
        if (auto const size = fs::file_size(name, error); !error && size > 0)
            throw InputError("the run in " + files.folder.string()
                             + " has no checkpoint to go on from, and would begin anew and replace " + name
                             + "; --overwrite does that");
    }
}

ClaimedFolder::ClaimedFolder(RunFiles const& files, Folder expected) {
    auto const fail = [&](std::string const& reason) {
        return OutputError("the output folder " + files.folder.string() + " " + reason);
    };
    std::error_code error;
    fs::create_directories(files.folder, error);
    if (error) throw fail("cannot be made: " + error.message());
    descriptor_ = ::open(files.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) throw fail(std::string("cannot be opened: ") + std::strerror(errno));
    try {
        // The lock ends with the process in any case.
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            throw InputError("another run is writing to the output folder " + files.folder.string());
        if (!is_still(files.folder)) throw fail("was removed while the run began");
        check_folder(files, expected);
        if (expected != Folder::overwritten) return;
        for (auto const& name : files.names())
            if (fs::remove(name, error); error)
                throw fail("holds " + name + ", which cannot be removed: " + error.message());
    } catch (Error const&) {
        ::close(descriptor_);
        throw;
    }
}

ClaimedFolder::~ClaimedFolder() { ::close(descriptor_); }

/// Whether the locked folder is still the one with this name, and was not removed and recreated.
bool ClaimedFolder::is_still(fs::path const& folder) const {
    struct stat locked {
    }, named{};
    return ::fstat(descriptor_, &locked) == 0 && ::stat(folder.c_str(), &named) == 0 && locked.st_ino == named.st_ino
           && locked.st_dev == named.st_dev;
}

}  // namespace trotter::program
