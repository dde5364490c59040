// The trotter program for any list of forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/any_replicas.hpp>
#include <trotter/compiled_contexts.hpp>
#include <trotter/io/system.hpp>
#include <trotter/system.hpp>

namespace trotter {
namespace program {

/// A force in results.
struct ForceName {
    std::string type{}, label{};  ///< type name and label
    int group = 0;  ///< force group
};

/// A type-erased System with any list of forces, for the program.
struct AnySystem {
    std::shared_ptr<Particles const> particles{};  ///< of the System, with constraints and virtual sites
    std::vector<ForceName> forces{};  ///< in the order of the System
    bool is_periodic = false;  ///< whether a force needs periodic box vectors
    std::function<std::vector<std::string>()> details{};  ///< of each force, for `trotter check`
    std::function<void(std::string const& path)> write{};  ///< writes the System to a file; throws OutputError
    /// Throws as the constructor of AnyContext.
    std::function<AnyContext(AnyIntegrator const&, BackendChoice const&)> make_context{};
    /// Throws as the constructor of AnyReplicas.
    std::function<AnyReplicas(AnyIntegrator const&, BackendChoice const&, int count)> make_replicas{};
};

/// The System type of the program: its parser, and the Contexts compiled for it.
struct KnownForces {
    AnySystem (*parse)(std::string text, std::string const& name);  ///< of a System file; throws InputError
    std::span<CompiledContext const> compiled{};  ///< Contexts of this list of forces
};

/// A short description of a force.
std::string details(NonbondedForce const& force, Box const& box);
std::string cutoff_text(double cutoff);  ///< in nm, as a part of a sentence
/// The same for a force of any other type.
template <class F> std::string details(F const& force, Box const&) {
    if constexpr (requires { (force.*F::terms).size(); })
        return std::to_string((force.*F::terms).size()) + " terms";
    else if constexpr (requires { std::to_string(force.frequency); })
        return "frequency " + std::to_string(force.frequency);
    else if constexpr (requires { force.donors.size() + force.acceptors.size(); })
        return std::to_string(force.donors.size()) + " donors, " + std::to_string(force.acceptors.size()) + " acceptors";
    else if constexpr (requires { force.particles.size(); }) {
        auto text = force.particles.empty() ? "all particles" : std::to_string(force.particles.size()) + " particles";
        if constexpr (requires { force.uses_cutoff(); })
            if (force.uses_cutoff()) text += cutoff_text(force.cutoff_distance);
        return text;
    } else
        return {};
}

/// Parses a System whose forces are in `List`. Throws InputError.
template <class List> AnySystem parse_any_system(std::string text, std::string const& name) {
    auto const system = std::make_shared<System<List> const>(parse_system<List>(std::move(text), name));
    AnySystem result{.particles = {system, &system->particles}, .is_periodic = is_periodic(*system)};
    system->for_each_force([&]<class F>(int, F const& force) {
        result.forces.push_back({std::string(F::name), std::string(F::name), force.force_group});
        if constexpr (requires { force.label; }) result.forces.back().label = force.label;
    });
    result.details = [system] {
        std::vector<std::string> texts;
        system->for_each_force([&](int, auto const& force) { texts.push_back(details(force, system->box)); });
        return texts;
    };
    result.write = [system](std::string const& path) { write_system(path, *system); };
    result.make_context = [system](AnyIntegrator const& integrator, BackendChoice const& choice) {
        return AnyContext(*system, integrator, choice);
    };
    result.make_replicas = [system](AnyIntegrator const& integrator, BackendChoice const& choice, int count) {
        return AnyReplicas(*system, integrator, choice, count);
    };
    return result;
}

/// Carries out the command line; returns the exit status.
int run_command_line(int argc, char const* const* argv, KnownForces const& forces);

}  // namespace program

/// The trotter program for Systems whose forces are in this list: your `main` only needs
/// `return run_program<MyForces>(argc, argv);`. The file also includes `<trotter/contexts.hpp>`, and links
/// `Trotter::program`. To read and write a force, see `<trotter/io/system.hpp>`.
template <class List> int run_program(int argc, char const* const* argv) {
    return program::run_command_line(argc, argv, {&program::parse_any_system<List>, compiled_contexts<List>()});
}

}  // namespace trotter
