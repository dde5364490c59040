// CustomHbondForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/set_energy.hpp>
#include <trotter/forces/custom_hbond.hpp>

namespace trotter {

namespace device {

/// The kernel of donors and acceptors: each group takes 64 donors with one block of acceptors after the other, and
/// passes over blocks that are too far away. What a donor gets from a block is added to its particles at once.
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
    return R"(
KERNEL void add_hbonds(GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions,
                       GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT donors,
                       GLOBAL const int* RESTRICT acceptors, GLOBAL const coordinate* RESTRICT donor_fields,
                       GLOBAL const coordinate* RESTRICT acceptor_fields, GLOBAL const coordinate* RESTRICT parameters,
                       GLOBAL const coordinate4* RESTRICT tables, GLOBAL const coordinate4* RESTRICT blocks,
                       GLOBAL const int* RESTRICT begins, GLOBAL const int* RESTRICT excluded,
                       GLOBAL coordinate* RESTRICT kept, int donor_count, int acceptor_count, int has_sums) {
    const int block_count = (acceptor_count + SETS_BLOCK - 1)/SETS_BLOCK;
    const int tiles = (donor_count + LOCAL_SIZE - 1)/LOCAL_SIZE*block_count;
    coordinate energy = 0;
    for (int tile = GROUP_ID; tile < tiles; tile += NUM_GROUPS) {
        const int donor = tile/block_count*LOCAL_SIZE + LOCAL_ID, block = tile % block_count;
        if (donor >= donor_count) continue;
)" + donor + R"(
        if (!may_be_near(x1, blocks, block, box)) continue;
        int pairs = 0;
        const int end = min((block + 1)*SETS_BLOCK, acceptor_count);
        for (int acceptor = block*SETS_BLOCK; acceptor < end; ++acceptor) {
            if (!are_near(x1 - trimTo3(positions[acceptors[acceptor]]), box)) continue;
            if (are_excluded(begins, excluded, donor, acceptor)) continue;
            ++pairs;
)" + acceptor + of_pair + R"(
        }
        if (pairs > 0) {
)" + to_donor + R"(
        }
    }
    if (has_sums) kept[GLOBAL_ID] = energy;
}
)";
}

/// Donors and acceptors, pair by pair, wherever blocks of them are near each other.
template <DeviceQueue Q> class Hbonds {
public:
    Hbonds(CustomHbondForce const& force, Engine<Q>& engine) : sets_(force, engine) { upload(engine); }

    void compute(Engine<Q>& engine, Request const& request) {
        if (!sets_.begin(engine, request) || force().donors.empty() || force().acceptors.empty()) return;
        if (!is_compiled_) compile(engine);
        auto& queue = engine.queue;
        auto const donors = static_cast<std::int32_t>(force().donors.size()),
                   acceptors = static_cast<std::int32_t>(force().acceptors.size());
        if (force().uses_cutoff())
            launch(queue, find_blocks_, groups_for(queue.facts(), block_count()), engine.positions, engine.box,
                   acceptors_, acceptors, blocks_);
        auto const groups = groups_for(queue.facts(), force().donors.size() * block_count());
        if (request.energy) sets_.keep(groups, engine);
        launch(queue, add_hbonds_, groups, engine.forces, engine.positions, engine.box, donors_, acceptors_,
               donor_fields_, acceptor_fields_, sets_.parameters(), sets_.tables(), blocks_, exclusions_.begins(),
               exclusions_.partners(), request.energy ? sets_.kept() : blocks_, donors, acceptors,
               static_cast<std::int32_t>(request.energy));
        if (request.energy) sets_.sum_up(engine);
    }
    double late_energy(Engine<Q> const& engine, Request const& request) const {
        return sets_.late_energy(engine, request);
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
    std::size_t block_count() const {
        constexpr std::size_t size = kernels::sets_block;
        return (force().acceptors.size() + size - 1) / size;
    }
    void upload(Engine<Q>& engine) {
        auto& queue = engine.queue;
        bool const is_fine = engine.types.coordinate_is_double;
        auto const row_of = [](Site const& site) { return site.parameters; };
        donors_ = Array<Q, std::int32_t>(queue, particles_of(force().donors));
        acceptors_ = Array<Q, std::int32_t>(queue, particles_of(force().acceptors));
        donor_fields_ = NumberArray<Q>(
            queue, columns_of(force().donors, force().donor_parameter_names.size(), row_of), is_fine);
        acceptor_fields_ = NumberArray<Q>(
            queue, columns_of(force().acceptors, force().acceptor_parameter_names.size(), row_of), is_fine);
        blocks_ = NumberArray<Q>(queue, 8 * std::max<std::size_t>(block_count(), 1), is_fine);
        std::vector<std::vector<std::int32_t>> excluded(force().donors.size());
        for (auto const& [donor, acceptor] : force().exclusions)
            excluded[static_cast<std::size_t>(donor)].push_back(acceptor);
        exclusions_.upload(queue, std::move(excluded));
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
        if (!sets_.compile(hbond_text(force(), sets_.formula(), engine.types.coordinate_suffix()), engine)) return;
        find_blocks_ = sets_.kernel("find_blocks");
        add_hbonds_ = sets_.kernel("add_hbonds");
    }

    SetEnergy<Q, CustomHbondForce> sets_;
    bool is_compiled_ = false;
    typename Q::Kernel find_blocks_, add_hbonds_;
    Array<Q, std::int32_t> donors_, acceptors_;
    NumberArray<Q> donor_fields_, acceptor_fields_, blocks_;
    PartnerLists<Q> exclusions_;
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
    double late_energy(Engine<B, P>& engine, Request const& request) const {
        return hbonds.late_energy(engine.device, request);
    }
    void update(CustomHbondForce const& force, Engine<B, P>& engine) { hbonds.update(force, engine.device); }
};

}  // namespace trotter
