// Reads whole files, with gzip, replaces files atomically, and appends to files resumably.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trotter {

/// Default limit on the expanded size of a file [bytes]: 8 GiB.
inline constexpr std::uint64_t default_max_input = std::uint64_t{8} << 30;

/// Required kind of an input file: `any` includes pipes and devices; `regular` does not; `xml` begins with `<`, so that
/// other files are rejected before they fill the memory.
enum class FileKind { any, regular, xml };

/// Returns the contents of a file. Gzip is recognized by content, not by name; `max_bytes` limits the expanded size. A
/// pipe that no process opens for writing is rejected after a second. Throws InputError that names the file.
std::string read_file(std::string const& path, std::uint64_t max_bytes = default_max_input,
                      FileKind kind = FileKind::any);

/// A file that appears under its name only when it is complete. Text goes to a temporary file in the folder of the
/// target, and `commit` puts it in place; otherwise the destructor leaves the target unchanged. The temporary file is
/// unnamed if the file system supports that. Otherwise it is named `.trotter-` with 16 random digits and `.partial`;
/// such a file remains if the program is killed, and may be deleted when no program runs. No other file is ever written
/// or removed. The contents are compressed if the name ends in `.gz`. A target that is not a regular file (a pipe,
/// `/dev/stdout`) is written directly. Every member throws OutputError that names the file.
class OutputFile {
public:
    explicit OutputFile(std::string path);  ///< opens the temporary file
    OutputFile(OutputFile&&) noexcept;  ///< leaves an object that can only be destroyed
    OutputFile& operator=(OutputFile&&) noexcept;  ///< discards the file of this object, unless it was committed
    ~OutputFile();

    void write(std::string_view bytes);  ///< appends `bytes`

    /// Replaces the target by the complete file, durably.
    void commit();

    /// The same, but keeps the previous file with `.previous` appended to its name; for a symbolic link, to the name of
    /// its target.
    void commit_and_keep_previous();

    std::string const& path() const;  ///< of the target

private:
    struct Target;
    std::unique_ptr<Target> target_;
};

/// Writes an OutputFile in one call.
void write_file(std::string const& path, std::string_view bytes);

/// Length and checksum of an append-only file at a checkpoint.
struct FileMark {
    std::uint64_t bytes = 0;  ///< whole records only
    std::uint64_t checksum = 0;  ///< CRC-64/XZ of the bytes, without an overwritable header
};

/// A file to which whole records are appended. A record that cannot be written completely (full disk) is removed, so
/// that all earlier ones stay readable.
class AppendFile {
public:
    /// Starts an empty file. Its first `head_size` bytes may be overwritten later, and are not part of the checksum.
    /// Throws OutputError if it cannot be opened, or is not a regular file.
    explicit AppendFile(std::string path, std::uint64_t head_size = 0);

    /// Truncates an existing file to the state recorded in a checkpoint, and continues there. Throws OutputError as
    /// above; InputError, without changing the file, if its contents are shorter or differ.
    AppendFile(std::string path, FileMark const& resume_at, std::uint64_t head_size = 0);

    AppendFile(AppendFile&&) noexcept;  ///< leaves an object that can only be destroyed
    AppendFile& operator=(AppendFile&&) noexcept;  ///< exchanges the files
    ~AppendFile();

    /// Adds one record. Throws OutputError.
    void append(std::string_view record);

    /// Replaces bytes of the header. Throws OutputError.
    void overwrite(std::uint64_t position, std::string_view bytes);

    /// Flushes everything to disk. Call before writing a checkpoint with `mark()`.
    void sync();

    /// Length and checksum of the complete records.
    FileMark const& mark() const { return mark_; }
    /// As given to the constructor.
    std::string const& path() const { return path_; }

private:
    AppendFile(int mode, std::string path, std::uint64_t head_size);
    void add_to_checksum(std::uint64_t position, std::string_view bytes);

    std::string path_;
    std::uint64_t head_size_ = 0;
    int descriptor_ = -1;
    FileMark mark_;
};

}  // namespace trotter
