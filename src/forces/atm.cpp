// The standard energy of the alchemical transfer method.
// SPDX-License-Identifier: MIT
#include <trotter/forces/atm.hpp>

#include <cmath>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace trotter {

// ln(1 + exp(x)) = max(x, 0) + ln(1 + exp(-|x|)), where no exponential overflows.
RuntimeExpression alchemical_transfer_formula() {
    return RuntimeExpression(
        "select(step(Direction), u0, u1) + select(Lambda2-Lambda1, ((Lambda2-Lambda1)/Alpha)*softplus, 0)"
        " + Lambda2*usc + W0;"
        " softplus = max(x, 0) + log(1+exp(-abs(x))); x = -Alpha*(usc-Uh);"
        " usc = select(Acore, select(step(u-Ubcore), Ubcore + (Umax-Ubcore)*fsc, u), u);"
        " fsc = (z^Acore-1)/(z^Acore+1); z = 1 + 2*(y/Acore) + 2*(y/Acore)^2; y = (u-Ubcore)/(Umax-Ubcore);"
        " u = select(step(Direction), 1, -1)*(u1-u0)");
}

std::vector<GlobalParameter> alchemical_transfer_parameters(AlchemicalTransfer const& transfer) {
    std::vector<GlobalParameter> const result{
        {"Lambda1", transfer.lambda1}, {"Lambda2", transfer.lambda2}, {"Alpha", transfer.alpha},
        {"Uh", transfer.uh},           {"W0", transfer.w0},           {"Umax", transfer.umax},
        {"Ubcore", transfer.ubcore},   {"Acore", transfer.acore},     {"Direction", transfer.direction}};
    for (auto const& [name, value] : result)
        if (!std::isfinite(value)) throw InputError("ATMForce: " + name + " is not a finite number");
    auto const refuse = [](std::string const& name, double value, std::string const& expected) {
        throw InputError("ATMForce: " + name + " is " + std::to_string(value) + ", expected " + expected);
    };
    for (auto const& [name, value] : {result[2], result[7]})
        if (value < 0) refuse(name, value, "a number that is not negative");
    if (transfer.umax < transfer.ubcore)
        refuse("Umax", transfer.umax, "no less than Ubcore, which is " + std::to_string(transfer.ubcore));
    if (transfer.direction != 1 && transfer.direction != -1) refuse("Direction", transfer.direction, "1 or -1");
    return result;
}

}  // namespace trotter
