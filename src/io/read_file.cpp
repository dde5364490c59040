// Reading a file whole, expanding gzip on the way.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include <zlib.h>

#include <trotter/io/file.hpp>

#include "descriptor.hpp"

namespace trotter {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;

[[noreturn]] void refuse_size(std::string const& path, std::uint64_t max_bytes) {
    throw InputError(path + ": holds more than the limit of " + std::to_string(max_bytes) + " bytes");
}

/// Expands gzip members as blocks of a file come in.
class Inflater {
public:
    Inflater(std::string const& path, std::uint64_t max_bytes) : path_(path), max_bytes_(max_bytes) {
        if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw Error(path_ + ": zlib cannot start");
    }
    Inflater(Inflater const&) = delete;
    Inflater& operator=(Inflater const&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    void expand(std::string_view block, std::string& into) {
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
                throw InputError(path_ + ": the gzip data are damaged after " + std::to_string(into.size()) + " expanded bytes");
            auto const fresh = room_.size() - stream_.avail_out;
            if (fresh > max_bytes_ - into.size()) refuse_size(path_, max_bytes_);
            into.append(room_.data(), fresh);
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
    std::uint64_t max_bytes_;
    z_stream stream_{};
    bool member_ended_ = false;
    std::vector<char> room_ = std::vector<char>(block_size);
};

detail::Descriptor open_for_reading(std::string const& path) {
    detail::Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) throw InputError(path + ": cannot be opened: " + detail::errno_text());
    struct stat status {};
    if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode))
        throw InputError(path + ": is a folder, expected a file");
    return file;
}

/// Reads until the block is full or the file ends.
std::size_t read_block(detail::Descriptor const& file, std::vector<char>& block, std::string const& path) {
    std::size_t filled = 0;
    while (filled < block.size()) {
        auto const got = ::read(file.get(), block.data() + filled, block.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw InputError(path + ": cannot be read: " + detail::errno_text());
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

bool is_gzip(std::string_view start) { return start.starts_with("\x1f\x8b"); }

}  // namespace

std::string read_file(std::string const& path, std::uint64_t max_bytes) {
    auto const file = open_for_reading(path);
    std::string contents;
    std::unique_ptr<Inflater> inflater;
    std::vector<char> block(block_size);
    for (bool first = true;; first = false) {
        std::string_view const bytes{block.data(), read_block(file, block, path)};
        if (first && is_gzip(bytes)) inflater = std::make_unique<Inflater>(path, max_bytes);
        if (bytes.empty()) break;
        if (inflater) {
            inflater->expand(bytes, contents);
        } else {
            if (bytes.size() > max_bytes - contents.size()) refuse_size(path, max_bytes);
            contents.append(bytes);
        }
    }
    if (inflater) inflater->finish(contents);
    return contents;
}

}  // namespace trotter
