// NetCDF-3 files: classic, and with 64-bit offsets.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// Variables of a NetCDF-3 file (docs.unidata.ucar.edu/nug, "File Format Specifications"). All members throw
/// InputError.
class NetcdfFile {
public:
    /// Reads the header; `bytes` and `path` must outlive this object.
    NetcdfFile(std::string_view bytes, std::string_view path);

    /// Whether there is a variable of this name.
    bool has(std::string_view name) const { return variables_.contains(name); }
    /// Lengths of a variable's dimensions.
    std::vector<std::uint64_t> const& shape(std::string_view name) const { return variable(name).shape; }
    /// Values of a numeric variable that has no unlimited dimension.
    std::vector<double> values(std::string_view name) const;
    /// A numeric attribute of a variable; nothing if it has none of this name.
    std::optional<double> attribute(std::string_view name, std::string_view attribute) const;

private:
    struct Variable {
        std::vector<std::uint64_t> shape;
        std::map<std::string, double, std::less<>> attributes;  // numeric ones, their first value
        std::uint32_t type = 0;
        std::uint64_t begin = 0;
        bool has_records = false;
    };
    Variable const& variable(std::string_view name) const;
    [[noreturn]] void refuse_file(std::string_view what) const;
    std::uint64_t unsigned_at(std::uint64_t offset, std::size_t size) const;
    double number_at(std::uint64_t offset, std::uint32_t type) const;

    // The header is read from its beginning to its end.
    std::uint32_t next();
    std::uint64_t next_offset();
    std::string next_name();
    std::map<std::string, double, std::less<>> next_attributes();
    void read_dimensions();
    void read_variables();

    std::string_view bytes_, path_;
    std::uint64_t cursor_ = 4;
    std::vector<std::uint64_t> dimensions_;  // 0: unlimited
    std::map<std::string, Variable, std::less<>> variables_;
};

}  // namespace trotter::app
