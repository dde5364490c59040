// Bicubic interpolation in periodic tables of two angles.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter::kernels {

/// Value and derivatives by both angles of map number `map`: `sizes[map]` has its size and its first knot; a knot has
/// the value, the derivatives along both axes and the mixed derivative, in units of the spacing.
inline constexpr char const* cmap = R"(
inline DEVICE coordinate4 cmap(coordinate phi, coordinate psi, coordinate map, GLOBAL const coordinate4* RESTRICT knots, GLOBAL const int2* RESTRICT sizes) {
    const int2 place = sizes[(int) map];
    const coordinate per_radian = place.x*(coordinate) 0.15915494309189535;
    const coordinate2 at = make_coordinate2(phi*per_radian, psi*per_radian);
    const coordinate2 left = make_coordinate2(floor(at.x), floor(at.y));
    int index[2][2];
    coordinate value[2][4], slope[2][4];
    for (int axis = 0; axis < 2; ++axis) {
        const coordinate whole = axis == 0 ? left.x : left.y, t = (axis == 0 ? at.x : at.y) - whole, u = 1 - t;
        const int first = ((int) whole % place.x + place.x) % place.x;
        index[axis][0] = first;
        index[axis][1] = (first + 1) % place.x;
        value[axis][0] = (1 + 2*t)*u*u;
        value[axis][1] = t*u*u;
        value[axis][2] = t*t*(1 + 2*u);
        value[axis][3] = -t*t*u;
        slope[axis][0] = -6*t*u;
        slope[axis][1] = u*(u - 2*t);
        slope[axis][2] = 6*t*u;
        slope[axis][3] = t*(t - 2*u);
    }
    coordinate4 result = make_coordinate4(0, 0, 0, 0);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const coordinate4 knot = knots[place.y + index[0][i] + place.x*index[1][j]];
            const coordinate members[4] = {knot.x, knot.y, knot.z, knot.w};
            for (int m = 0; m < 4; ++m) {
                const int p = 2*i + m%2, q = 2*j + m/2;
                result.x += members[m]*value[0][p]*value[1][q];
                result.y += members[m]*slope[0][p]*value[1][q];
                result.z += members[m]*value[0][p]*slope[1][q];
            }
        }
    return make_coordinate4(result.x, result.y*per_radian, result.z*per_radian, 0);
}
)";

}  // namespace trotter::kernels
