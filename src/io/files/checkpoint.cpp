// Layout of a checkpoint: header, table of sections, checksum of both, sections.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <trotter/error.hpp>
#include <trotter/io/checkpoint.hpp>
#include <trotter/io/file.hpp>

#include "checksum.hpp"
#include "descriptor.hpp"

namespace trotter {
namespace {

// Header, 28 bytes: magic, u32 version, u64 size of the file, u64 size of the table. Table, for each section: u32
// length of the name, the name, u64 size, u64 checksum of name and contents. Then the u64 checksum of header and table,
// and the sections' contents in the order of the table.
constexpr std::string_view magic = "TROTTER\x1a";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t head_size = 28;

template <class T> void add(std::string& bytes, T value) {
    char text[sizeof value];
    std::memcpy(text, &value, sizeof value);
    bytes.append(text, sizeof value);
}

/// Reads values sequentially; checks bounds although the checksum has been verified.
class Table {
public:
    Table(std::string_view bytes, std::string const& file_name) : bytes_(bytes), file_name_(file_name) {}

    template <class T> T number() {
        T value;
        std::memcpy(&value, text(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view text(std::size_t size) {
        if (size > bytes_.size()) throw InputError(file_name_ + ": the checkpoint's table is inconsistent");
        auto const taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    bool empty() const { return bytes_.empty(); }

private:
    std::string_view bytes_;
    std::string const& file_name_;
};

std::uint64_t section_checksum(std::string_view name, std::string_view contents) {
    return detail::checksum(name) ^ std::rotl(detail::checksum(contents), 1);
}

struct Head {
    std::uint64_t table_size;
};

Head check_head(std::string_view bytes, std::string const& file_name) {
    auto const refuse = [&](std::string const& what) { throw InputError(file_name + ": " + what); };
    if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()))
        refuse("is not a checkpoint of Trotter, or its first bytes are damaged");
    if (bytes.size() < head_size + 8) refuse("the checkpoint is truncated: it holds only " + std::to_string(bytes.size()) + " bytes");
    Table head{bytes.substr(magic.size()), file_name};
    auto const version = head.number<std::uint32_t>();
    auto const file_size = head.number<std::uint64_t>();
    auto const table_size = head.number<std::uint64_t>();
    auto const sums_up = table_size <= bytes.size() - head_size - 8;
    auto const checked = bytes.substr(0, head_size + (sums_up ? table_size : 0));
    std::uint64_t stored = 0;
    if (sums_up) std::memcpy(&stored, bytes.data() + checked.size(), sizeof stored);
    if (!sums_up || stored != detail::checksum(checked))
        refuse(file_size > bytes.size() ? "the checkpoint is truncated or the head is damaged: " + std::to_string(bytes.size()) + " bytes"
                                        : "the head of the checkpoint is damaged");
    if (version != format_version)
        refuse("the checkpoint has format version " + std::to_string(version) + ", expected " + std::to_string(format_version));
    if (file_size != bytes.size())
        refuse("the checkpoint holds " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(file_size) +
               (file_size > bytes.size() ? " (truncated?)" : " (something was added to it)"));
    return {table_size};
}

}  // namespace

Archive& CheckpointWriter::section(std::string name) {
    for (auto const& [other, archive] : sections_)
        if (other == name) throw Error("the checkpoint's section " + name + " is written twice");
    sections_.emplace_back(std::move(name), Archive{});
    return sections_.back().second;
}

std::string CheckpointWriter::bytes() const {
    std::string table;
    std::uint64_t contents_size = 0;
    for (auto const& [name, archive] : sections_) {
        add(table, static_cast<std::uint32_t>(name.size()));
        table += name;
        add(table, static_cast<std::uint64_t>(archive.bytes().size()));
        add(table, section_checksum(name, archive.bytes()));
        contents_size += archive.bytes().size();
    }
    std::string file{magic};
    add(file, format_version);
    add(file, static_cast<std::uint64_t>(head_size + table.size() + 8 + contents_size));
    add(file, static_cast<std::uint64_t>(table.size()));
    file += table;
    add(file, detail::checksum(file));
    file.reserve(file.size() + contents_size);
    for (auto const& [name, archive] : sections_) file += archive.bytes();
    return file;
}

void CheckpointWriter::write(std::string const& path) const {
    OutputFile file{path};
    file.write(bytes());
    file.commit_and_keep_previous();
}

CheckpointReader::CheckpointReader(std::string_view bytes, std::string file_name) : file_name_(std::move(file_name)) {
    auto const head = check_head(bytes, file_name_);
    Table table{bytes.substr(head_size, head.table_size), file_name_};
    Table contents{bytes.substr(head_size + head.table_size + 8), file_name_};
    while (!table.empty()) {
        std::string const name{table.text(table.number<std::uint32_t>())};
        auto const size = table.number<std::uint64_t>();
        auto const expected = table.number<std::uint64_t>();
        auto const section = contents.text(size);
        if (section_checksum(name, section) != expected)
            throw InputError(file_name_ + ": the section " + name + " of the checkpoint is damaged");
        sections_.emplace_back(name, Archive{std::string{section}, file_name_ + ", section " + name});
    }
    if (!contents.empty()) throw InputError(file_name_ + ": the checkpoint's table is inconsistent");
}

bool CheckpointReader::has(std::string_view section) const {
    return std::any_of(sections_.begin(), sections_.end(), [&](auto const& entry) { return entry.first == section; });
}

Archive CheckpointReader::section(std::string_view name) const {
    for (auto const& [found, archive] : sections_)
        if (found == name) return archive;
    throw InputError(file_name_ + ": the checkpoint has no section " + std::string{name});
}

std::vector<std::string> CheckpointReader::names() const {
    std::vector<std::string> result;
    for (auto const& [name, archive] : sections_) result.push_back(name);
    return result;
}

CheckpointReader read_checkpoint(std::string const& path) {
    auto const read = [](std::string const& name) { return CheckpointReader{read_file(name, std::uint64_t{1} << 40, FileKind::regular), name}; };
    try {
        return read(path);
    } catch (InputError const& newest) {
        try {
            auto const earlier = detail::previous_name(path);
            auto reader = read(earlier);
            reader.note_ = std::string{newest.what()} + "; going on from " + earlier;
            return reader;
        } catch (InputError const& previous) {
            throw InputError(std::string{newest.what()} + "; nor can the previous one be used: " + previous.what());
        }
    }
}

}  // namespace trotter
