// Reads and writes checkpoint files: named sections protected by checksums.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/archive.hpp>

namespace trotter {

/// Collects sections and writes them.
///
///     CheckpointWriter checkpoint;
///     kernel.save(checkpoint.section("barostat"));
///     checkpoint.write("checkpoint");
class CheckpointWriter {
public:
    /// Adds an empty section. Throws Error if the name exists. The reference is valid until the next call.
    Archive& section(std::string name);

    /// The bytes of the file.
    std::string bytes() const;

    /// Replaces the file atomically and keeps the previous one as `PATH.previous`. Throws OutputError.
    void write(std::string const& path) const;

private:
    std::vector<std::pair<std::string, Archive>> sections_;
};

/// Sections of a file with verified checksums.
class CheckpointReader {
public:
    /// Throws InputError that names `file_name` and the damaged section.
    CheckpointReader(std::string_view bytes, std::string file_name);

    bool has(std::string_view section) const;  ///< whether there is a section of this name

    /// Returns a copy to read from. Throws InputError if the section is missing.
    Archive section(std::string_view name) const;

    std::vector<std::string> names() const;  ///< of the sections, in the order of the file

    /// The file that was read.
    std::string const& file_name() const { return file_name_; }

    /// Why `PATH.previous` was read instead, as a sentence for the user; otherwise empty.
    std::string const& note() const { return note_; }

private:
    friend CheckpointReader read_checkpoint(std::string const&);
    std::string file_name_, note_;
    std::vector<std::pair<std::string, Archive>> sections_;
};

/// Reads `path`, or `PATH.previous` if that is missing or damaged. Throws InputError with both reasons if neither can
/// be read.
CheckpointReader read_checkpoint(std::string const& path);

/// Writes a checkpoint of a Context, an AnyContext or Replicas, in one section. Throws as `write` and `save`.
template <class Simulation> void save_checkpoint(Simulation& simulation, std::string const& path) {
    CheckpointWriter checkpoint;
    simulation.save(checkpoint.section("context"));
    checkpoint.write(path);
}
/// Loads a checkpoint of an equal simulation. Returns why `PATH.previous` was read instead, or "". Throws as
/// `read_checkpoint` and `load`.
template <class Simulation> std::string load_checkpoint(Simulation& simulation, std::string const& path) {
    auto const checkpoint = read_checkpoint(path);
    auto section = checkpoint.section("context");
    simulation.load(section);
    return checkpoint.note();
}

}  // namespace trotter
