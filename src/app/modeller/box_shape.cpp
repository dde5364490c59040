// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <trotter/app/modeller/add_solvent.hpp>
#include <trotter/error.hpp>

namespace trotter::app {

BoxShape box_shape(std::string_view name) {
    if (name == "cube") return BoxShape::cube;
    if (name == "octahedron") return BoxShape::octahedron;
    if (name == "dodecahedron") return BoxShape::dodecahedron;
    throw InputError("unknown shape of box " + std::string(name) + "; known are cube, octahedron, dodecahedron");
}

Box box_of_shape(BoxShape shape, double width) {
    double const root2 = std::numbers::sqrt2;
    switch (shape) {
        case BoxShape::cube:
            break;
        case BoxShape::dodecahedron:
            return {{width, 0, 0}, {0, width, 0}, Vec3<>{0.5, 0.5, 0.5 * root2} * width};
        case BoxShape::octahedron:
            return {{width, 0, 0},
                    Vec3<>{1. / 3, 2 * root2 / 3, 0} * width,
                    Vec3<>{-1. / 3, root2 / 3, std::sqrt(6.) / 3} * width};
    }
    return Box::rectangular(width, width, width);
}

}  // namespace trotter::app
