// Deterministic integrators against results of OpenMM 8.6.1's Reference platform: three particles and two springs.
// SPDX-License-Identifier: MIT
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"

#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/verlet.hpp>

using namespace trotter;

namespace {

using Vectors = std::vector<Vec3<>>;

void pull(HostState& host, std::size_t i, std::size_t j, double k) {
    Vec3<> const d = host.positions[j] - host.positions[i];
    Vec3<> const force = d * (k * (norm(d) - 0.1) / norm(d));
    host.forces[i] += force;
    host.forces[j] -= force;
}
double chain_springs(HostState& host) {
    pull(host, 0, 1, 100000);
    pull(host, 1, 2, 50000);
    return 0;
}

template <class I> TestSimulation<I> make_chain(I const& integrator) {
    TestSimulation<I> simulation({.masses = {10, 12, 1}}, integrator, chain_springs);
    simulation.host().positions = {{0, 0, 0}, {.12, 0.01, 0}, {.13, .11, .02}};
    simulation.host().velocities = {{1, .2, 0.01}, {.3, -.5, .1}, {0.02, .7, .2}};
    return simulation;
}
template <class S>
void check(S& simulation, Vectors const& positions, Vectors const& velocities, double kinetic_energy) {
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(norm(simulation.host().positions[i] - positions[i]) < 1e-13);
        CHECK(norm(simulation.host().velocities[i] - velocities[i]) < 1e-11);
    }
    CHECK(simulation.kinetic_energy() == Approx(kinetic_energy).epsilon(1e-12));
}

}  // namespace

TEST_CASE("Verlet after 50 steps") {
    auto chain = make_chain(VerletIntegrator{.step_size = 0.001});
    chain.step(50);
    check(chain,
          {{0.035966720670564223, 0.014479755576478976, -0.00081557300052421109},
           {0.14678462760888308, -0.013187448437780958, 0.0071688627606925738},
           {0.12991726198775616, 0.078451825488582094, 0.017129376876931373}},
          {{1.7352856906972316, -0.092980723620449471, 0.083941018632095785},
           {-0.28857197658463396, -0.2474152597578671, 0.049331043685485465},
           {-0.26999318795661864, 0.5987903532989336, 0.068617289453211383}},
          17.816469847142496);
}

TEST_CASE("LangevinMiddle at 0 K after 50 steps") {
    auto chain = make_chain(LangevinMiddleIntegrator{.temperature = 0, .friction = 5, .step_size = 0.001});
    chain.step(50);
    check(chain,
          {{0.032660725142996685, 0.012750113527307856, -0.00069438095019499102},
           {0.14301703439922045, -0.010514509529341676, 0.0063170712321989082},
           {0.12973625799791441, 0.082681191757352307, 0.017498858043594547}},
          {{1.4516873428180281, -0.059057091063515803, 0.064083179451797589},
           {-0.31121279012131003, -0.21103806362184363, 0.037653035242882667},
           {-0.1750532812920183, 0.55298508996164619, 0.075532957174540283}},
          11.602872666845371);
}

TEST_CASE("VariableVerlet after 50 steps, and up to a time") {
    auto chain = make_chain(VariableVerletIntegrator{.error_tolerance = 1e-5});
    chain.step(50);
    CHECK(chain.host().time == Approx(0.017349922939135343).epsilon(1e-13));
    CHECK(chain.kernel.integrator().step_size == Approx(0.0002905749514342583).epsilon(1e-12));
    check(chain,
          {{0.031485783539530576, 0.0045365789790372257, 0.00018300604358158912},
           {0.11365241560319317, 0.0027261768533935948, 0.002172175171048325},
           {0.12761912779740614, 0.094665342269757743, 0.018128721920307407}},
          {{1.435327872085197, 0.27572077219357594, -0.00011029852870182512},
           {-0.051859650083454681, -0.42909536535240006, 0.13527034341221017},
           {-0.11096291985012621, -0.90806333770698355, -0.12214113565946912}},
          11.943826450733551);
    auto evaluate = [&](Request const&) { return chain.evaluate(); };
    while (chain.host().time < 0.05) chain.kernel.step_towards(0.05, chain.host(), evaluate);
    CHECK(chain.host().time == 0.05);
    CHECK(chain.kernel.integrator().step_size == Approx(0.000194718920609592).epsilon(1e-12));
    check(chain,
          {{0.035556585492262295, 0.014529540782051625, -0.00083355049947615863},
           {0.14711879174839201, -0.013216180038662982, 0.0071841317248794098},
           {0.13000864409673907, 0.078298752643432959, 0.017125924296208173}},
          {{1.7021785958486195, -0.08545474952259785, 0.081848691401327417},
           {-0.259500408113644, -0.25785945445062292, 0.050683137512132194},
           {-0.28778106112068386, 0.6488609486331044, 0.073315435841090543}},
          15.936117241951521);
}

