// Operator sequences of splittings and nested splittings.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "catch_compat.hpp"

#include <trotter/common/integration/operator_sequence.hpp>

using namespace trotter;

namespace {

/// Operators, with a p where positions are constrained and a c where velocities are.
std::string written(OperatorSequence const& sequence) {
    std::string result;
    for (auto const& each : sequence.operators) {
        result += each.letter;
        if (each.letter == 'V' && sequence.sets.size() > 1) result += std::to_string(each.set);
        if (each.constrains_positions) result += 'p';
        if (each.constrains_velocities) result += 'c';
    }
    return result;
}
double share(OperatorSequence const& sequence, char letter) {
    double sum = 0;
    for (auto const& each : sequence.operators) sum += each.letter == letter ? each.share : 0;
    return sum;
}

}  // namespace

TEST_CASE("A splitting is a sequence of operators with the constraints that it implies") {
    ForceGroups const groups = ForceGroups::only({3});
    OperatorSequence const leapfrog(Splitting{"V R"}, groups), verlet(Splitting{"V R V"}, groups),
        langevin(Splitting{"V R O R"}, groups), bath_first(Splitting{"O V R V O"}, groups);
    CHECK(written(leapfrog) == "VRp");
    CHECK(written(verlet) == "VRpVc");
    CHECK(written(langevin) == "VcRORp");
    CHECK(written(bath_first) == "OVRpVcO");
    CHECK(langevin.sets == std::vector{groups});
    CHECK(langevin.operators.back().drifted == 1);
    CHECK(langevin.draws_of_step == 1);
    CHECK(bath_first.draws_of_step == 2);
    for (auto const* each : {&leapfrog, &verlet, &langevin, &bath_first})
        CHECK((share(*each, 'V') == 1 && share(*each, 'R') == 1));
}
TEST_CASE("A nested splitting is a sequence of operators") {
    OperatorSequence const sequence(NestedSplitting{"V1 (V0 R V0)^2 V1"});
    CHECK(written(sequence) == "V0V1RpcV1RpcV1V0c");  // V0, V1: sets in the order of their first kicks
    CHECK(sequence.sets == std::vector{ForceGroups::only({1}), ForceGroups::only({0})});
    CHECK(sequence.operators[2].drifted == 0.5);
    CHECK(share(sequence, 'V') == 2);
}
TEST_CASE("Kicks with the same forces at the same place add up, but not across constraints") {
    OperatorSequence sequence;
    sequence.add('V', 0.25, 0);
    sequence.add('V', 1, 1);
    sequence.add('V', 0.25, 0);
    CHECK(written(sequence) == "VV");
    CHECK(sequence.operators[0].share == 0.5);
    sequence.constrain_velocities();
    sequence.add('V', 0.5, 1);
    CHECK(written(sequence) == "VVcV");
    sequence.add('R', 1);
    sequence.constrain_positions(1);
    sequence.constrain_velocities();
    sequence.constrain_positions(1);  // a second time becomes a separate operator
    CHECK(written(sequence) == "VVcVRpcCp");
}
