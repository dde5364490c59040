// Reads and writes NonbondedForce: versions 1 to 4.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

using Offset = NonbondedForce::Offset;
using Exception = NonbondedForce::Exception;

constexpr int last_group = 31;

constexpr auto force_fields =
    std::tuple{Field{"cutoff", "cutoff", &NonbondedForce::cutoff_distance},
               Field{"dielectric", "rfDielectric", &NonbondedForce::reaction_field_dielectric},
               Field{"tolerance", "ewaldTolerance", &NonbondedForce::ewald_error_tolerance},
               Field{"dispersion", "dispersionCorrection", &NonbondedForce::use_dispersion_correction}};
constexpr auto exception_particles = std::tuple{&Exception::particle1, &Exception::particle2};
constexpr auto exception_fields = std::tuple{Field{"charge_product", "q", &Exception::charge_product},
                                             Field{"sigma", "sig", &Exception::sigma, Valid::not_negative},
                                             Field{"epsilon", "eps", &Exception::epsilon, Valid::not_negative}};
constexpr auto offset_fields =
    std::tuple{Field{"charge_scale", "q", &Offset::charge_scale}, Field{"sigma_scale", "sig", &Offset::sigma_scale},
               Field{"epsilon_scale", "eps", &Offset::epsilon_scale}};

MeshSettings read_mesh(XmlNode const& node, std::string_view alpha, std::string_view nx, std::string_view ny,
                               std::string_view nz) {
    return {node.number_or(alpha, 0), node.integer_or<int>(nx, 0), node.integer_or<int>(ny, 0),
            node.integer_or<int>(nz, 0)};
}
void write_mesh(XmlWriter& xml, MeshSettings const& mesh, std::string_view alpha, std::string_view nx,
                std::string_view ny, std::string_view nz) {
    xml.attribute(alpha, mesh.alpha).attribute(nx, mesh.nx).attribute(ny, mesh.ny).attribute(nz, mesh.nz);
}

void read_options(XmlNode const& node, int version, NonbondedForce& force) {
    read_fields(node, force, force_fields);
    force.method = node.choice("method", NonbondedForce::Method::ljpme);
    force.use_switching_function = node.boolean_or("useSwitchingFunction", false);
    force.switching_distance = node.number_or("switchingDistance", -1);
    force.include_direct_space = node.boolean_or("includeDirectSpace", true);
    force.reciprocal_force_group = node.integer_or<int>("recipForceGroup", -1, -1, last_group);
    force.pme = read_mesh(node, "alpha", "nx", "ny", "nz");
    force.ljpme = read_mesh(node, "ljAlpha", "ljnx", "ljny", "ljnz");
    refuse_early(node, "ljAlpha", version, version < 2 && force.ljpme.alpha != 0);
    force.exceptions_use_periodic = boolean_since(4, version, node, "exceptionsUsePeriodic");
}

void read_parameters(XmlNode const& list, NonbondedForce& force) {
    for (auto const element : list.items("Parameter")) {
        element.only({"name", "default"});
        force.global_parameters.push_back({std::string(element.text("name")), element.number("default")});
    }
}

std::vector<Offset> read_offsets(XmlNode const& list, std::string_view kind, std::size_t items,
                                 NonbondedForce const& force) {
    std::vector<Offset> offsets;
    for (auto const element : list.items("Offset")) {
        element.only({"parameter", kind, "q", "sig", "eps"});
        Offset offset{std::string(element.text("parameter")),
                      element.integer<int>(kind, 0, static_cast<int>(items) - 1)};
        read_fields(element, offset, offset_fields);
        if (std::ranges::find(force.global_parameters, offset.parameter, &GlobalParameter::name)
            == force.global_parameters.end())
            element.refuse("parameter", "the name of one of the force's global parameters");
        offsets.push_back(std::move(offset));
    }
    return offsets;
}

void write_offsets(XmlWriter& xml, std::string_view list, std::string_view kind, std::vector<Offset> const& offsets) {
    xml.open(list);
    for (auto const& offset : offsets) {
        xml.open("Offset").attribute("parameter", offset.parameter).attribute(kind, offset.index);
        write_fields(xml, offset, offset_fields);
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, NonbondedForce& force, int particle_count) {
    int const version = node.version(4);
    only_force(node,
               {"method", "cutoff", "useSwitchingFunction", "switchingDistance", "ewaldTolerance", "rfDielectric",
                "dispersionCorrection", "exceptionsUsePeriodic", "includeDirectSpace", "recipForceGroup", "alpha", "nx",
                "ny", "nz", "ljAlpha", "ljnx", "ljny", "ljnz"},
               {"GlobalParameters", "ParticleOffsets", "ExceptionOffsets", "Particles", "Exceptions"});
    read_options(node, version, force);
    auto const particles = node.child("Particles");
    detail::read_rows(particles, "Particle", force.particles, detail::no_particles, NonbondedForce::fields,
                      particle_count);
    detail::check_particle_list(particles, "a NonbondedForce", force.particles.size(), particle_count);
    detail::read_rows(node.child("Exceptions"), "Exception", force.exceptions, exception_particles, exception_fields,
                      particle_count);
    if (version < 3) {
        for (auto const* name : {"GlobalParameters", "ParticleOffsets", "ExceptionOffsets"})
            if (auto const list = node.find(name); list && !list->children().empty())
                list->fail("expected version 3 or 4 of the force");
        return;
    }
    read_parameters(node.child("GlobalParameters"), force);
    force.particle_offsets = read_offsets(node.child("ParticleOffsets"), "particle", force.particles.size(), force);
    force.exception_offsets = read_offsets(node.child("ExceptionOffsets"), "exception", force.exceptions.size(), force);
}

void write(XmlWriter& xml, NonbondedForce const& force) {
    xml.attribute("version", 4).attribute("method", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    xml.attribute("useSwitchingFunction", force.use_switching_function)
        .attribute("switchingDistance", force.switching_distance);
    xml.attribute("exceptionsUsePeriodic", force.exceptions_use_periodic)
        .attribute("includeDirectSpace", force.include_direct_space);
    if (force.reciprocal_force_group > last_group)
        throw InputError("NonbondedForce: the reciprocal force group is " + std::to_string(force.reciprocal_force_group)
                         + ", but OpenMM's files hold groups from 0 to 31");
    xml.attribute("recipForceGroup", force.reciprocal_force_group);
    write_mesh(xml, force.pme, "alpha", "nx", "ny", "nz");
    write_mesh(xml, force.ljpme, "ljAlpha", "ljnx", "ljny", "ljnz");
    detail::write_global_parameters(xml, force.global_parameters);
    write_offsets(xml, "ParticleOffsets", "particle", force.particle_offsets);
    write_offsets(xml, "ExceptionOffsets", "exception", force.exception_offsets);
    detail::write_rows(xml, "Particles", "Particle", force.particles, detail::no_particles, NonbondedForce::fields);
    detail::write_rows(xml, "Exceptions", "Exception", force.exceptions, exception_particles, exception_fields);
}

}  // namespace trotter
