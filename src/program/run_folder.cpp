// Claims output folders.
// SPDX-License-Identifier: MIT
#include "run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <trotter/error.hpp>

namespace trotter::program {

namespace fs = std::filesystem;

bool RunFiles::has_checkpoint() const { return fs::exists(checkpoint()) || fs::exists(previous_checkpoint()); }

void check_folder(RunFiles const& files, bool resume, bool overwrite) {
    if (resume && overwrite) throw InputError("--resume and --overwrite exclude each other");
    std::error_code error;
    if (!fs::exists(files.folder, error)) {
        if (resume) throw InputError("there is no run to resume: " + files.folder.string() + " does not exist");
        return;
    }
    if (!fs::is_directory(files.folder, error)) throw InputError(files.folder.string() + " is not a folder");
    if (resume && !fs::exists(files.input(), error))
        throw InputError("there is no run to resume: " + files.folder.string() + " holds no run.toml");
    if (!resume && !overwrite && !fs::is_empty(files.folder, error))
        throw InputError("the output folder " + files.folder.string()
                         + " is not empty; --resume goes on with the run there, --overwrite replaces it");
}

ClaimedFolder::ClaimedFolder(RunFiles const& files, bool remove_earlier_run) {
    auto const fail = [&](std::string const& reason) {
        return OutputError("the output folder " + files.folder.string() + " " + reason);
    };
    std::error_code error;
    fs::create_directories(files.folder, error);
    if (error) throw fail("cannot be made: " + error.message());
    descriptor_ = ::open(files.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) throw fail(std::string("cannot be opened: ") + std::strerror(errno));
    // The lock goes with the process, however that ends.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(descriptor_);
        throw InputError("another run is writing to the output folder " + files.folder.string());
    }
    if (!remove_earlier_run) return;
    for (auto const& name : {files.log(), files.trajectory("dcd"), files.trajectory("xtc"), files.checkpoint(),
                             files.previous_checkpoint(), files.final_state(), files.input()})
        if (fs::remove(name, error); error)
            throw fail("holds " + name + ", which cannot be removed: " + error.message());
}

ClaimedFolder::~ClaimedFolder() { ::close(descriptor_); }

}  // namespace trotter::program
