// Whole files in, whole files out: reading with gzip, atomic replacement, and appending that can be resumed.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trotter {

inline constexpr std::uint64_t default_max_input = std::uint64_t{8} << 30;

/// The contents of a file. Gzip is recognized by content, not by name; `max_bytes` limits the expanded size.
/// Throws InputError that names the file.
std::string read_file(std::string const& path, std::uint64_t max_bytes = default_max_input);

/// A file that appears under its name only when it is complete. Text goes to a temporary file beside the target
/// (`NAME.partial`), and `commit` puts it in place; without it the destructor leaves the target as it was.
/// The contents are compressed if the name ends in `.gz`. A target that is no regular file (a pipe, `/dev/stdout`)
/// is written directly. Every member throws OutputError that names the file.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    OutputFile(OutputFile&&) noexcept;
    OutputFile& operator=(OutputFile&&) noexcept;
    ~OutputFile();

    void write(std::string_view bytes);

    /// Puts the complete file in place so that it survives a crash of the machine.
    void commit();

    /// The same, but a file that stood there before is kept under the name `previous`.
    void commit_and_keep(std::string const& previous);

    std::string const& path() const;

private:
    struct Target;
    std::unique_ptr<Target> target_;
};

/// `OutputFile` in one call.
void write_file(std::string const& path, std::string_view bytes);

/// A file that grows in whole records. A record that cannot be written completely (full disk) is taken back, so that
/// all earlier ones stay readable.
class AppendFile {
public:
    /// Starts an empty file, or cuts an existing one to `resume_at` bytes and goes on there.
    /// Throws OutputError if it cannot be opened, InputError if it holds less than `resume_at` bytes.
    explicit AppendFile(std::string path, std::optional<std::uint64_t> resume_at = {});
    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    ~AppendFile();

    /// Adds one record. Throws OutputError.
    void append(std::string_view record);

    /// Replaces bytes that exist already, such as a header. Throws OutputError.
    void overwrite(std::uint64_t position, std::string_view bytes);

    /// Waits until everything is on the disk. To be called before a checkpoint that holds `offset()`.
    void sync();

    /// Bytes of whole records so far.
    std::uint64_t offset() const { return offset_; }
    std::string const& path() const { return path_; }

private:
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t offset_ = 0;
};

}  // namespace trotter
