// Appends whole records to a file, and truncates it to a known length when a run is resumed.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <trotter/io/file.hpp>

#include "checksum.hpp"
#include "descriptor.hpp"

namespace trotter {

AppendFile::AppendFile(int mode, std::string path, std::uint64_t head_size)
    : path_(std::move(path)), head_size_(head_size) {
    // does not wait for a pipe
    detail::Descriptor file{::open(path_.c_str(), mode | O_NONBLOCK | O_CLOEXEC, 0666)};
    if (!file && errno != ENXIO) detail::refuse_output(path_, "cannot be opened for writing");
    if (!file || !detail::is_regular(file))
        throw OutputError(path_ + ": is a pipe or device, expected a file that can grow");
    descriptor_ = file.release();
}

AppendFile::AppendFile(std::string path, std::uint64_t head_size)
    : AppendFile(O_WRONLY | O_CREAT, std::move(path), head_size) {
    if (::ftruncate(descriptor_, 0) != 0) detail::refuse_output(path_, "cannot be emptied");
    if (!detail::sync_folder(detail::folder_of(path_))) detail::refuse_output(path_, "its folder cannot be written");
}

AppendFile::AppendFile(std::string path, FileMark const& resume_at, std::uint64_t head_size)
    : AppendFile(O_RDWR, std::move(path), head_size) {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) detail::refuse_output(path_, "cannot be examined");
    if (static_cast<std::uint64_t>(status.st_size) < resume_at.bytes)
        throw InputError(path_ + ": holds " + std::to_string(status.st_size) + " bytes, expected at least the " +
                         std::to_string(resume_at.bytes) + " that were complete at the checkpoint");
    std::string block(std::size_t{1} << 20, '\0');
    for (std::uint64_t at = 0; at < resume_at.bytes; at += block.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), resume_at.bytes - at)));
        if (!detail::read_all_at(descriptor_, block.data(), block.size(), at))
            throw InputError(path_ + ": cannot be read: " + detail::errno_text());
        add_to_checksum(at, block);
    }
    mark_.bytes = resume_at.bytes;
    if (mark_.checksum != resume_at.checksum)
        throw InputError(path_ + ": cannot be continued: its first " + std::to_string(resume_at.bytes) +
                         " bytes are not those that the run wrote (they were damaged or edited since)");
    if (::ftruncate(descriptor_, static_cast<off_t>(resume_at.bytes)) != 0)
        detail::refuse_output(path_, "cannot be cut to the length at the checkpoint");
    if (::lseek(descriptor_, static_cast<off_t>(resume_at.bytes), SEEK_SET) < 0)
        detail::refuse_output(path_, "cannot be continued");
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), head_size_(other.head_size_), descriptor_(std::exchange(other.descriptor_, -1)),
      mark_(other.mark_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(head_size_, other.head_size_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(mark_, other.mark_);
    return *this;
}

AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::string_view record) {
    if (!detail::write_all(descriptor_, record)) {
        OutputError const failure{path_ + ": cannot be written: " + detail::errno_text()};
        if (::ftruncate(descriptor_, static_cast<off_t>(mark_.bytes)) == 0)
            ::lseek(descriptor_, static_cast<off_t>(mark_.bytes), SEEK_SET);
        throw failure;
    }
    add_to_checksum(mark_.bytes, record);
    mark_.bytes += record.size();
}

void AppendFile::add_to_checksum(std::uint64_t position, std::string_view bytes) {
    auto const head = position < head_size_ ? head_size_ - position : 0;
    if (head < bytes.size()) mark_.checksum = detail::checksum(bytes.substr(head), mark_.checksum);
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
