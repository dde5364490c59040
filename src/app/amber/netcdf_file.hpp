// NetCDF-3 files: classic, and with 64-bit offsets.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/trajectory/netcdf_header.hpp"

namespace trotter::app {

/// Variables of a NetCDF-3 file that is in memory. All members throw InputError.
class NetcdfFile {
public:
    /// Reads the header; `bytes` and `path` must outlive this object.
    NetcdfFile(std::string_view bytes, std::string_view path);

    /// Whether there is a variable of this name.
    bool has(std::string_view name) const { return header_.variables.contains(name); }
    /// Lengths of a variable's dimensions.
    std::vector<std::uint64_t> const& shape(std::string_view name) const { return variable(name).shape; }
    /// Values of a numeric variable that has no unlimited dimension.
    std::vector<double> values(std::string_view name) const;
    /// A numeric attribute of a variable; nothing if it has none of this name.
    std::optional<double> attribute(std::string_view name, std::string_view attribute) const;

private:
    detail::NetcdfVariable const& variable(std::string_view name) const;
    [[noreturn]] void refuse_file(std::string_view what) const;

    std::string_view bytes_, path_;
    detail::NetcdfHeader header_;
};

}  // namespace trotter::app
