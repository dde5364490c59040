// SPDX-License-Identifier: MIT
#include "netcdf_file.hpp"

#include <bit>

#include <fmt/format.h>

#include "../text/text.hpp"

namespace trotter::app {
namespace {

// Tags of lists, and types.
constexpr std::uint32_t dimension_list = 10, variable_list = 11, attribute_list = 12;
constexpr std::uint32_t byte_type = 1, char_type = 2, short_type = 3, int_type = 4, float_type = 5, double_type = 6;

std::size_t size_of(std::uint32_t type) {
    switch (type) {
        case byte_type:
        case char_type:
            return 1;
        case short_type:
            return 2;
        case int_type:
        case float_type:
            return 4;
        case double_type:
            return 8;
        default:
            return 0;
    }
}

std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

}  // namespace

NetcdfFile::NetcdfFile(std::string_view bytes, std::string_view path) : bytes_(bytes), path_(path) {
    if (bytes.size() < 8 || (bytes[3] != 1 && bytes[3] != 2))
        refuse_file("only versions 1 and 2 of NetCDF-3 are supported");
    next();  // number of records
    read_dimensions();
    next_attributes();
    read_variables();
}

void NetcdfFile::refuse_file(std::string_view what) const { refuse({path_}, what); }

std::uint64_t NetcdfFile::unsigned_at(std::uint64_t offset, std::size_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) refuse_file("the NetCDF file ends too early");
    std::uint64_t value = 0;  // big-endian
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[offset + i]);
    return value;
}

double NetcdfFile::number_at(std::uint64_t offset, std::uint32_t type) const {
    auto const bits = unsigned_at(offset, size_of(type));
    switch (type) {
        case short_type:
            return static_cast<std::int16_t>(bits);
        case int_type:
            return static_cast<std::int32_t>(bits);
        case float_type:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case double_type:
            return std::bit_cast<double>(bits);
        default:
            return static_cast<std::int8_t>(bits);
    }
}

std::uint32_t NetcdfFile::next() {
    auto const value = static_cast<std::uint32_t>(unsigned_at(cursor_, 4));
    cursor_ += 4;
    return value;
}
std::uint64_t NetcdfFile::next_offset() {
    std::size_t const size = bytes_[3] == 1 ? 4 : 8;
    auto const value = unsigned_at(cursor_, size);
    cursor_ += size;
    return value;
}
std::string NetcdfFile::next_name() {
    std::uint64_t const length = next();
    if (bytes_.size() - cursor_ < length) refuse_file("the NetCDF file ends in a name");
    std::string name{bytes_.substr(cursor_, length)};
    cursor_ += padded(length);
    return name;
}

std::map<std::string, double, std::less<>> NetcdfFile::next_attributes() {
    std::map<std::string, double, std::less<>> result;
    auto const tag = next(), count = next();
    if (tag != attribute_list && (tag != 0 || count != 0))
        refuse_file("the NetCDF header has no list of attributes where one must be");
    for (std::uint32_t i = 0; i < count; ++i) {
        auto name = next_name();
        auto const type = next();
        std::uint64_t const values = next();
        if (size_of(type) == 0)
            refuse_file(fmt::format("the NetCDF attribute {} has the unknown type {}", in_quotes(name), type));
        if (type != char_type && values > 0) result[std::move(name)] = number_at(cursor_, type);
        cursor_ += padded(values * size_of(type));
    }
    return result;
}

void NetcdfFile::read_dimensions() {
    auto const tag = next(), count = next();
    if (tag != dimension_list && (tag != 0 || count != 0))
        refuse_file("the NetCDF header has no list of dimensions where one must be");
    for (std::uint32_t i = 0; i < count; ++i) {
        next_name();
        dimensions_.push_back(next());
    }
}

void NetcdfFile::read_variables() {
    auto const tag = next(), count = next();
    if (tag != variable_list && (tag != 0 || count != 0))
        refuse_file("the NetCDF header has no list of variables where one must be");
    for (std::uint32_t i = 0; i < count; ++i) {
        auto const name = next_name();
        Variable variable;
        auto const axes = next();
        for (std::uint32_t axis = 0; axis < axes; ++axis) {
            auto const dimension = next();
            if (dimension >= dimensions_.size())
                refuse_file(fmt::format("the NetCDF variable {} has a dimension that does not exist", in_quotes(name)));
            variable.shape.push_back(dimensions_[dimension]);
            variable.has_records = variable.has_records || dimensions_[dimension] == 0;
        }
        variable.attributes = next_attributes();
        variable.type = next();
        next();  // size, which follows from type and shape
        variable.begin = next_offset();
        if (size_of(variable.type) == 0)
            refuse_file(fmt::format("the NetCDF variable {} has the unknown type {}", in_quotes(name), variable.type));
        variables_[name] = std::move(variable);
    }
}

NetcdfFile::Variable const& NetcdfFile::variable(std::string_view name) const {
    auto const found = variables_.find(name);
    if (found == variables_.end()) refuse_file(fmt::format("the NetCDF file has no variable {}", name));
    return found->second;
}

std::vector<double> NetcdfFile::values(std::string_view name) const {
    auto const& found = variable(name);
    if (found.has_records)
        refuse_file(fmt::format("the NetCDF variable {} has frames: this is a trajectory, not a restart", name));
    std::uint64_t count = 1;
    for (auto const length : found.shape) {
        count *= length;
        if (count > bytes_.size()) refuse_file(fmt::format("the NetCDF variable {} is larger than the file", name));
    }
    std::vector<double> result;
    for (std::uint64_t i = 0; i < count; ++i)
        result.push_back(number_at(found.begin + i * size_of(found.type), found.type));
    return result;
}

std::optional<double> NetcdfFile::attribute(std::string_view name, std::string_view attribute) const {
    auto const& attributes = variable(name).attributes;
    auto const found = attributes.find(attribute);
    return found == attributes.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace trotter::app
