// CustomHbondForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/near_lists.hpp>
#include <trotter/device/set_energy.hpp>
#include <trotter/forces/custom_hbond.hpp>

namespace trotter {

namespace device {

/// How many acceptors a work-item takes for a donor: more than one where all are near, so that fewer forces on donors
/// are added.
inline std::size_t acceptors_at_once(CustomHbondForce const& force) { return force.uses_cutoff() ? 1 : 32; }

/// The kernel of donors and the acceptors near each.
inline std::string hbond_text(CustomHbondForce const& force, RuntimeFormula const& formula, std::string const& suffix) {
    std::size_t const of_donor = force.donor_parameter_names.size(),
                      fields = of_donor + force.acceptor_parameter_names.size();
    std::string to_donor;
    auto const field = [&](std::size_t n) {
        return n < of_donor ? "donor_fields[" + std::to_string(n) + "*donor_count + donor]"
                            : "acceptor_fields[" + std::to_string(n - of_donor) + "*acceptor_count + acceptor]";
    };
    auto const add_force = [&](std::size_t p, std::string const& vector) {
        std::string const n = std::to_string(p + 1);
        if (p >= 3) return "add_fine_force(forces, atom" + n + ", " + vector + ");";
        to_donor += "add_fine_force(forces, atom" + n + ", force" + n + ");\n";
        return "force" + n + " = force" + n + " + " + vector + ';';
    };
    std::string const of_pair = set_text(formula, fields, force.is_periodic(), suffix, field, add_force);
    std::string donor, acceptor;
    for (int p = 0; p < 3; ++p) {
        auto const site = [p](int number, std::string const& kind) {
            std::string const n = std::to_string(number);
            return "const int atom" + n + " = " + kind + "s[" + kind + " + " + std::to_string(p) + '*' + kind
                   + "_count];\nconst coordinate3 x" + n + " = trimTo3(positions[atom" + n + "]);\n";
        };
        donor += site(p + 1, "donor") + "coordinate3 force" + std::to_string(p + 1) + " = make_coordinate3(0, 0, 0);\n";
        acceptor += site(p + 4, "acceptor");
    }
    return near_text(force.uses_cutoff(), false) + "#define ACCEPTORS " + std::to_string(acceptors_at_once(force)) + R"(
KERNEL void add_hbonds(GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box,
                       NEAR_PARAMETERS, GLOBAL mm_ulong* RESTRICT forces, GLOBAL const int* RESTRICT donors,
                       GLOBAL const int* RESTRICT acceptors, GLOBAL const coordinate* RESTRICT donor_fields,
                       GLOBAL const coordinate* RESTRICT acceptor_fields, GLOBAL const coordinate* RESTRICT parameters,
                       GLOBAL const coordinate4* RESTRICT tables, GLOBAL coordinate* RESTRICT kept, int shares,
                       int has_sums) {
    const Near near = NEAR_ARGUMENTS;
    const int donor_count = near_site_count, acceptor_count = near_other_count;
    coordinate energy = 0;
    for (int item = GLOBAL_ID; item < donor_count*shares; item += GLOBAL_SIZE) {
        const int donor = item % donor_count, count = near_count(near, donor);
        for (int begin = item/donor_count*ACCEPTORS; begin < count; begin += shares*ACCEPTORS) {
)" + donor + R"(
            for (int k = begin; k < min(begin + ACCEPTORS, count); ++k) {
                const int acceptor = near_other(near, donor, k);
                if (acceptor < 0) continue;
)" + acceptor + of_pair + R"(
            }
)" + to_donor + R"(
        }
    }
    if (has_sums) kept[GLOBAL_ID] = energy;
}
)";
}

/// Donors and acceptors, pair by pair, where they are near each other.
template <DeviceQueue Q> class Hbonds {
public:
    Hbonds(CustomHbondForce const& force, Engine<Q>& engine) : sets_(force, engine) { upload(engine); }

    void compute(Engine<Q>& engine, Request const& request) {
        if (!sets_.begin(engine, request) || force().donors.empty() || force().acceptors.empty()) return;
        if (!is_compiled_) compile(engine);
        near_.find(engine);
        auto& queue = engine.queue;
        auto const shares = near_.shares(request.energy, acceptors_at_once(force()));
        auto const groups = groups_for(queue.facts(), force().donors.size() * shares);
        if (request.energy) sets_.keep(groups, engine);
        near_.launch_with(queue, add_hbonds_, groups, engine.positions, engine.box, engine.forces, donors_, acceptors_,
                          donor_fields_, acceptor_fields_, sets_.parameters(), sets_.tables(),
                          request.energy ? sets_.kept() : sets_.tables(), static_cast<std::int32_t>(shares),
                          static_cast<std::int32_t>(request.energy));
        if (request.energy) sets_.sum_up(engine);
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        double const energy = sets_.late_energy(engine, request);
        if (request.energy) near_.make_room(engine);
        return energy;
    }
    /// Takes over everything but the parameters of the Context.
    void update(CustomHbondForce const& force, Engine<Q>& engine) {
        sets_.update(force, engine);
        upload(engine);
        is_compiled_ = false;
    }

private:
    using Site = CustomHbondForce::Site;

    CustomHbondForce const& force() const { return sets_.force(); }
    void upload(Engine<Q>& engine) {
        auto& queue = engine.queue;
        bool const is_fine = engine.types.coordinate_is_double;
        auto const row_of = [](Site const& site) { return site.parameters; };
        auto const donors = particles_of(force().donors), acceptors = particles_of(force().acceptors);
        donors_ = Array<Q, std::int32_t>(queue, donors);
        acceptors_ = Array<Q, std::int32_t>(queue, acceptors);
        donor_fields_ = NumberArray<Q>(
            queue, columns_of(force().donors, force().donor_parameter_names.size(), row_of), is_fine);
        acceptor_fields_ = NumberArray<Q>(
            queue, columns_of(force().acceptors, force().acceptor_parameter_names.size(), row_of), is_fine);
        std::vector<std::vector<std::int32_t>> excluded(force().donors.size());
        for (auto const& [donor, acceptor] : force().exclusions)
            excluded[static_cast<std::size_t>(donor)].push_back(acceptor);
        auto const first_of = [](auto const& particles, std::size_t count) {
            return std::vector(particles.begin(), particles.begin() + static_cast<std::ptrdiff_t>(count));
        };
        near_.upload(engine, first_of(donors, force().donors.size()), first_of(acceptors, force().acceptors.size()),
                     std::move(excluded), force().uses_cutoff());
    }
    // The first particles of all sites, then the second ones, … The formula does not ask where a particle is that a
    // site does not have.
    static std::vector<std::int32_t> particles_of(std::vector<Site> const& sites) {
        std::vector<std::int32_t> result;
        for (auto const particle : {&Site::particle1, &Site::particle2, &Site::particle3})
            for (auto const& site : sites)
                result.push_back(site.*particle == -1 ? site.particle1 : site.*particle);
        result.resize(std::max<std::size_t>(result.size(), 1));
        return result;
    }
    void compile(Engine<Q>& engine) {
        is_compiled_ = true;
        sets_.compile(hbond_text(force(), sets_.formula(), engine.types.coordinate_suffix()), engine);
        add_hbonds_ = sets_.program().kernel("add_hbonds");
        near_.take(sets_.program());
    }

    SetEnergy<Q, CustomHbondForce> sets_;
    bool is_compiled_ = false;
    typename Q::Kernel add_hbonds_;
    Array<Q, std::int32_t> donors_, acceptors_;
    NumberArray<Q> donor_fields_, acceptor_fields_;
    NearLists<Q> near_;
};

}  // namespace device

/// CustomHbondForce on a device.
template <DeviceBackend B, Precision P> struct Kernel<CustomHbondForce, B, P> {
    device::Hbonds<typename B::Queue> hbonds;

    Kernel(CustomHbondForce const& force, Engine<B, P>& engine) : hbonds(force, engine.device) {}
    double compute(Engine<B, P>& engine, Request const& request) {
        hbonds.compute(engine.device, request);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        return hbonds.late_energy(engine.device, request);
    }
    void update(CustomHbondForce const& force, Engine<B, P>& engine) { hbonds.update(force, engine.device); }
};

}  // namespace trotter
