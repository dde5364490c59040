// A step of the free ring polymer in normal modes.
// SPDX-License-Identifier: MIT
#include <trotter/rpmd/ring.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <trotter/core/finite.hpp>
#include <trotter/units.hpp>

#include <trotter/common/threads/sums.hpp>

namespace trotter::rpmd {

ModeMotion mode_motion(int mode, int copies, RPMDIntegrator const& integrator) {
    double const kT = copies * constants::gas_constant * integrator.temperature, dt = integrator.step_size;
    double const frequency = mode_frequency(mode, copies, integrator.temperature);
    double const friction = !integrator.apply_thermostat ? 0 : mode == 0 ? integrator.friction : 2 * frequency;
    double const sine = std::sin(frequency * dt);
    return {.decay = std::exp(-friction * dt / 2),
            .spread = std::sqrt(-std::expm1(-friction * dt) * kT),
            .cosine = std::cos(frequency * dt),
            .advance = mode == 0 ? dt : sine / frequency,
            .back = frequency * sine};
}

Ring::Ring(int copies, Particles const& particles)
    : copies_(copies),
      is_set_(static_cast<std::size_t>(copies)),
      masses_(particles.masses),
      total_mass_(particles.total_mass()),
      to_modes_(normal_modes(copies)),
      to_copies_(to_modes_.transposed()) {
    for (std::size_t i = 0; i < masses_.size(); ++i) {
        inverse_masses_.push_back(masses_[i] > 0 ? 1 / masses_[i] : 0);
        if (masses_[i] > 0) moving_.push_back(static_cast<int>(i));
    }
    for (auto* vectors : {&positions_, &velocities_, &modes_.positions, &modes_.velocities, &modes_.forces})
        vectors->resize(static_cast<std::size_t>(copies) * masses_.size());
}

CopyVectors const& Ring::velocities(Threads& threads) {
    if (!are_velocities_known_) multiply(to_copies_, modes_.velocities, velocities_, particles(), moving_, threads);
    are_velocities_known_ = true;
    return velocities_;
}

int Ring::checked(int copy) const {
    if (copy < 0 || copy >= copies_)
        throw InputError("there is no copy " + std::to_string(copy) + "; there are " + std::to_string(copies_)
                         + ", counted from 0");
    return copy;
}
void Ring::require_positions() const {
    auto const missing = std::find(is_set_.begin(), is_set_.end(), false) - is_set_.begin();
    if (missing < copies_) throw InputError("the positions of copy " + std::to_string(missing) + " have not been set");
}
void Ring::check_positions(std::int64_t step, Threads& threads) const {
    int const bad = first_not_finite(positions_, threads), count = static_cast<int>(particles());
    if (bad >= 0)
        throw NotFiniteError("step " + std::to_string(step) + ": ",
                             "the position of particle " + std::to_string(bad % count) + " of copy "
                                 + std::to_string(bad / count) + " is not a finite number");
}

void Ring::set_positions(int copy, std::vector<Vec3<>> const& positions) {
    put(copy, positions, "positions", positions_);
    is_set_[static_cast<std::size_t>(copy)] = true;
    are_position_modes_known_ = false;
}
void Ring::set_velocities(int copy, std::vector<Vec3<>> const& velocities, Threads& threads) {
    (void)this->velocities(threads);
    put(copy, velocities, "velocities", velocities_);
    are_velocity_modes_known_ = false;
}
void Ring::put(int copy, std::vector<Vec3<>> const& vectors, char const* what, CopyVectors& to) const {
    check_vectors(vectors, particles(), what);
    std::copy(vectors.begin(), vectors.end(), to.begin() + first(copy));
}
std::vector<Vec3<>> Ring::part(int copy, CopyVectors const& all) const {
    auto const begin = all.begin() + first(copy);
    return {begin, begin + static_cast<std::ptrdiff_t>(particles())};
}
std::ptrdiff_t Ring::first(int copy) const {
    return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(checked(copy)) * particles());
}
void Ring::set_velocities_to_temperature(double temperature, RandomStream const& stream) {
    double const kT = copies_ * constants::gas_constant * temperature;
    for (std::size_t n = 0; n < modes_.velocities.size(); ++n)
        modes_.velocities[n] =
            stream.normals(0, static_cast<std::uint32_t>(n)) * std::sqrt(kT * inverse_masses_[n % particles()]);
    are_velocity_modes_known_ = true;
    are_velocities_known_ = false;
}

std::vector<Vec3<>> Ring::centroids() const {
    std::vector<Vec3<>> result(particles());
    for (std::size_t n = 0; n < positions_.size(); ++n) result[n % particles()] += positions_[n];
    for (auto& center : result) center *= 1.0 / copies_;
    return result;
}

