// Sequential reader of binary files, plain or gzip, in either byte order.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <zlib.h>

#include <trotter/error.hpp>

#include "frame_bytes.hpp"
#include "io/files/descriptor.hpp"

namespace trotter::detail {

/// A sequential reader. All members throw InputError that names the file and the byte.
class ByteSource {
public:
    explicit ByteSource(std::string path) : path_(std::move(path)) {
        Descriptor file{::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
        if (!file) throw InputError(path_ + ": cannot be opened: " + errno_text());
        if (!is_regular(file)) throw InputError(path_ + ": is a folder, pipe or device, expected a trajectory");
        file_.reset(gzdopen(file.get(), "rb"));
        if (!file_) throw Error(path_ + ": zlib cannot start");
        file.release();
        gzbuffer(file_.get(), block_size);
    }

    Order order = Order::Little;

    /// Valid until the next call. Allocates only for bytes actually read, not for `size`.
    std::string_view take(std::size_t size) {
        for (std::size_t got = 0; got < size;) {
            auto const part = std::min(size - got, block_size);
            if (buffer_.size() < got + part) buffer_.resize(got + part);
            read_block(buffer_.data() + got, part);
            got += part;
        }
        return {buffer_.data(), size};
    }
    void skip(std::size_t size) {
        for (; size > block_size; size -= block_size) take(block_size);
        take(size);
    }
    template <class T> T number() { return number_from<T>(take(sizeof(T)).data(), order); }
    template <class T> void expect(T value, char const* what) {
        auto const at = position_;
        if (auto const found = number<T>(); found != value) {
            position_ = at;
            fail(std::string{"damaged or of another kind: "} + what + " is " + std::to_string(found) + ", expected " +
                 std::to_string(value));
        }
    }
    bool at_end() {
        auto const next = gzgetc(file_.get());
        if (next < 0) check();
        else gzungetc(next, file_.get());
        return next < 0;
    }
    void rewind() { gzrewind(file_.get()), position_ = 0; }

    [[noreturn]] void fail(std::string const& what) const {
        throw InputError(path_ + ": " + what + ", at byte " + std::to_string(position_));
    }
    std::string const& path() const { return path_; }
    std::uint64_t position() const { return position_; }  ///< bytes read so far

private:
    struct Close {
        void operator()(gzFile_s* file) const { gzclose(file); }
    };

    void read_block(char* into, std::size_t size) {
        auto const got = gzread(file_.get(), into, static_cast<unsigned>(size));
        if (got > 0) position_ += static_cast<std::uint64_t>(got);
        if (got == static_cast<int>(size)) return;
        check();
        fail("ends inside the head or a frame");
    }
    /// Throws for zlib errors, of which the end of a plain file is none.
    void check() const {
        int error = Z_OK;
        gzerror(file_.get(), &error);
        if (error == Z_ERRNO) fail("cannot be read: " + errno_text());
        if (error != Z_OK && error != Z_STREAM_END) fail("the gzip data are damaged or end too early");
    }

    static constexpr std::size_t block_size = std::size_t{1} << 18;

    std::string path_, buffer_;
    std::unique_ptr<gzFile_s, Close> file_;
    std::uint64_t position_ = 0;
};

}  // namespace trotter::detail
