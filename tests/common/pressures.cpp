// Current pressures and stresses of all barostats against OpenMM's, with constraints, virtual sites and frozen
// particles.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catch_compat.hpp"
#include "folder.hpp"

#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/reference.hpp>

using namespace trotter;

namespace {

using Numbers = std::vector<double>;

std::filesystem::path host_data_file(std::string const& name) {
    return std::filesystem::path(tests_folder()) / "common" / "data" / name;
}

/// Reference data written by common/data/make_pressures.py: a line for each barostat.
std::vector<Numbers> expected_pressures(std::string const& name) {
    std::ifstream in(host_data_file("pressures_" + name + ".txt"));
    std::vector<Numbers> result;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        Numbers& numbers = result.emplace_back();
        for (double number = 0; words >> number;) numbers.push_back(number);
    }
    return result;
}

/// Trotter's values: one number, three, or the six of the flexible barostat's stress tensor.
std::vector<Numbers> pressures(std::string const& name) {
    auto const system = read_system<StandardForces>(host_data_file("pressures_" + name + "_system.xml"));
    Context context(system, VerletIntegrator{.step_size = 0.0005}, Reference{}, Double{});
    context.set_state(read_state(host_data_file("pressures_" + name + "_state.xml")));
    auto evaluate = [&](Request const& request) { return context.evaluate(request); };
    std::vector<Numbers> result;
    context.for_each_kernel([&](int, auto& kernel) {
        auto& engine = context.engine();
        if constexpr (requires { kernel.stress_tensor(engine, evaluate); }) {
            auto const stress = kernel.stress_tensor(engine, evaluate);
            result.emplace_back(stress.begin(), stress.end());
            CHECK(kernel.current_pressure(engine, evaluate) == Approx((stress[0] + stress[1] + stress[2]) / 3));
        } else if constexpr (requires { kernel.current_pressure(engine, evaluate).x; }) {
            Vec3<> const p = kernel.current_pressure(engine, evaluate);
            result.push_back({p.x, p.y, p.z});
        } else if constexpr (requires { kernel.current_pressure(engine, evaluate); }) {
            result.push_back({kernel.current_pressure(engine, evaluate)});
        }
    });
    return result;
}

}  // namespace

TEST_CASE("Present pressures are OpenMM's") {
    for (std::string const name : {"sites", "triclinic"}) {
        auto const expected = expected_pressures(name), found = pressures(name);
        REQUIRE(found.size() == 8);
        REQUIRE(expected.size() == 8);
        for (std::size_t n = 0; n < 8; ++n) {
            CAPTURE(name, n);
            REQUIRE(found[n].size() == expected[n].size());
            for (std::size_t i = 0; i < found[n].size(); ++i) CHECK(found[n][i] == Approx(expected[n][i]).epsilon(1e-7));
        }
    }
}
