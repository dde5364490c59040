// A force that a C++ function computes on the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Arguments of a callback.
struct Configuration {
    std::span<Vec3<> const> positions;  ///< of the force's particles, in its order [nm]; never wrapped into the box
    Box const& box;  ///< box vectors [nm]
    GlobalParameters const& parameters;  ///< those that the force declares
    double time;                         ///< [ps]; with variable steps on a device, as last read back
};

/// A force computed by C++ code: a neural network, another program, a bias. `Function` is called as `double energy =
/// function(configuration, forces)`: it returns the energy [kJ/mol] and sets or adds to `forces` [kJ/mol/nm], a
/// `std::span<Vec3<>>` of as many vectors as there are positions, all 0 before the call. It must be copyable and
/// assignable, as structs and `std::function` are and lambdas with captures are not; every Context has a copy. It runs
/// on the thread that uses the Context; exceptions propagate to there. `CallbackForce<>` takes any such function at run
/// time; `AnyContext` supports it.
template <class Function = std::function<double(Configuration const&, std::span<Vec3<>>)>> struct CallbackForce {
    static constexpr std::string_view name = "CallbackForce";  ///< type name, in messages and files

    Function function{};  ///< computes energy and forces
    std::vector<int> particles{};  ///< passed to the function in this order; empty: all
    /// Context parameters that `function` reads, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    bool periodic = false;  ///< the function uses the box
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    static_assert(std::is_invocable_r_v<double, Function&, Configuration const&, std::span<Vec3<>>>,
                  "the function of a CallbackForce is called with a trotter::Configuration and a "
                  "std::span<trotter::Vec3<>> of forces, and returns the energy");
};

}  // namespace trotter
