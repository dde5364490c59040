// SPDX-License-Identifier: MIT
#include "netcdf_file.hpp"

#include <fmt/format.h>

#include "../text/text.hpp"

namespace trotter::app {
namespace {

/// Bytes in memory, for the reader of headers.
class Bytes {
public:
    Bytes(std::string_view bytes, std::string_view path) : rest_(bytes), path_(path) {}

    std::string_view take(std::uint64_t size) {
        if (size > rest_.size()) fail("the NetCDF file ends too early");
        auto const taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    void skip(std::uint64_t size) { take(size); }
    [[noreturn]] void fail(std::string const& what) const { refuse({path_}, what); }

private:
    std::string_view rest_, path_;
};

}  // namespace

NetcdfFile::NetcdfFile(std::string_view bytes, std::string_view path) : bytes_(bytes), path_(path) {
    Bytes source(bytes, path);
    header_ = detail::NetcdfHeaderReader<Bytes>(source).read();
}

void NetcdfFile::refuse_file(std::string_view what) const { refuse({path_}, what); }

detail::NetcdfVariable const& NetcdfFile::variable(std::string_view name) const {
    auto const found = header_.variables.find(name);
    if (found == header_.variables.end()) refuse_file(fmt::format("the NetCDF file has no variable {}", name));
    return found->second;
}

std::vector<double> NetcdfFile::values(std::string_view name) const {
    auto const& found = variable(name);
    if (found.has_records())
        refuse_file(fmt::format("the NetCDF variable {} has frames: this is a trajectory, not a restart", name));
    auto const size = detail::netcdf_size(found.type);
    std::uint64_t count = 1;
    for (auto const length : found.shape) {
        count *= length;
        if (count > bytes_.size()) refuse_file(fmt::format("the NetCDF variable {} is larger than the file", name));
    }
    if (found.begin > bytes_.size() || (bytes_.size() - found.begin) / size < count)
        refuse_file("the NetCDF file ends too early");
    std::vector<double> result;
    for (std::uint64_t i = 0; i < count; ++i)
        result.push_back(detail::netcdf_number(bytes_.data() + found.begin + i * size, found.type));
    return result;
}

std::optional<double> NetcdfFile::attribute(std::string_view name, std::string_view attribute) const {
    auto const& attributes = variable(name).numbers;
    auto const found = attributes.find(attribute);
    return found == attributes.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace trotter::app
