// Values and derivatives of many formulas, for openmm/compare.py: evaluate scalar|simd|opencl <FORMULAS >NUMBERS.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/trotter.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu.hpp>
#endif
#ifdef TROTTER_HAVE_OPENCL
#include <trotter/opencl.hpp>
#endif

using namespace trotter;

namespace {

/// A line of the input: x, y, z, and a formula of them.
struct Task {
    Vec3<> at;
    std::string formula;
};
/// The value, and the derivatives with respect to x, y and z.
using Numbers = std::array<double, 4>;

std::size_t place(std::string const& name) { return static_cast<std::size_t>(name.at(0) - 'x'); }

template <class T> struct OneLane {
    static T spread(double x) { return T(x); }
    static double first(T const& x) {
        if constexpr (requires { x.parts[0]; })
            return x.parts[0].get(0);
        else
            return x;
    }
};

template <class T> Numbers evaluate(Task const& task) {
    RuntimeExpression const formula(task.formula, {"x", "y", "z"});
    Evaluator<T> evaluate(formula);
    std::vector<T> arguments, slopes(formula.names().size());
    for (auto const& name : formula.names()) arguments.push_back(OneLane<T>::spread(task.at[place(name)]));
    Numbers result{OneLane<T>::first(evaluate(arguments.data(), slopes.data()))};
    for (std::size_t n = 0; n < slopes.size(); ++n)
        result[1 + place(formula.names()[n])] = OneLane<T>::first(slopes[n]);
    return result;
}

#ifdef TROTTER_HAVE_OPENCL
/// Each formula is the energy of one particle.
void on_device(std::vector<Task> const& tasks, std::vector<Numbers>& results) {
    System<ForceList<CustomExternalForce>> system;
    std::vector<Vec3<>> positions;
    for (std::size_t n = 0; n < tasks.size(); ++n) {
        system.add_particle(1);
        system.add(CustomExternalForce{.energy = CustomExternalForce::formula(tasks[n].formula),
                                       .affected = {{static_cast<int>(n), {}}}});
        positions.push_back(tasks[n].at);
    }
    Context context{system, VerletIntegrator{.step_size = 0.001}, OpenCl{}, Double{}};
    context.set_positions(positions);
    auto const state = context.state(Energy | Forces);
    auto const energies = context.energies();
    for (std::size_t n = 0; n < tasks.size(); ++n) {
        auto const& force = state.forces[n];
        results.push_back({energies[n], -force.x, -force.y, -force.z});
    }
}
#endif

std::vector<Task> read() {
    std::vector<Task> tasks;
    for (std::string line; std::getline(std::cin, line);) {
        auto& task = tasks.emplace_back();
        std::istringstream text(line);
        std::string number;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            text >> number;
            task.at[axis] = std::stod(number);
        }
        std::getline(text >> std::ws, task.formula);
    }
    return tasks;
}

int run(std::string const& how) {
    auto const tasks = read();
    std::vector<Numbers> results;
    if (how == "scalar")
        for (auto const& task : tasks) results.push_back(evaluate<double>(task));
#ifdef TROTTER_HAVE_CPU
    else if (how == "simd")
        for (auto const& task : tasks) results.push_back(evaluate<cpu::Pack<double, xsimd::default_arch, 1>>(task));
#endif
#ifdef TROTTER_HAVE_OPENCL
    else if (how == "opencl" && !opencl::devices().empty())
        on_device(tasks, results);
#endif
    else
        return 77;
    for (auto const& [value, x, y, z] : results) std::printf("%.17g %.17g %.17g %.17g\n", value, x, y, z);
    return 0;
}

}  // namespace

int main(int count, char** arguments) try {
    return run(count > 1 ? arguments[1] : "scalar");
} catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
