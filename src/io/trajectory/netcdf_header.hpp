// Headers of NetCDF-3 files, classic and with 64-bit offsets ("The NetCDF Classic Format Specification", Unidata).
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frame_bytes.hpp"

namespace trotter::detail {

/// Tags of lists.
constexpr std::uint32_t netcdf_dimensions = 10, netcdf_variables = 11, netcdf_attributes = 12;
/// Types of values: byte, char, short, int, float, double.
constexpr std::uint32_t netcdf_char = 2, netcdf_short = 3, netcdf_int = 4, netcdf_float = 5, netcdf_double = 6;

/// Bytes of a value; 0 for an unknown type.
constexpr std::size_t netcdf_size(std::uint32_t type) {
    constexpr std::array<std::size_t, 7> sizes{0, 1, 1, 2, 4, 4, 8};
    return type < sizes.size() ? sizes[type] : 0;
}

/// A value of a known type, which stands at `bytes`.
inline double netcdf_number(char const* bytes, std::uint32_t type) {
    switch (type) {
    case netcdf_short: return number_from<std::int16_t>(bytes, Order::Big);
    case netcdf_int: return number_from<std::int32_t>(bytes, Order::Big);
    case netcdf_float: return double{number_from<float>(bytes, Order::Big)};
    case netcdf_double: return number_from<double>(bytes, Order::Big);
    default: return static_cast<signed char>(*bytes);
    }
}

/// What the header says of a variable.
struct NetcdfVariable {
    std::vector<std::uint64_t> shape;  ///< 0 stands for the unlimited dimension
    std::map<std::string, double, std::less<>> numbers;      ///< attributes, the first number of each
    std::map<std::string, std::string, std::less<>> texts;  ///< attributes
    std::uint32_t type = 0;
    std::uint64_t begin = 0;  ///< byte in the file

    bool has_records() const { return !shape.empty() && shape.front() == 0; }
};

struct NetcdfHeader {
    std::uint32_t records = 0;  ///< 2^32 − 1 if their writer did not know
    std::map<std::string, NetcdfVariable, std::less<>> variables;
};

/// Reads a header. `Source` has `take(size)`, the next bytes, `skip(size)`, and `fail(sentence)`, which throws.
template <class Source> class NetcdfHeaderReader {
public:
    explicit NetcdfHeaderReader(Source& in) : in_(in) {}

    NetcdfHeader read() {
        auto const magic = in_.take(4);
        if (!magic.starts_with("CDF") || (magic[3] != 1 && magic[3] != 2))
            in_.fail("is no NetCDF file that can be read, expected version 1 or 2 of NetCDF-3");
        has_long_offsets_ = magic[3] == 2;
        NetcdfHeader header{.records = integer(), .variables = {}};
        read_dimensions();
        NetcdfVariable of_file;
        read_attributes(of_file);
        auto const count = list(netcdf_variables, "variables");
        for (std::uint32_t i = 0; i < count; ++i) {
            auto name = text();
            header.variables.insert_or_assign(std::move(name), variable());
        }
        return header;
    }

private:
    std::uint32_t integer() { return number_from<std::uint32_t>(in_.take(4).data(), Order::Big); }
    std::uint64_t offset() { return has_long_offsets_ ? number_from<std::uint64_t>(in_.take(8).data(), Order::Big) : integer(); }
    /// Number of items.
    std::uint32_t list(std::uint32_t tag, char const* what) {
        auto const found = integer(), count = integer();
        if (found != tag && (found != 0 || count != 0))
            in_.fail(std::string("is damaged: the NetCDF header has no list of ") + what + " where one must be");
        return count;
    }
    std::string text() {
        constexpr std::uint32_t longest = 1024;  // in the library 256
        auto const length = integer();
        if (length > longest)
            in_.fail("is damaged: the NetCDF header has a name of " + std::to_string(length) + " letters");
        std::string result(in_.take(length));
        in_.skip(padded(length) - length);
        return result;
    }
    void read_dimensions() {
        auto const count = list(netcdf_dimensions, "dimensions");
        for (std::uint32_t i = 0; i < count; ++i) {
            text();
            dimensions_.push_back(integer());
        }
    }
    std::uint32_t type() {
        auto const result = integer();
        if (netcdf_size(result) == 0) in_.fail("is damaged: the NetCDF header has a value of the unknown type " + std::to_string(result));
        return result;
    }
    void read_attributes(NetcdfVariable& of) {
        constexpr std::uint64_t longest = 4096;
        auto const count = list(netcdf_attributes, "attributes");
        for (std::uint32_t i = 0; i < count; ++i) {
            auto name = text();
            auto const kind = type();
            std::uint64_t const size = integer() * std::uint64_t{netcdf_size(kind)};
            auto const kept = std::min(size, longest);
            auto const bytes = in_.take(kept);
            if (kind == netcdf_char)
                of.texts.insert_or_assign(std::move(name), std::string(bytes));
            else if (size > 0)
                of.numbers.insert_or_assign(std::move(name), netcdf_number(bytes.data(), kind));
            in_.skip(padded(size) - kept);
        }
    }
    NetcdfVariable variable() {
        NetcdfVariable result;
        auto const axes = integer();
        for (std::uint32_t axis = 0; axis < axes; ++axis) {
            auto const dimension = integer();
            if (dimension >= dimensions_.size())
                in_.fail("is damaged: a NetCDF variable has dimension " + std::to_string(dimension) + ", but there are " +
                         std::to_string(dimensions_.size()));
            result.shape.push_back(dimensions_[dimension]);
        }
        read_attributes(result);
        result.type = type();
        integer();  // the size, which follows from type and shape
        result.begin = offset();
        return result;
    }

    Source& in_;
    bool has_long_offsets_ = false;
    std::vector<std::uint64_t> dimensions_;
};

}  // namespace trotter::detail
