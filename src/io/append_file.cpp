// Growing a file by whole records, and cutting it to a known length when a run is resumed.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/io/file.hpp>

#include "descriptor.hpp"

namespace trotter {

AppendFile::AppendFile(std::string path, std::optional<std::uint64_t> resume_at)
    : path_(std::move(path)), offset_(resume_at.value_or(0)) {
    int const mode = resume_at ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC;
    detail::Descriptor file{::open(path_.c_str(), mode | O_CLOEXEC, 0666)};
    if (!file) detail::refuse_output(path_, "cannot be opened for writing");
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) detail::refuse_output(path_, "cannot be examined");
    if (resume_at && static_cast<std::uint64_t>(status.st_size) < offset_)
        throw InputError(path_ + ": holds " + std::to_string(status.st_size) + " bytes, expected at least the " +
                         std::to_string(offset_) + " that were complete at the checkpoint");
    if (resume_at && ::ftruncate(file.get(), static_cast<off_t>(offset_)) != 0)
        detail::refuse_output(path_, "cannot be cut to the length at the checkpoint");
    if (::lseek(file.get(), static_cast<off_t>(offset_), SEEK_SET) < 0 && errno != ESPIPE)
        detail::refuse_output(path_, "cannot be continued");
    if (!detail::sync_folder(detail::folder_of(path_))) detail::refuse_output(path_, "its folder cannot be written");
    descriptor_ = file.release();
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), offset_(other.offset_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(offset_, other.offset_);
    return *this;
}

AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::string_view record) {
    if (!detail::write_all(descriptor_, record)) {
        OutputError const failure{path_ + ": cannot be written: " + detail::errno_text()};
        if (::ftruncate(descriptor_, static_cast<off_t>(offset_)) == 0)
            ::lseek(descriptor_, static_cast<off_t>(offset_), SEEK_SET);
        throw failure;
    }
    offset_ += record.size();
}

void AppendFile::overwrite(std::uint64_t position, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) detail::refuse_output(path_, "cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(written));
        position += static_cast<std::uint64_t>(written);
    }
}

void AppendFile::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) detail::refuse_output(path_, "cannot be written");
}

}  // namespace trotter
