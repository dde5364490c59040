// `trotter check`: reads and checks the inputs, and says what they hold.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <string>

#include <trotter/forces/nonbonded_parameters.hpp>

#include "commands.hpp"
#include "exit_status.hpp"
#include "inputs.hpp"
#include "report.hpp"

namespace trotter::program {
namespace {

std::string_view method_name(NonbondedForce::Method method) {
    static constexpr std::array names{"no cutoff", "cutoff", "periodic cutoff", "Ewald", "PME", "LJPME"};
    return names[static_cast<std::size_t>(method)];
}

std::string mesh_text(char const* what, NonbondedForce::Mesh const& mesh) {
    return fmt::format(", {} alpha {:.6g}/nm, mesh {} x {} x {}", what, mesh.alpha, mesh.nx, mesh.ny, mesh.nz);
}

std::string details(NonbondedForce const& force, Box const& box) {
    using Method = NonbondedForce::Method;
    auto text = fmt::format("{} particles, {} exceptions, {}", force.particles.size(), force.exceptions.size(),
                            method_name(force.method));
    if (force.uses_cutoff()) text += fmt::format(", cutoff {:.6g} nm", force.cutoff_distance);
    if (auto const switched = switching(force)) text += fmt::format(", switched from {:.6g} nm", switched->start);
    if (force.method == Method::ewald) {
        auto const [alpha, limit] = ewald_splitting(force, box);
        text += fmt::format(", alpha {:.6g}/nm, waves {} x {} x {}", alpha, limit[0], limit[1], limit[2]);
    }
    if (force.method == Method::pme || force.method == Method::ljpme)
        text += mesh_text("charges", pme_mesh(force, box));
    if (force.method == Method::ljpme) text += mesh_text("dispersion", ljpme_mesh(force, box));
    return text;
}

std::string details(GBSAOBCForce const& force, Box const&) {
    auto text = fmt::format("{} particles", force.particles.size());
    if (force.uses_cutoff()) text += fmt::format(", cutoff {:.6g} nm", force.cutoff_distance);
    return text;
}

template <class F> std::string details(F const& force, Box const&) {
    if constexpr (requires { (force.*F::terms).size(); })
        return fmt::format("{} terms", (force.*F::terms).size());
    else if constexpr (requires { force.frequency; })
        return fmt::format("frequency {}", force.frequency);
    else
        return {};
}

std::string forces_text(StandardSystem const& system) {
    std::string text;
    system.for_each_force([&]<class F>(int index, F const& force) {
        text +=
            fmt::format("  {:>2} {} (group {}): {}\n", index, F::name, force.force_group, details(force, system.box));
    });
    return text;
}

std::string box_text(Box const& box) {
    if (box.is_rectangular()) return fmt::format("{:.6g} x {:.6g} x {:.6g} nm", box.a.x, box.b.y, box.c.z);
    return fmt::format("({:.6g} 0 0) ({:.6g} {:.6g} 0) ({:.6g} {:.6g} {:.6g}) nm", box.a.x, box.b.x, box.b.y, box.c.x,
                       box.c.y, box.c.z);
}

double peak_memory_in_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int check(Options const& options) {
    auto inputs = read_inputs(options, {});
    auto context = make_context(inputs, options);
    if (inputs.state) context.evaluate({});
    auto const& particles = inputs.system.particles;
    auto const& platform = context.platform();
    std::string text =
        fmt::format("particles            {} ({} virtual sites)\n", particles.count(), particles.virtual_sites.size());
    text += fmt::format("constraints          {}\n", particles.constraints.size());
    text += fmt::format("degrees of freedom   {}\n", context.degrees_of_freedom());
    text += fmt::format("molecules            {}\n", context.molecules().size());
    text += fmt::format("mass                 {:.6g} amu\n", inputs.total_mass());
    text += fmt::format("box                  {}\n", inputs.is_periodic() ? box_text(context.box()) : "not periodic");
    if (!options.integrator.empty())
        text +=
            std::visit([](auto const& integrator) { return fmt::format("integrator           {}\n", integrator.name); },
                       inputs.integrator);
    text += fmt::format("forces               {}\n{}", inputs.system.force_count(), forces_text(inputs.system));
    text += fmt::format("platform             {}, {} precision\n", platform.platform, platform.precision);
    text += fmt::format("device               {}\n", platform.device);
    text += fmt::format("memory               {:.0f} MiB at most so far\n", peak_memory_in_mebibytes());
    print(text);
    return done;
}

}  // namespace trotter::program
