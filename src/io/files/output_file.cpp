// Replaces a file atomically: temporary file, fsync, rename, fsync of the folder.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <optional>
#include <vector>

#include <zlib.h>

#include <trotter/io/file.hpp>

#include "descriptor.hpp"
#include "temporary_file.hpp"

namespace trotter {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

/// Opens a pipe or device for direct writing. Rejects a pipe without a reader, which would block forever.
detail::Descriptor open_directly(std::string const& path) {
    detail::Descriptor file{::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
    if (!file && errno == ENXIO) throw OutputError(path + ": is no file but a pipe or device, and nobody reads from it");
    if (!file || ::fcntl(file.get(), F_SETFL, 0) != 0) detail::refuse_output(path, "cannot be opened for writing");
    return file;
}

class Deflater {
public:
    explicit Deflater(std::string const& path) {
        if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw Error(path + ": zlib cannot start");
    }
    Deflater(Deflater const&) = delete;
    Deflater& operator=(Deflater const&) = delete;
    ~Deflater() { deflateEnd(&stream_); }

    bool write(int descriptor, std::string_view bytes, bool last) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
            stream_.avail_out = static_cast<uInt>(room_.size());
            deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
            if (!detail::write_all(descriptor, {room_.data(), room_.size() - stream_.avail_out})) return false;
        } while (stream_.avail_out == 0);
        return true;
    }

private:
    z_stream stream_{};
    std::vector<char> room_ = std::vector<char>(buffer_size);
};

}  // namespace

struct OutputFile::Target {
    std::string path;
    std::string final_name;  ///< target of a symbolic link, which is replaced instead of the link
    std::optional<detail::TemporaryFile> temporary;
    detail::Descriptor direct;  ///< if there is no temporary file
    std::unique_ptr<Deflater> deflater;
    std::string buffer;

    explicit Target(std::string given) : path(std::move(given)), final_name(detail::follow_links(path)) {
        struct stat status {};
        bool const exists = ::stat(path.c_str(), &status) == 0;  // /dev/stdout may be an unnamed pipe
        if (exists && S_ISDIR(status.st_mode)) throw OutputError(path + ": is a folder, expected a file");
        if (exists && !S_ISREG(status.st_mode)) {
            direct = open_directly(path);
        } else {
            temporary.emplace(final_name);
            if (!file()) detail::refuse_output(path, "cannot be created");
            if (exists) ::fchmod(file().get(), status.st_mode & 07777);
        }
        if (path.ends_with(".gz")) deflater = std::make_unique<Deflater>(path);
        buffer.reserve(buffer_size);
    }
    Target(Target const&) = delete;
    Target& operator=(Target const&) = delete;

    detail::Descriptor& file() { return temporary ? temporary->descriptor() : direct; }

    void flush(bool last) {
        bool const done = deflater ? deflater->write(file().get(), buffer, last) : detail::write_all(file().get(), buffer);
        if (!done) detail::refuse_output(path, "cannot be written");
        buffer.clear();
    }

    /// Network file systems may report a full disk only in close().
    void close() {
        if (::close(file().release()) != 0) detail::refuse_output(path, "cannot be written");
    }

    void commit(bool keep_previous) {
        flush(true);
        if (!temporary) return close();
        if (::fsync(file().get()) != 0) detail::refuse_output(path, "cannot be written");
        auto const previous = detail::previous_name(path);
        if (keep_previous && std::rename(final_name.c_str(), previous.c_str()) != 0 && errno != ENOENT)
            detail::refuse_output(path, "the earlier file cannot be renamed to " + previous);
        if (!temporary->put_in_place()) detail::refuse_output(path, "cannot be put in place");
        if (!detail::sync_folder(detail::folder_of(final_name))) detail::refuse_output(path, "its folder cannot be written");
        close();
    }
};

OutputFile::OutputFile(std::string path) : target_(std::make_unique<Target>(std::move(path))) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

std::string const& OutputFile::path() const { return target_->path; }

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        auto const part = bytes.substr(0, buffer_size - target_->buffer.size());
        target_->buffer.append(part);
        bytes.remove_prefix(part.size());
        if (target_->buffer.size() >= buffer_size) target_->flush(false);
    }
}

void OutputFile::commit() { target_->commit(false); }
void OutputFile::commit_and_keep_previous() { target_->commit(true); }

void write_file(std::string const& path, std::string_view bytes) {
    OutputFile file{path};
    file.write(bytes);
    file.commit();
}

}  // namespace trotter
