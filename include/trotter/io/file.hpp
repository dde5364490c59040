// Whole files in, whole files out: reading with gzip, atomic replacement, and appending that can be resumed.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trotter {

/// Largest expanded file that is read unless told otherwise [bytes]: 8 GiB.
inline constexpr std::uint64_t default_max_input = std::uint64_t{8} << 30;

/// What a file that is read has to be: `any` may also be a pipe or a device; `regular` may not; `xml` begins with `<`, so
/// that what is something else is refused before it fills the memory.
enum class FileKind { any, regular, xml };

/// The contents of a file. Gzip is recognized by content, not by name; `max_bytes` limits the expanded size. A pipe that
/// no process has opened for writing is refused after a second. Throws InputError that names the file.
std::string read_file(std::string const& path, std::uint64_t max_bytes = default_max_input,
                      FileKind kind = FileKind::any);

/// A file that appears under its name only when it is complete. Text goes to a temporary file in the folder of the target,
/// and `commit` puts it in place; without it the destructor leaves the target as it was. The temporary has no name where
/// the file system allows that. Elsewhere it is called `.trotter-` with 16 random digits and `.partial`; such a file is
/// left where a program was killed, and may be deleted when no program runs. No other file is ever written or removed.
/// The contents are compressed if the name ends in `.gz`. A target that is no regular file (a pipe, `/dev/stdout`)
/// is written directly. Every member throws OutputError that names the file.
class OutputFile {
public:
    explicit OutputFile(std::string path);  ///< opens the temporary file
    OutputFile(OutputFile&&) noexcept;  ///< leaves an object that can only be destroyed
    OutputFile& operator=(OutputFile&&) noexcept;  ///< abandons the file of this object, unless it was committed
    ~OutputFile();

    void write(std::string_view bytes);  ///< appends `bytes`

    /// Puts the complete file in place so that it survives a crash of the machine.
    void commit();

    /// The same, but a file that stood there before is kept with `.previous` added to its name; where the path is a
    /// symbolic link, to the name of the file that it leads to.
    void commit_and_keep_previous();

    std::string const& path() const;  ///< of the target

private:
    struct Target;
    std::unique_ptr<Target> target_;
};

/// `OutputFile` in one call.
void write_file(std::string const& path, std::string_view bytes);

/// How much of a file that grows belongs to a checkpoint, and what that is.
struct FileMark {
    std::uint64_t bytes = 0;  ///< whole records only
    std::uint64_t checksum = 0;  ///< CRC-64/XZ of the bytes, without those of a head that is overwritten
};

/// A file that grows in whole records. A record that cannot be written completely (full disk) is taken back, so that
/// all earlier ones stay readable.
class AppendFile {
public:
    /// Starts an empty file. Its first `head_size` bytes may be overwritten later, and are not part of the checksum.
    /// Throws OutputError if it cannot be opened, or is no regular file.
    explicit AppendFile(std::string path, std::uint64_t head_size = 0);

    /// Cuts an existing file to what a checkpoint recorded, and goes on there. Throws OutputError as above; InputError if
    /// it holds less or something else than was written, and then it stays as it is.
    AppendFile(std::string path, FileMark const& resume_at, std::uint64_t head_size = 0);

    AppendFile(AppendFile&&) noexcept;  ///< leaves an object that can only be destroyed
    AppendFile& operator=(AppendFile&&) noexcept;  ///< exchanges the files
    ~AppendFile();

    /// Adds one record. Throws OutputError.
    void append(std::string_view record);

    /// Replaces bytes of the head. Throws OutputError.
    void overwrite(std::uint64_t position, std::string_view bytes);

    /// Waits until everything is on the disk. To be called before a checkpoint that holds `mark()`.
    void sync();

    /// The whole records so far.
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
