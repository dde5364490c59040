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

/// What a function that computes a force is given.
struct Configuration {
    std::span<Vec3<> const> positions;  ///< of the force's particles, in its order [nm]; never wrapped into the box
    Box const& box;  ///< box vectors [nm]
    GlobalParameters const& parameters;  ///< those that the force declares
    double time;                         ///< [ps]; on a device that chooses its steps, that of the last look at it
};

/// Whatever C++ can compute: a neural network, another program, a bias. `Function` is called as
/// `double energy = function(configuration, forces)`: it returns the energy [kJ/mol] and sets or adds to `forces`
/// [kJ/mol/nm], a `std::span<Vec3<>>` of as many vectors as there are positions, all 0 before the call. It must be
/// copyable and assignable, as structs and `std::function` are and lambdas with captures are not; every Context has a
/// copy. It is called by the thread that uses the Context; what it throws goes through to there. `CallbackForce<>` takes
/// any such function while the program runs; an `AnyContext` has it.
template <class Function = std::function<double(Configuration const&, std::span<Vec3<>>)>> struct CallbackForce {
    static constexpr std::string_view name = "CallbackForce";  ///< type name, in messages and files

    Function function{};  ///< computes energy and forces
    std::vector<int> particles{};  ///< that the function sees, in this order; empty: all
    /// Context parameters that `function` reads, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    bool periodic = false;  ///< the function looks at the box
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    static_assert(std::is_invocable_r_v<double, Function&, Configuration const&, std::span<Vec3<>>>,
                  "the function of a CallbackForce is called with a trotter::Configuration and a "
                  "std::span<trotter::Vec3<>> of forces, and returns the energy");
};

}  // namespace trotter
