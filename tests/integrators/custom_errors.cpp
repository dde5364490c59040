// Invalid CustomIntegrators and their error messages.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "integrators/custom_helpers.hpp"
#include "io/scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

using Change = void (*)(CustomIntegrator&);

std::string refusal(Change change) {
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.add_global("g", 1);
    integrator.add_per_dof("u", 2);
    change(integrator);
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    return message_of<InputError>([&] { Context(system, integrator, Reference{}, Double{}, 5); });
}
std::string read_refusal(std::string const& attributes, std::string const& children) {
    return message_of<Error>([&] {
        (void)parse_integrator("<Integrator type=\"CustomIntegrator\" stepSize=\".001\" constraintTolerance=\"1e-05\" "
                               "randomSeed=\"0\" kineticEnergyExpression=\"m*v*v/2\" "
                                   + attributes + ">" + children + "</Integrator>",
                               "i.xml");
    });
}

}  // namespace

TEST_CASE("Variables of a custom integrator need names of their own") {
    CHECK(refusal([](auto& i) { i.add_global("u", 1); }) == "CustomIntegrator: two variables have the same name 'u'");
    CHECK(refusal([](auto& i) { i.add_per_dof("g", 1); }) == "CustomIntegrator: two variables have the same name 'g'");
    CHECK(refusal([](auto& i) { i.add_global("", 1); }) == "CustomIntegrator: variable 1 has no name");
    CHECK(refusal([](auto& i) { i.add_global("lambda", 1); })
          == "CustomIntegrator: the variable 'lambda' has the name of a parameter of the Context");
    CHECK(refusal([](auto& i) { i.add_per_dof("f12", 1); })
          == "CustomIntegrator: a variable is called 'f12', which means something else in formulas");
    CHECK(refusal([](auto& i) { i.per_dof[0].values.resize(3); })
          == "CustomIntegrator: the per-DOF variable 'u' has 3 values, expected one for each of the 5 particles, or one "
             "for all");
}

TEST_CASE("Computations of a custom integrator assign to what there is") {
    CHECK(refusal([](auto& i) { i.compute_global("q", "1"); })
          == "CustomIntegrator: computation 0 (q = 1): no single value can be assigned to 'q'; known: dt, g, lambda, mu");
    CHECK(refusal([](auto& i) { i.compute_global("g", "1"), i.compute_sum("u", "1"); })
          == "CustomIntegrator: computation 1 (u = the sum of 1): no single value can be assigned to 'u'; known: dt, g, "
             "lambda, mu");
    CHECK(refusal([](auto& i) { i.compute_per_dof("m", "1"); })
          == "CustomIntegrator: computation 0 (m = 1): no value for each component can be assigned to 'm'; known: x, v, u");
}

TEST_CASE("Formulas of a custom integrator name what there is") {
    CHECK(refusal([](auto& i) { i.compute_global("g", "x+1"); })
          == "CustomIntegrator: computation 0 (g = x+1): 'x' has a value for each component of each particle, expected a "
             "single number here");
    CHECK(refusal([](auto& i) { i.compute_per_dof("v", "v+f01"); })
          == "CustomIntegrator: computation 0 (v = v+f01): unknown name 'f01'; known: dt, energy, energy0, …, uniform, "
             "gaussian, g, lambda, mu, x, v, m, f, f0, …, u");
    CHECK(refusal([](auto& i) { i.compute_global("g", "dot(g,g)"); }).find("unknown function 'dot' at column 1")
          != std::string::npos);
    CHECK(refusal([](auto& i) { i.compute_per_dof("v", "cross(v)"); }).find("'cross' takes 2 arguments, not 1")
          != std::string::npos);
    CHECK(refusal([](auto& i) { i.compute_global("g", "1+deriv(force, mu)"); })
          == "CustomIntegrator: computation 0 (g = 1+deriv(force, mu)): deriv(force, mu) expects energy, energy0, energy1 "
             "… as its first argument");
    CHECK(refusal([](auto& i) { i.compute_global("g", "deriv(energy, g)"); })
          == "CustomIntegrator: computation 0 (g = deriv(energy, g)): deriv(energy, g) expects a parameter of the Context "
             "as its second argument");
    CHECK(refusal([](auto& i) { i.compute_global("g", "2+deriv(energy, 2*mu)"); })
          == "CustomIntegrator: computation 0 (g = 2+deriv(energy, 2*mu)): deriv at column 3 of \"2+deriv(energy, 2*mu)\" "
             "expects an energy and the name of a parameter, such as deriv(energy, lambda)");
    CHECK(refusal([](auto& i) { i.kinetic_energy = "m*w"; }).find("CustomIntegrator: the kinetic energy: unknown name 'w'")
          == 0);
}

