// The checkpoint file: named sections that are valid to the last bit, or refused.
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
    /// A new, empty section. Throws Error if the name is taken. The reference holds until the next call.
    Archive& section(std::string name);

    /// The bytes of the file.
    std::string bytes() const;

    /// Puts the file in place atomically and keeps the one that stood there as `PATH.previous`. Throws OutputError.
    void write(std::string const& path) const;

private:
    std::vector<std::pair<std::string, Archive>> sections_;
};

/// The sections of a file whose checksums were all found right.
class CheckpointReader {
public:
    /// Throws InputError that names `file_name` and the section that is damaged.
    CheckpointReader(std::string_view bytes, std::string file_name);

    bool has(std::string_view section) const;  ///< whether there is a section of this name

    /// A copy to read from. Throws InputError if there is no such section.
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

/// Reads `path`, or `PATH.previous` where that is missing or damaged. Throws InputError that tells both reasons where
/// neither can be read.
CheckpointReader read_checkpoint(std::string const& path);

/// The file of a Context, an AnyContext or Replicas alone, in one section: what `write` and `save` do, and throw.
template <class Simulation> void save_checkpoint(Simulation& simulation, std::string const& path) {
    CheckpointWriter checkpoint;
    simulation.save(checkpoint.section("context"));
    checkpoint.write(path);
}
/// Takes over that of an equal one. Returns why `PATH.previous` was read instead, or nothing. Throws what
/// `read_checkpoint` and `load` do.
template <class Simulation> std::string load_checkpoint(Simulation& simulation, std::string const& path) {
    auto const checkpoint = read_checkpoint(path);
    auto section = checkpoint.section("context");
    simulation.load(section);
    return checkpoint.note();
}

}  // namespace trotter