TEST_CASE("VariableLangevin at 0 K after 50 steps") {
    auto chain = make_chain(VariableLangevinIntegrator{.temperature = 0, .friction = 3, .error_tolerance = 1e-5});
    chain.step(50);
    CHECK(chain.host().time == Approx(0.01736330196580572).epsilon(1e-13));
    check(chain,
          {{0.031094958767090147, 0.0044597565723621738, 0.00017810957926120565},
           {0.11348780801510136, 0.0028936531373735253, 0.0021218899076270192},
           {0.12763115777077033, 0.09484646319503752, 0.018134467785344839}},
          {{1.3698508863072063, 0.26272107924533866, -0.00019928619692744615},
           {-0.055285933521467163, -0.40757171799635006, 0.12860761693330106},
           {-0.10638091275123378, -0.86885379386933026, -0.11743326060663428}},
          10.856947674497967);
}

TEST_CASE("Brownian at 0 K after 50 steps") {
    auto chain = make_chain(BrownianIntegrator{.temperature = 0, .friction = 100, .step_size = 0.0005});
    chain.step(50);
    check(chain,
          {{0.011044323443414984, 0.00093808362112839658, 3.5744539516936253e-06},
           {0.11084272846902846, 0.0095563907724322637, 6.443631596905488e-05},
           {0.12944402393750859, 0.10594247451952878, 0.019191019668854409}},
          {{0.01862356827353473, 0.0016082357394160002, 1.1348917637919671e-05},
           {-0.015429683270146155, -0.0008738763933729965, 8.3078429406041859e-05},
           {-0.0010794834934824138, -0.0055958406736666966, -0.0011104303292500117}},
          0.0031970492443994516);
}

TEST_CASE("Nose-Hoover with a pair and a single particle after 50 steps") {
    NoseHooverIntegrator::Chain const chain_of{.temperature = 300,
                                               .collision_frequency = 25,
                                               .relative_temperature = 20,
                                               .relative_collision_frequency = 50,
                                               .chain_length = 4,
                                               .multiple_time_steps = 2,
                                               .yoshida_suzuki_steps = 5,
                                               .particles = {2},
                                               .pairs = {{0, 1}}};
    auto chain = make_chain(NoseHooverIntegrator{.chains = {chain_of}, .step_size = 0.001});
    chain.step(50);
    // The kinetic energy reported by OpenMM omits the relative motion of pairs.
    Vec3<> const relative = chain.host().velocities[0] - chain.host().velocities[1];
    check(chain,
          {{0.043389046454999441, -0.003562507552720163, 0.003337111745853963},
           {0.1468099857040934, -0.00083840224807657754, 0.0041131036454609866},
           {0.125953212961043, 0.093589017800117316, 0.020042950025020954}},
          {{0.81588031055867372, -0.16315766851259828, 0.089753953590550786},
           {0.87253506930152291, -0.29663165432855332, 0.076413638089531},
           {-0.35811648150779635, 0.76423622841952588, 0.19773331095152971}},
          8.950440365894883 + 0.5 * 120 / 22 * dot(relative, relative));
}