TEST_CASE("Blocks of a custom integrator begin, end and compare") {
    CHECK(refusal([](auto& i) { i.begin_if("1 < 2"), i.end_block(), i.end_block(); })
          == "CustomIntegrator: computation 2 ends a block, but none is open there");
    CHECK(refusal([](auto& i) { i.begin_while("g < 2"), i.begin_if("g > 1"), i.end_block(); })
          == "CustomIntegrator: the block that begins with computation 0 (while g < 2) never ends");
    CHECK(refusal([](auto& i) { i.begin_if("g"), i.end_block(); })
          == "CustomIntegrator: computation 0 (if g): the condition \"g\" has no comparison, expected one of = != < <= > >=");
}

TEST_CASE("Variables of a custom integrator are asked for by name") {
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.add_global("g", 1);
    integrator.add_per_dof("u", 2);
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    Context context(system, integrator, Reference{}, Double{}, 5);
    auto& kernel = kernel_of(context);
    CHECK(kernel.per_dof("u").size() == 5);
    CHECK(message_of<InputError>([&] { (void)kernel.global("h"); })
          == "the CustomIntegrator has no global variable 'h'; known: g");
    CHECK(message_of<InputError>([&] { kernel.set_per_dof("w", {}); })
          == "the CustomIntegrator has no per-DOF variable 'w'; known: u");
    CHECK(message_of<InputError>([&] { kernel.set_per_dof("u", {{1, 2, 3}}); })
          == "1 values were given for the per-DOF variable 'u' of a System of 5 particles");
    CHECK(message_of<InputError>([&] {
              context.set_integrator_parameters({{CustomIntegrator::path_of_globals(0) + "h", 1}});
          })
          == "the CustomIntegrator has no global variable 'h'; known: g");
    CHECK(message_of<InputError>([&] {
              context.set_integrator_parameters({{CustomIntegrator::path_of_value(0, "u", 0, 'x'), 1}});
          })
          == "the State has 1 numbers of the per-DOF variable 'u', expected three for each of 5 particles");
}

TEST_CASE("Custom integrators in files that make no sense are refused with their line") {
    std::string const lists = "<GlobalVariables/><PerDofVariables/>", rest = "<Functions/>";
    auto const computation = [](std::string const& type, std::string const& expression) {
        return "<Computations>\n<Computation computationType=\"" + type + "\" computationVariable=\"v\" computationExpression=\""
               + expression + "\"/></Computations>";
    };
    CHECK(read_refusal("version=\"3\"", lists + computation("1", "v+") + rest)
          == "i.xml, line 2, /Integrator/Computations/Computation: the expression ends too early at column 3 of \"v+\"");
    CHECK(read_refusal("version=\"3\"", lists + computation("9", "v") + rest).find("expected an integer from 0 to 8")
          != std::string::npos);
    CHECK(read_refusal("version=\"3\"", lists + computation("6", "v") + rest).find("has no comparison") != std::string::npos);
    CHECK(read_refusal("version=\"2\"", lists + computation("1", "v")).find("Functions") != std::string::npos);
    CHECK(read_refusal("version=\"1\"", lists + computation("1", "v")).empty());
    CHECK(read_refusal("version=\"4\"", lists + computation("1", "v") + rest).find("version 4 is newer than 3") != std::string::npos);
    CHECK(read_refusal("version=\"3\"", "<GlobalVariables/><PerDofVariables><u/></PerDofVariables>" + computation("1", "v") + rest)
              .find("expected a Value for all particles, or one for each")
          != std::string::npos);
    std::string const tables = "<Functions><Function name=\"t\" type=\"Discrete1DFunction\" version=\"1\"><Values><Value v=\"1\"/>"
                               "</Values></Function></Functions>";
    CHECK(read_refusal("version=\"3\"", lists + computation("1", "t(v)") + tables).empty());
    CHECK(read_refusal("version=\"3\"", lists + computation("1", "u(v)") + tables).find("u") != std::string::npos);
}

TEST_CASE("A custom integrator keeps all that it is through a file") {
    for (std::string const name : {"control_flow", "functions", "alternating"}) {
        auto const text = integrator_to_xml(read_integrator(data_file("custom_" + name + ".xml")));
        auto const integrator = std::get<CustomIntegrator>(parse_integrator(text));
        auto const original = std::get<CustomIntegrator>(read_integrator(data_file("custom_" + name + ".xml")));
        CHECK(integrator_to_xml(integrator) == text);
        CHECK(integrator.computations.size() == original.computations.size());
        CHECK(integrator.force_groups == original.force_groups);
        CHECK(integrator.globals.size() == original.globals.size());
        CHECK(integrator.per_dof.size() == original.per_dof.size());
    }
    CustomIntegrator unnameable;
    unnameable.add_per_dof("1st", 0);
    CHECK_THROWS_AS(integrator_to_xml(unnameable), InputError);
}
