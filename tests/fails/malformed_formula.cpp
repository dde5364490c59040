// A malformed formula: the error names the problem and its column.
// SPDX-License-Identifier: MIT
// expect: expression::Malformed::parenthesis_is_never_closed, 5>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

struct SpringForce {
    static constexpr std::string_view name = "SpringForce";
    struct Spring {
        int particle1 = 0, particle2 = 0;
        double length = 0, k = 0;
    };
    std::vector<Spring> springs;
    int force_group = 0;

    static constexpr auto terms = &SpringForce::springs;
    static constexpr auto particles = std::tuple{&Spring::particle1, &Spring::particle2};
    static constexpr auto variables = std::tuple{trotter::Distance{"r", {0, 1}}};
    static constexpr auto fields = std::tuple{trotter::Field{"length", "d", &Spring::length}, trotter::Field{"k", "k", &Spring::k}};
    static constexpr trotter::Expression<"k/2*(r - length"> energy{};
};

int main() {
    trotter::System<trotter::ForceList<SpringForce>> system;
    trotter::Context context{system, trotter::VerletIntegrator{.step_size = 0.001}, trotter::Reference{}, trotter::Double{}};
    context.step(1);
}
