// Tabulated functions: polynomials between grid values, and discrete values at the nearest integers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

namespace trotter::kernels {

/// Value and derivatives by up to three arguments of a table whose values begin at `table`, in the format of
/// trotter/tables/tables.hpp. NUMBER is the number type.
inline constexpr char const* number_tables = R"(
// The nearest of the integers below `size`.
inline DEVICE int NUMBER_index(NUMBER x, int size) {
    return x > 0 ? (int) fmin(floor(x + (NUMBER) 0.5), (NUMBER) (size - 1)) : 0;
}
inline DEVICE NUMBER4 NUMBER_discrete(GLOBAL const NUMBER4* table, int index) {
    return make_NUMBER4(((GLOBAL const NUMBER*) table)[index], 0, 0, 0);
}
inline DEVICE NUMBER4 NUMBER_continuous(GLOBAL const NUMBER4* table, int arguments, int periodic, int nx, int ny, int nz,
                                        NUMBER x, NUMBER y, NUMBER z) {
    const NUMBER at[3] = {x, y, z};
    const int sizes[3] = {nx, ny, nz};
    int cell[3] = {0, 0, 0};
    NUMBER t[3] = {0, 0, 0}, scale[3] = {0, 0, 0};
    bool is_inside = true;
    for (int n = 0; n < arguments; ++n) {
        const NUMBER4 range = table[n];
        const NUMBER cells = sizes[n] - 1;
        NUMBER u = (at[n] - range.x)*range.z;
        if (periodic) u -= cells*floor(u/cells);
        else is_inside = is_inside && !(at[n] < range.x || at[n] > range.y);
        cell[n] = u > 0 ? (int) fmin(u, cells - 1) : 0;
        t[n] = u - cell[n];
        scale[n] = range.z;
    }
    NUMBER4 result = make_NUMBER4(0, 0, 0, 0);
    if (!is_inside) return result;
    NUMBER hermite[3][4], slope[3][4];
    for (int n = 1; n < 3; ++n) {
        const NUMBER s = t[n], u = 1 - s;
        hermite[n][0] = (1 + 2*s)*u*u;
        hermite[n][1] = s*u*u;
        hermite[n][2] = s*s*(1 + 2*u);
        hermite[n][3] = -s*s*u;
        slope[n][0] = -6*s*u;
        slope[n][1] = u*(u - 2*s);
        slope[n][2] = 6*s*u;
        slope[n][3] = s*(s - 2*u);
    }
    const int members = 1 << (arguments - 1);
    for (int k = 0; k < (arguments > 2 ? 2 : 1); ++k)
        for (int j = 0; j < (arguments > 1 ? 2 : 1); ++j) {
            const int line = (cell[2] + k)*ny + cell[1] + j;
            GLOBAL const NUMBER4* place = table + arguments + members*(line*(nx - 1) + cell[0]);
            for (int m = 0; m < members; ++m) {
                const NUMBER4 c = place[m];
                const int q = 2*j + m%2, r = 2*k + m/2;
                const NUMBER along_x = c.x + t[0]*(c.y + t[0]*(c.z + t[0]*c.w));
                result.x += along_x*hermite[1][q]*hermite[2][r];
                result.y += (c.y + t[0]*(2*c.z + t[0]*3*c.w))*hermite[1][q]*hermite[2][r];
                result.z += along_x*slope[1][q]*hermite[2][r];
                result.w += along_x*hermite[1][q]*slope[2][r];
            }
        }
    return make_NUMBER4(result.x, result.y*scale[0], result.z*scale[1], result.w*scale[2]);
}
)";

/// The source for numbers of this type, `real` or `coordinate`.
inline std::string tables(std::string const& type) {
    std::string text = number_tables;
    for (std::size_t at = text.find("NUMBER"); at != std::string::npos; at = text.find("NUMBER", at)) text.replace(at, 6, type);
    return text;
}

}  // namespace trotter::kernels
