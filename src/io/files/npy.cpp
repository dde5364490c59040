// Writes NumPy's array format, version 1.0: a text header padded to 64 bytes, then the numbers.
// SPDX-License-Identifier: MIT
#include <bit>

#include <trotter/io/file.hpp>
#include <trotter/io/npy.hpp>

namespace trotter {

void write_npy(std::string const& path, std::span<Vec3<double> const> vectors) {
    static_assert(std::endian::native == std::endian::little && sizeof(Vec3<double>) == 3 * sizeof(double));
    std::string description =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(vectors.size()) + ", 3), }";
    description.resize(128 - 10 - 1, ' ');
    description += '\n';

    OutputFile file{path};
    file.write(std::string_view{"\x93NUMPY\x01\x00", 8});
    file.write(std::string{static_cast<char>(description.size()), '\0'});
    file.write(description);
    file.write({reinterpret_cast<char const*>(vectors.data()), vectors.size_bytes()});
    file.commit();
}

}  // namespace trotter
