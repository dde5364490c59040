// `trotter check`: reads, checks and summarizes the inputs.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>

#include <string>

#include <trotter/error.hpp>

#include "commands.hpp"
#include "evaluation.hpp"
#include "program/exit_status.hpp"
#include "program/input/inputs.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

std::string forces_text(AnySystem const& system) {
    std::string text;
    auto const details = system.details();
    for (std::size_t i = 0; i < details.size(); ++i)
        text += fmt::format("  {:>2} {} (group {}): {}\n", i, system.forces[i].type, system.forces[i].group,
                            details[i]);
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

int check(Options const& options, KnownForces const& forces) {
    auto inputs = read_inputs(options, forces, {});
    auto context = make_context(inputs, options);
    if (inputs.state) finite_energy<InputError>(context, options.state);
    auto const& particles = *inputs.system.particles;
    auto const& platform = context.platform();
    std::string text =
        fmt::format("particles            {} ({} virtual sites)\n", particles.count(), particles.virtual_sites.size());
    text += fmt::format("constraints          {}\n", particles.constraints.size());
    text += fmt::format("degrees of freedom   {}\n", context.degrees_of_freedom());
    text += fmt::format("molecules            {}\n", context.molecules().size());
    text += fmt::format("mass                 {:.6g} amu\n", inputs.total_mass());
    text += fmt::format("box                  {}\n",
                        inputs.system.is_periodic ? box_text(context.box()) : "not periodic");
    if (!options.integrator.empty())
        text +=
            std::visit([](auto const& integrator) { return fmt::format("integrator           {}\n", integrator.name); },
                       inputs.integrator);
    text += fmt::format("forces               {}\n{}", inputs.system.forces.size(), forces_text(inputs.system));
    text += fmt::format("platform             {}, {} precision\n", platform.platform, platform.precision);
    text += fmt::format("device               {}\n", platform.device);
    text += fmt::format("memory               {:.0f} MiB at most so far\n", peak_memory_in_mebibytes());
    if (!options.out_system.empty()) inputs.system.write(options.out_system);
    print(text);
    return done;
}

}  // namespace trotter::program