void Ring::take_state(Modes modes, CopyVectors positions) {
    modes_ = std::move(modes);
    positions_ = std::move(positions);
    are_position_modes_known_ = are_velocity_modes_known_ = true;
    are_velocities_known_ = false;
}
void Ring::take_forces(CopyVectors const& forces, Threads& threads) {
    multiply(to_modes_, forces, modes_.forces, particles(), moving_, threads);
}
void Ring::begin_step(RPMDIntegrator const& integrator, std::int64_t step, RingNoise const& noise, Threads& threads) {
    find_modes(threads);
    if (integrator.apply_thermostat) thermostat(integrator, 2 * static_cast<std::uint64_t>(step), noise, threads);
    kick(integrator.step_size / 2, threads);
    drift(integrator, threads);
    multiply(to_copies_, modes_.positions, positions_, particles(), moving_, threads);
    are_velocities_known_ = false;
}
void Ring::end_step(RPMDIntegrator const& integrator, std::int64_t step, RingNoise const& noise, Threads& threads) {
    kick(integrator.step_size / 2, threads);
    if (integrator.apply_thermostat) thermostat(integrator, 2 * static_cast<std::uint64_t>(step) + 1, noise, threads);
}
void Ring::remove_motion(Threads& threads) {
    if (!(total_mass_ > 0)) return;
    find_modes(threads);
    for (std::size_t first = 0; first < modes_.velocities.size(); first += particles()) {
        auto const momentum =
            ordered_sum(threads, particles(), [&](std::size_t i) { return modes_.velocities[first + i] * masses_[i]; });
        Vec3<> const velocity = momentum / total_mass_;
        for (int const i : moving_) modes_.velocities[first + static_cast<std::size_t>(i)] -= velocity;
    }
    are_velocities_known_ = false;
}

double Ring::kinetic_energy(Threads& threads) {
    find_modes(threads);
    return 0.5 * sum_over_modes(threads, 0, [&](std::size_t n, std::size_t i) {
               return masses_[i] * dot(modes_.velocities[n], modes_.velocities[n]);
           });
}
double Ring::spring_energy(double temperature, Threads& threads) {
    find_modes(threads);
    double energy = 0;
    for (int mode = 1; mode < copies_; ++mode) {
        double const frequency = mode_frequency(mode, copies_, temperature);
        std::size_t const first = static_cast<std::size_t>(mode) * particles();
        energy += 0.5 * frequency * frequency * ordered_sum(threads, particles(), [&](std::size_t i) {
                      return masses_[i] * dot(modes_.positions[first + i], modes_.positions[first + i]);
                  });
    }
    return energy;
}
double Ring::virial_about_centroids(Threads& threads) {
    find_modes(threads);
    return sum_over_modes(threads, 1,
                          [&](std::size_t n, std::size_t) { return dot(modes_.positions[n], modes_.forces[n]); });
}

void Ring::check_loaded(std::size_t size) const {
    if (size != positions_.size())
        throw InputError("the checkpoint holds " + std::to_string(size) + " vectors of a ring polymer, expected "
                         + std::to_string(positions_.size()));
}
void Ring::find_modes(Threads& threads) {
    if (!are_position_modes_known_) multiply(to_modes_, positions_, modes_.positions, particles(), moving_, threads);
    if (!are_velocity_modes_known_) multiply(to_modes_, velocities_, modes_.velocities, particles(), moving_, threads);
    are_position_modes_known_ = are_velocity_modes_known_ = true;
}
/// Calls `work(mode, begin, end)` for ranges of the particles of each mode.
template <class Work> void Ring::for_each_mode(Threads& threads, Work const& work) const {
    constexpr std::size_t grain = 16 * NormalBlock::size;
    if (positions_.size() <= grain) {  // too few for several threads
        for (int mode = 0; mode < copies_; ++mode) work(mode, 0, particles());
        return;
    }
    std::size_t const ranges = (particles() + grain - 1) / grain;
    threads.run(static_cast<int>(ranges) * copies_, [&](int task) {
        std::size_t const begin = static_cast<std::size_t>(task) % ranges * grain;
        work(task / static_cast<int>(ranges), begin, std::min(begin + grain, particles()));
    });
}
template <class Term> double Ring::sum_over_modes(Threads& threads, int first_mode, Term const& term) const {
    std::size_t const first = static_cast<std::size_t>(first_mode) * particles();
    return ordered_sum(threads, positions_.size() - first,
                       [&](std::size_t n) { return term(first + n, (first + n) % particles()); });
}

void Ring::thermostat(RPMDIntegrator const& integrator, std::uint64_t draw, RingNoise const& noise, Threads& threads) {
    for_each_mode(threads, [&](int mode, std::size_t begin, std::size_t end) {
        auto const motion = mode_motion(mode, copies_, integrator);
        std::size_t const row = static_cast<std::size_t>(mode) * particles();
        NormalBlock normals;
        for (std::size_t i = begin; i < end; ++i) {
            std::size_t const place = (i - begin) % NormalBlock::size;
            if (place == 0) noise.fill(noise.stream, draw, static_cast<std::uint32_t>(row + i), normals);
            Vec3<>& velocity = modes_.velocities[row + i];
            velocity = velocity * motion.decay + normals[place] * (motion.spread * std::sqrt(inverse_masses_[i]));
        }
    });
}
void Ring::kick(double time, Threads& threads) {
    for_each_mode(threads, [&](int mode, std::size_t begin, std::size_t end) {
        std::size_t const row = static_cast<std::size_t>(mode) * particles();
        for (std::size_t i = begin; i < end; ++i)
            modes_.velocities[row + i] += modes_.forces[row + i] * (time * inverse_masses_[i]);
    });
}
void Ring::drift(RPMDIntegrator const& integrator, Threads& threads) {
    for_each_mode(threads, [&](int mode, std::size_t begin, std::size_t end) {
        auto const motion = mode_motion(mode, copies_, integrator);
        std::size_t const row = static_cast<std::size_t>(mode) * particles();
        for (std::size_t n = row + begin; n < row + end; ++n) {
            Vec3<> const position = modes_.positions[n], velocity = modes_.velocities[n];
            modes_.positions[n] = position * motion.cosine + velocity * motion.advance;
            modes_.velocities[n] = velocity * motion.cosine - position * motion.back;
        }
    });
}

}  // namespace trotter::rpmd
