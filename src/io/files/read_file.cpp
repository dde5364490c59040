// Reads a whole file, expanding gzip.
// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>
#include <vector>

#include <poll.h>
#include <zlib.h>

#include <trotter/io/file.hpp>

#include "descriptor.hpp"

namespace trotter {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;

/// Bytes read so far, checked as they arrive.
class Contents {
public:
    Contents(std::string const& path, std::uint64_t max_bytes, FileKind kind)
        : path_(path), max_bytes_(max_bytes), sought_(kind == FileKind::xml) {}

    void add(std::string_view bytes) {
        if (bytes.size() > max_bytes_ - text.size())
            throw InputError(path_ + ": holds more than the limit of " + std::to_string(max_bytes_) + " bytes");
        text.append(bytes);
        if (sought_) look_for_xml();
    }

    std::string text;

private:
    /// Leaves a small blank file to the parser, which reports it as empty.
    void look_for_xml() {
        auto const start = text.find_first_not_of(text.starts_with("\xef\xbb\xbf") ? "\xef\xbb\xbf \t\r\n" : " \t\r\n");
        if (start == text.npos && text.size() < block_size) return;
        if (start == text.npos || text[start] != '<')
            throw InputError(path_ + ": is not XML text: expected it to begin with '<' and to hold no zero bytes");
        sought_ = false;
    }

    std::string const& path_;
    std::uint64_t max_bytes_;
    bool sought_;
};

/// Expands gzip members block by block.
class Inflater {
public:
    explicit Inflater(std::string const& path) : path_(path) {
        if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw Error(path_ + ": zlib cannot start");
    }
    Inflater(Inflater const&) = delete;
    Inflater& operator=(Inflater const&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    void expand(std::string_view block, Contents& into) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
        stream_.avail_in = static_cast<uInt>(block.size());
        do {
            if (member_ended_) {
                if (stream_.avail_in == 0) return;
                inflateReset(&stream_);
                member_ended_ = false;
            }
            stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
            stream_.avail_out = static_cast<uInt>(room_.size());
            auto const status = inflate(&stream_, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
                throw InputError(path_ + ": the gzip data are damaged after " + std::to_string(into.text.size()) + " expanded bytes");
            into.add({room_.data(), room_.size() - stream_.avail_out});
            member_ended_ = status == Z_STREAM_END;
        } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    }

    void finish(std::string const& expanded) const {
        if (!member_ended_)
            throw InputError(path_ + ": the gzip data end too early, after " + std::to_string(expanded.size()) +
                             " expanded bytes (a truncated file?)");
    }

private:
    std::string const& path_;
    z_stream stream_{};
    bool member_ended_ = false;
    std::vector<char> room_ = std::vector<char>(block_size);
};

bool is_pipe(detail::Descriptor const& file) {
    struct stat status {};
    return ::fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode);
}

/// Opens a file, or, if allowed, a pipe or device, and waits up to a second for the writer of a pipe.
detail::Descriptor open_for_reading(std::string const& path, FileKind kind) {
    detail::Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (!file) throw InputError(path + ": cannot be opened: " + detail::errno_text());
    struct stat status {};
    bool const known = ::fstat(file.get(), &status) == 0;
    if (known && S_ISDIR(status.st_mode)) throw InputError(path + ": is a folder, expected a file");
    if (known && !S_ISREG(status.st_mode) && kind == FileKind::regular)
        throw InputError(path + ": is a pipe or device, expected a file");
    constexpr int patience = 1000;  // ms
    pollfd input{file.get(), POLLIN, 0};
    if (is_pipe(file)) ::poll(&input, 1, patience);
    return file;
}

/// Reads until the block is full or the file ends.
std::size_t read_block(detail::Descriptor const& file, std::vector<char>& block, std::string const& path) {
    std::size_t filled = 0;
    while (filled < block.size()) {
        auto const got = ::read(file.get(), block.data() + filled, block.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) {  // a pipe opened by a writer
            pollfd input{file.get(), POLLIN, 0};
            ::poll(&input, 1, -1);
            continue;
        }
        if (got < 0) throw InputError(path + ": cannot be read: " + detail::errno_text());
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

bool is_gzip(std::string_view start) { return start.starts_with("\x1f\x8b"); }

}  // namespace

std::string read_file(std::string const& path, std::uint64_t max_bytes, FileKind kind) {
    auto const file = open_for_reading(path, kind);
    Contents contents{path, max_bytes, kind};
    std::unique_ptr<Inflater> inflater;
    std::vector<char> block(block_size);
    for (bool first = true;; first = false) {
        std::string_view const bytes{block.data(), read_block(file, block, path)};
        if (first && is_gzip(bytes)) inflater = std::make_unique<Inflater>(path);
        if (first && bytes.empty() && is_pipe(file)) throw InputError(path + ": is a pipe into which nobody writes, expected a file");
        if (bytes.empty()) break;
        if (inflater)
            inflater->expand(bytes, contents);
        else
            contents.add(bytes);
    }
    if (inflater) inflater->finish(contents.text);
    return std::move(contents.text);
}

}  // namespace trotter
