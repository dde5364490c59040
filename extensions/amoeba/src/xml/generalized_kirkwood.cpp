// Reads and writes AmoebaGeneralizedKirkwoodForce; versions 1 and 2 have base radii and scale factors alone.
// SPDX-License-Identifier: MIT
#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Kirkwood = AmoebaGeneralizedKirkwoodForce;

constexpr auto early_fields =
    std::tuple{Field{"solvent_dielectric", "GeneralizedKirkwoodSolventDielectric", &Kirkwood::solvent_dielectric},
               Field{"solute_dielectric", "GeneralizedKirkwoodSoluteDielectric", &Kirkwood::solute_dielectric},
               Field{"probe_radius", "GeneralizedKirkwoodProbeRadius", &Kirkwood::probe_radius},
               Field{"surface_area_factor", "GeneralizedKirkwoodSurfaceAreaFactor", &Kirkwood::surface_area_factor},
               Field{"include_cavity_term", "GeneralizedKirkwoodIncludeCavityTerm", &Kirkwood::include_cavity_term}};
constexpr auto late_fields =
    std::tuple{Field{"dielectric_offset", "GeneralizedKirkwoodDielectricOffset", &Kirkwood::dielectric_offset},
               Field{"tanh_rescaling", "GeneralizedKirkwoodTanhRescaling", &Kirkwood::tanh_rescaling},
               Field{"tanh_b0", "GeneralizedKirkwoodTanhB0", &Kirkwood::tanh_b0},
               Field{"tanh_b1", "GeneralizedKirkwoodTanhB1", &Kirkwood::tanh_b1},
               Field{"tanh_b2", "GeneralizedKirkwoodTanhB2", &Kirkwood::tanh_b2},
               Field{"descreen_offset", "GeneralizedKirkwoodDescreenOffset", &Kirkwood::descreen_offset}};

void read_particles(XmlNode const& list, Kirkwood& force, int version) {
    for (auto const element : list.items("Particle")) {
        element.only(file_names(Kirkwood::fields));
        auto& particle = force.particles.emplace_back();
        particle.charge = element.number("charge");
        particle.radius = element.number("radius");
        particle.scale_factor = element.number("scaleFactor");
        bool const has_descreening = version > 2;
        particle.descreen_radius = has_descreening ? element.number("descreenRadius") : particle.radius;
        particle.neck_factor = has_descreening ? element.number("neckFactor") : 0;
        for (auto const* attribute : {"descreenRadius", "neckFactor"})
            refuse_early(element, attribute, version, !has_descreening && element.has(attribute));
    }
}

}  // namespace

void read(XmlNode const& node, Kirkwood& force, int particle_count) {
    int const version = node.version(3);
    only_force(node,
               {"GeneralizedKirkwoodSolventDielectric", "GeneralizedKirkwoodSoluteDielectric",
                "GeneralizedKirkwoodDielectricOffset", "GeneralizedKirkwoodProbeRadius",
                "GeneralizedKirkwoodSurfaceAreaFactor", "GeneralizedKirkwoodIncludeCavityTerm",
                "GeneralizedKirkwoodTanhRescaling", "GeneralizedKirkwoodTanhB0", "GeneralizedKirkwoodTanhB1",
                "GeneralizedKirkwoodTanhB2", "GeneralizedKirkwoodDescreenOffset"},
               {"GeneralizedKirkwoodParticles"});
    read_fields(node, force, early_fields);
    if (version > 2)
        read_fields(node, force, late_fields);
    else
        for (auto const attribute : file_names(late_fields)) refuse_early(node, attribute, version, node.has(attribute));
    auto const list = node.child("GeneralizedKirkwoodParticles");
    read_particles(list, force, version);
    detail::check_particle_list(list, "an AmoebaGeneralizedKirkwoodForce", force.particles.size(), particle_count);
}

void write(XmlWriter& xml, Kirkwood const& force) {
    xml.attribute("version", 3);
    write_fields(xml, force, early_fields);
    write_fields(xml, force, late_fields);
    detail::write_rows(xml, "GeneralizedKirkwoodParticles", "Particle", force.particles, detail::no_particles,
                       Kirkwood::fields);
}

}  // namespace trotter
