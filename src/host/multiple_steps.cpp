// Carries out products with forces of several groups.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <trotter/host/integrators/multiple_steps.hpp>

namespace trotter {

using custom_integrator::Knowledge;

int GroupedProduct::set_of(ForceGroups const& groups) {
    auto const found = std::find(sets.begin(), sets.end(), groups);
    if (found == sets.end()) return sets.push_back(groups), static_cast<int>(sets.size()) - 1;
    return static_cast<int>(found - sets.begin());
}

GroupedProduct GroupedProduct::of(NestedSplitting const& splitting) {
    GroupedProduct result;
    double drifted = 0;
    for (std::size_t i = 0; i < splitting.size; ++i) {
        auto const& letter = splitting.letters[i];
        int const set = letter.what == 'V' ? result.set_of(ForceGroups::only({letter.group})) : 0;
        result.letters.push_back({letter.what, set, splitting.share(i)});
        if (letter.what == 'R') drifted += splitting.share(i);
        bool const run_ends = i + 1 == splitting.size || splitting.letters[i + 1].what == 'V';
        if (run_ends && drifted > 0 && letter.what != 'V') {
            result.letters.push_back({'P', 0, std::exchange(drifted, 0)});
            result.letters.push_back({'C'});
        }
    }
    if (result.letters.back().what != 'C') result.letters.push_back({'C'});
    return result;
}

MultipleStepper::MultipleStepper(GroupedProduct product, RandomStream noise, std::size_t particles)
    : product_(std::move(product)), noise_(noise), forces_(product_.sets, particles) {}

void MultipleStepper::step(HostEngine& host, ForceEvaluator const& evaluate, Numbers const& numbers) {
    bool const constrained = !host.constraints.empty();
    sites_are_old_ = false;
    if (constrained) copy_vectors(host.threads, host.positions, start_);
    auto now = numbers;  // whose first draw is that of the next O
    for (std::size_t i = 0, end = 0; i < product_.letters.size(); i = end) {
        auto const& letter = product_.letters[i];
        end = i + 1;
        if (letter.what == 'P') {
            if (constrained) constrain(host, letter.share * numbers.step_size, numbers.constraint_tolerance);
        } else if (letter.what == 'C') {
            if (constrained)
                host.constraints.apply_to_velocities(host.positions, host.velocities, numbers.constraint_tolerance,
                                                     host.threads);
        } else {
            end = end_of_pass(i);
            provide_forces(host, evaluate, i, end);
            pass(host, i, end, now);
            for (std::size_t k = i; k < end; ++k) {
                now.first_draw += product_.letters[k].what == 'O';
                if (product_.letters[k].what == 'R') positions_have_changed();
            }
        }
    }
    forces_.remember(host);
}

/// Letters act together up to a constraint, or to a V for which particles have moved.
std::size_t MultipleStepper::end_of_pass(std::size_t first) const {
    bool moves = false;
    std::size_t i = first;
    for (; i < product_.letters.size(); ++i) {
        char const what = product_.letters[i].what;
        if (what == 'P' || what == 'C' || (what == 'V' && moves)) break;
        moves = moves || what == 'R';
    }
    return i;
}

void MultipleStepper::provide_forces(HostEngine& host, ForceEvaluator const& evaluate, std::size_t first,
                                     std::size_t end) {
    std::vector<Knowledge> needs(product_.sets.size());
    bool needs_any = false;
    for (std::size_t i = first; i < end; ++i)
        if (product_.letters[i].what == 'V')
            needs[static_cast<std::size_t>(product_.letters[i].set)].forces = needs_any = true;
    if (!needs_any) return;
    if (std::exchange(sites_are_old_, false) && !host.virtual_sites.empty())
        host.virtual_sites.place(host.positions, host.box, host.threads);
    forces_.provide(needs, needs, host, evaluate);
}

void MultipleStepper::pass(HostEngine& host, std::size_t first, std::size_t end, Numbers const& numbers) {
    struct Action {
        char what;
        double factor;
        Vec3<> const* forces;
        NormalBlock noise{};
    };
    host.threads.for_ranges(host.size(), [&](std::size_t from, std::size_t to) {
        std::vector<Action> actions;
        for (std::size_t k = first; k < end; ++k) {
            auto const& [what, set, share] = product_.letters[k];
            actions.push_back({what, share * numbers.step_size, what == 'V' ? forces_.forces(set, host).data() : nullptr});
        }
        for (std::size_t block = from; block < to; block += NormalBlock::size) {
            auto draw = numbers.first_draw;
            for (auto& action : actions)
                if (action.what == 'O') host.fill_normals(noise_, draw++, static_cast<std::uint32_t>(block), action.noise);
            std::size_t const stop = std::min(block + NormalBlock::size, to);
            for (std::size_t i = block; i < stop; ++i) {
                double const inverse_mass = host.inverse_masses[i];
                if (inverse_mass == 0) continue;
                Vec3<> x = host.positions[i], v = host.velocities[i];
                for (auto const& action : actions) {
                    if (action.what == 'V') v += action.forces[i] * (action.factor * inverse_mass);
                    else if (action.what == 'R') x += v * action.factor;
                    else v = v * numbers.decay + action.noise[i % NormalBlock::size] * (numbers.spread * std::sqrt(inverse_mass));
                }
                host.positions[i] = x, host.velocities[i] = v;
            }
        }
    });
}

// Moving the positions back onto the constraints took an impulse: it also acts on the velocities.
void MultipleStepper::constrain(HostEngine& host, double time, double tolerance) {
    copy_vectors(host.threads, host.positions, unconstrained_);
    constrain_positions(host, start_, tolerance);
    host.threads.for_each(host.size(), [&](std::size_t i) {
        if (host.inverse_masses[i] != 0) host.velocities[i] += (host.positions[i] - unconstrained_[i]) * (1 / time);
    });
    copy_vectors(host.threads, host.positions, start_);
    positions_have_changed();
}

}  // namespace trotter
