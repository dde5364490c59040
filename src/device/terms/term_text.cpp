// Generates source that evaluates one bonded term.
// SPDX-License-Identifier: MIT
#include <trotter/device/terms/term_text.hpp>

#include <string>
#include <vector>

#include <trotter/device/text/table_text.hpp>

namespace trotter::device {

Vec3<Traced> TracedGeometry::nearest_image(Vec3<Traced> const& d) const {
    std::string const vector =
        "make_coordinate3(" + d.x.name(statements) + ", " + d.y.name(statements) + ", " + d.z.name(statements) + ')';
    return components(statements.name("nearest_image(" + vector + ", box)", "3"));
}
void TracedGeometry::look_up(Tables const& tables, int table, std::span<Traced const* const> operands,
                             std::span<Traced* const> results) const {
    std::vector<std::string> texts;
    for (auto const* operand : operands) texts.push_back(operand->name(statements));
    auto const& vector =
        statements.name(table_call(tables.shape(static_cast<std::size_t>(table)), "coordinate", "TABLES", texts), "4");
    for (std::size_t n = 0; n < results.size(); ++n)
        if (results[n]) *results[n] = {statements, vector + '.' + "xyzw"[n]};
}
Vec3<Traced> TracedGeometry::operator()(int i, int j) const {
    std::string const d = 'x' + std::to_string(i + 1) + " - x" + std::to_string(j + 1);
    return components(statements.name(is_periodic ? "nearest_image(" + d + ", box)" : d, "3"));
}
Vec3<Traced> TracedGeometry::components(std::string const& of) const {
    return {{statements, of + ".x"}, {statements, of + ".y"}, {statements, of + ".z"}};
}

std::string user_term_text(std::string const& text, int particles) {
    std::string before, after;
    for (int p = 1; p <= particles; ++p) {
        std::string const n = std::to_string(p);
        before += "const real4 pos" + n + " = make_real4((real) x" + n + ".x, (real) x" + n + ".y, (real) x" + n
                  + ".z, 0);\n";
        after += "add_force(forces, atom" + n + ", trimTo3(force" + n + "));\n";
    }
    return before + text + '\n' + after;
}

}  // namespace trotter::device
