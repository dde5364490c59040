// Runs sequences of operators on the host.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/common/integration/common.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>

namespace trotter {

SequenceStepper::SequenceStepper(OperatorSequence sequence, RandomStream noise, std::size_t particles,
                                 bool keeps_unconstrained)
    : sequence_(std::move(sequence)),
      noise_(noise),
      forces_(sequence_.sets, particles),
      keeps_displaced_(keeps_unconstrained) {
    find_sections();
}

void SequenceStepper::find_sections() {
    auto const& operators = sequence_.operators;
    std::uint64_t draws = 0;
    bool has_moved = false, has_start = false;  // in the section; since positions were last constrained
    std::size_t section_of_start = 0;
    for (std::size_t i = 0, end = 0; i < operators.size(); i = end) {
        bool const is_external = operators[i].letter == 'S';
        if (sections_.empty() || is_external || sections_.back().is_external || (operators[i].letter == 'V' && has_moved)) {
            sections_.push_back({.needs = std::vector<custom_integrator::ForceQuantities>(sequence_.sets.size()),
                                 .is_external = is_external});
            has_moved = false;
        }
        auto& section = sections_.back();
        end = end_of_pass(i, has_moved);
        auto const& last = operators[end - 1];
        Pass pass{i, end, draws, false, last.constrains_positions, last.constrains_velocities};
        bool moves = pass.constrains_positions;
        for (std::size_t k = i; k < end; ++k) {
            draws += operators[k].letter == 'O';
            moves = moves || operators[k].letter == 'R';
            if (operators[k].letter == 'V')
                section.needs[static_cast<std::size_t>(operators[k].set)].forces = section.needs_forces = true;
        }
        if (moves && !std::exchange(has_start, true)) pass.keeps_start = true, section_of_start = sections_.size();
        if (pass.constrains_positions) {
            has_start = false;
            if (section_of_start != sections_.size()) keeps_displaced_ = true;
        }
        section.moves = section.moves || moves;
        has_moved = has_moved || moves;
        section.passes.push_back(pass);
    }
}

/// A pass ends at a constraint, before a V after particles have moved, or when noise exceeds what a pass supports.
std::size_t SequenceStepper::end_of_pass(std::size_t first, bool has_moved) const {
    std::size_t draws = 0, i = first;
    for (; i < sequence_.operators.size(); ++i) {
        auto const& each = sequence_.operators[i];
        if (i > first) {
            auto const& last = sequence_.operators[i - 1];
            if (last.constrains_positions || last.constrains_velocities || last.letter == 'S' || each.letter == 'S') break;
            if ((each.letter == 'V' && has_moved) || (each.letter == 'O' && draws == IntegrationBlock::max_draws))
                break;
        }
        draws += each.letter == 'O';
        has_moved = has_moved || each.letter == 'R';
    }
    return i;
}

void SequenceStepper::step(HostState& host, ForceEvaluator const& evaluate, StepNumbers const& numbers,
                           std::function<void()> const& external) {
    forces_.invalidate_if_changed(host);
    sites_are_old_ = false;
    if (keeps_displaced_ && !host.constraints.empty()) start_.resize(host.size()), unconstrained_.resize(host.size());
    for (auto const& section : sections_) {
        if (section.is_external) {
            external();
            continue;
        }
        if (section.needs_forces) provide_forces(section, host, evaluate);
        act(section, host, numbers);
        if (section.moves) forces_.invalidate(), sites_are_old_ = true;
    }
    forces_.store(host);
}

void SequenceStepper::provide_forces(Section const& section, HostState& host, ForceEvaluator const& evaluate) {
    if (std::exchange(sites_are_old_, false) && !host.virtual_sites.empty())
        host.virtual_sites.place(host.positions, host.box, host.threads);
    forces_.provide(section.needs, section.needs, host, evaluate);
}

void SequenceStepper::act(Section const& section, HostState& host, StepNumbers const& numbers) {
    auto const profiled = host.threads.profile.part("motion");
    std::size_t const first = section.passes.front().first;
    std::vector<IntegrationBlock::Action> actions;
    for (std::size_t i = first; i < section.passes.back().end; ++i) {
        auto const& each = sequence_.operators[i];
        bool const kicks = each.letter == 'V';
        actions.push_back({each.letter, each.share * (kicks ? numbers.kick_size : numbers.step_size),
                           kicks ? forces_.forces(each.set, host).data() : nullptr});
    }
    auto const first_draw = static_cast<std::uint64_t>(host.step_count) * sequence_.draws_of_step;
    bool const is_constrained = !host.constraints.empty();
    host.threads.run(static_cast<int>(host.constraints.blocks()), [&](int number) {
        auto const block = host.constraints.block(static_cast<std::size_t>(number));
        thread_local Displaced displaced;  // the size of a block, so that it stays in the thread's cache
        Vec3<>*start = nullptr, *moved = nullptr;
        if (is_constrained && keeps_displaced_) {
            start = start_.data() + block.begin, moved = unconstrained_.data() + block.begin;
        } else if (is_constrained) {
            displaced.start.resize(block.size()), displaced.moved.resize(block.size());
            start = displaced.start.data(), moved = displaced.moved.data();
        }
        for (auto const& pass : section.passes) {
            host.motion.move({.actions = actions.data() + (pass.first - first),
                              .action_count = pass.end - pass.first,
                              .decay = numbers.decay,
                              .spread = numbers.spread,
                              .noise = noise_,
                              .first_draw = first_draw + pass.first_draw,
                              .begin = block.begin,
                              .end = block.end,
                              .inverse_masses = host.inverse_masses.data(),
                              .inverse_mass_roots = host.inverse_mass_roots.data(),
                              .positions = host.positions.data(),
                              .velocities = host.velocities.data(),
                              .start = pass.keeps_start ? start : nullptr,
                              .moved = pass.constrains_positions ? moved : nullptr});
            if (is_constrained) constrain(pass, host, block, start, moved, numbers);
        }
    });
}

// The impulse of the position constraints also acts on the velocities.
void SequenceStepper::constrain(Pass const& pass, HostState& host, ParticleBlock const& block, Vec3<> const* start,
                                Vec3<> const* moved, StepNumbers const& numbers) const {
    if (pass.constrains_positions) {
        constrain_positions(host, block, start, numbers.constraint_tolerance);
        double const rate = 1 / (sequence_.operators[pass.end - 1].drifted * numbers.step_size);
        host.motion.correct(host.velocities.data() + block.begin, host.positions.data() + block.begin, moved, rate,
                            block.size());
    }
    if (pass.constrains_velocities)
        host.constraints.apply_to_velocities(block, host.positions.data(), host.velocities.data());
}

}  // namespace trotter
