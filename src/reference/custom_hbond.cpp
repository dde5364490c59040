// CustomHbondForce: donors and acceptors, pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/forces/custom_hbond.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/set_energy.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

template <> class CompiledKernel<CustomHbondForce>::Implementation {
public:
    Implementation(CustomHbondForce const& force, Engine<Reference, Double>& engine, Registration who)
        : sets_(force, engine.host, who) {
        collect_exclusions();
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!sets_.begin(host, request)) return 0;
        double energy = 0;
        if (force().uses_cutoff())
            for_each_near_pair(
                host, [&](std::size_t donor, std::size_t acceptor) { energy += add_pair(host, donor, acceptor); });
        else
            for (std::size_t donor = 0; donor < force().donors.size(); ++donor)
                for (std::size_t acceptor = 0; acceptor < force().acceptors.size(); ++acceptor)
                    energy += add_pair(host, donor, acceptor);
        return energy;
    }

    void update(CustomHbondForce const& force, Engine<Reference, Double>& engine) {
        sets_.update(force, engine.host);
        collect_exclusions();
    }

private:
    CustomHbondForce const& force() const { return sets_.force(); }
    void collect_exclusions() {
        excluded_.assign(force().donors.size(), {});
        for (auto const& [donor, acceptor] : force().exclusions)
            excluded_[static_cast<std::size_t>(donor)].push_back(static_cast<std::size_t>(acceptor));
        for (auto& acceptors : excluded_) std::sort(acceptors.begin(), acceptors.end());
    }

    // The cell list has the first particles of donors, then those of acceptors. Pairs at the cutoff are out of range.
    template <class Visit> void for_each_near_pair(HostState const& host, Visit const& visit) const {
        std::vector<Vec3<>> places;
        for (auto const* sites : {&force().donors, &force().acceptors})
            for (auto const& site : *sites) places.push_back(host.positions[static_cast<std::size_t>(site.particle1)]);
        auto const donors = force().donors.size();
        double const cutoff = force().cutoff_distance;
        reference::for_each_pair({cutoff, force().is_periodic()}, places, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
                                     auto const [low, high] = std::minmax(i, j);
                                     if (low < donors && high >= donors && r2 < cutoff * cutoff)
                                         visit(low, high - donors);
                                 });
    }
    double add_pair(HostState& host, std::size_t donor, std::size_t acceptor) {
        auto const& excluded = excluded_[donor];
        if (std::binary_search(excluded.begin(), excluded.end(), acceptor)) return 0;
        particles_.clear();
        fields_.clear();
        for (auto const* site : {&force().donors[donor], &force().acceptors[acceptor]}) {
            // The formula does not use the position of a particle that a site lacks.
            for (int const particle : {site->particle1, site->particle2, site->particle3})
                particles_.push_back(particle == -1 ? site->particle1 : particle);
            fields_.insert(fields_.end(), site->parameters.begin(), site->parameters.end());
        }
        return sets_.add(host, particles_, fields_);
    }

    SetEnergy<CustomHbondForce> sets_;
    std::vector<std::vector<std::size_t>> excluded_;  // per donor: acceptors, ascending
    std::vector<int> particles_;                      // of a pair
    std::vector<double> fields_;
};

template class CompiledKernel<CustomHbondForce>;

}  // namespace trotter::reference
