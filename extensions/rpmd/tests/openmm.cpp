// Trajectories without thermostat against those of OpenMM 8.6.1's Reference platform.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "rings.hpp"

#include <map>
#include <utility>
#include <vector>

using namespace trotter;
using namespace trotter::rpmd;

namespace {

/// A bond with a virtual site, an anharmonic potential in group 3, nonbonded interactions in group 1, a frozen
/// particle.
TestSystem small_system() {
    auto system = in_potential(5, 0, "400*x^2+300*(y-0.1)^4+250*z^2", 3);
    system.particles.masses = {2, 3, 0, 1, 0};
    system.set_virtual_site(2, TwoParticleAverageSite{0, 1, 0.3, 0.7});
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 30000}}});
    system.add(NonbondedForce{
        .particles = {{0.2, 0.25, 0.5}, {0.1, 0.2, 0.3}, {-0.3, 0.1, 0}, {0.4, 0.2, 0.2}, {-0.4, 0.2, 0.4}},
        .exceptions = {{0, 1}, {0, 2}, {1, 2}},
        .force_group = 1});
    return system;
}

/// Positions of particles 0, 2, 3 and velocities of particles 1 and 3 after 100 steps, in one copy.
struct Sample {
    int copy;
    Vectors positions, velocities;
};
struct Trajectory {
    std::map<int, int> contractions;
    double total_energy;
    std::vector<Sample> samples;
};
std::vector<Trajectory> const by_openmm{{{},
                                         2700.0937388242396,
                                         {{0,
                                           {{-0.010922121876613101, -0.024633368356481614, 0.010384422704177847},
                                            {-0.002928454045140027, 0.03637406500916543, 0.009094558207136972},
                                            {0.21118701408458607, 0.17247881454470543, 0.007570382802978867}},
                                           {{-3.402450621610095, -0.7812880832057348, 1.0190287258086688},
                                            {1.8176220055163361, 4.646589327193088, 0.7027543275253716}}},
                                          {3,
                                           {{-0.007918556260168652, -0.02692613032878367, 0.013603662687366186},
                                            {-0.003037745660274863, 0.03496451901952749, 0.010594719439608751},
                                            {0.21066525207564887, 0.17659910480068927, 0.004637097728563434}},
                                           {{-3.4296857295753505, -0.8267225489502288, 0.9673717458487426},
                                            {2.0550156357677944, 4.5346849247736465, 0.81526582208209}}}}},
                                        {{{1, 2}, {3, 3}},
                                         2700.085002434696,
                                         {{0,
                                           {{-0.01093251361329757, -0.024749141368128474, 0.010395944261272513},
                                            {-0.0032187668515379643, 0.036393645609669886, 0.00901141778419202},
                                            {0.21206741962283626, 0.17247967185323326, 0.007753856109591621}},
                                           {{-3.2062189081312313, -0.7300279690638297, 1.038073390169628},
                                            {1.2981978359680921, 4.517335924413535, 0.6742151321888175}}},
                                          {3,
                                           {{-0.007984456367708823, -0.027008760710190895, 0.013558777825054921},
                                            {-0.0032116718145844183, 0.03489287322713531, 0.010606333694564025},
                                            {0.21111012201157284, 0.17697338005770327, 0.004410262536357671}},
                                           {{-3.155837821497531, -0.7169883133829619, 0.9632923995816914},
                                            {1.302671881869785, 4.231287039891364, 0.8710277975114077}}}}}};

/// OpenMM has Planck's constant of CODATA 2006; springs depend on the ratio of temperature and constant.
double const temperature = 300 * constants::reduced_planck / (1.054571628e-34 * constants::avogadro * 1e9);

}  // namespace

TEST_CASE("rings follow OpenMM's trajectories", "[rpmd]") {
    Vectors const places{{0, 0, 0}, {0.06, 0.08, 0}, {}, {0.4, 0.1, 0}, {0.8, 0.8, 0.8}};
    for (auto const& [contractions, total_energy, samples] : by_openmm) {
        auto ring = ring_of(small_system(),
                            RPMDIntegrator{.copies = 5,
                                           .temperature = temperature,
                                           .friction = 1,
                                           .step_size = 0.5 * fs,
                                           .apply_thermostat = false,
                                           .contractions = contractions},
                            places);
        ring.step(100);
        CHECK(ring.total_energy() == Approx(total_energy).epsilon(1e-10));
        for (auto const& [copy, positions, velocities] : samples) {
            auto const found = ring.state(copy, Positions | Velocities);
            CHECK(largest_difference({{found.positions[0], found.positions[2], found.positions[3]}}, {positions})
                  < 1e-11);
            CHECK(largest_difference({{found.velocities[1], found.velocities[3]}}, {velocities}) < 1e-8);
        }
    }
}
