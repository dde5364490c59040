// Adaptive quantum thermal bath.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <trotter/common/integration/qtb.hpp>
#include <trotter/common/integration/splitting.hpp>
#include <trotter/reference/mesh/fft.hpp>
#include <trotter/units.hpp>

namespace trotter {
namespace {

using reference::Complex;
using reference::Fft;

// Noise of a segment is filtered together with that of its neighbors, so that it is continuous across segments.
constexpr std::size_t window = 3;

std::size_t steps_of_segment(QTBIntegrator const& integrator) {
    check_integrator(integrator);
    auto const& name = QTBIntegrator::name;
    require_positive(name, "step size", integrator.step_size);
    require_positive(name, "segment length", integrator.segment_length);
    require_positive(name, "cutoff frequency", integrator.cutoff_frequency);
    require_not_negative(name, "default adaptation rate", integrator.default_adaptation_rate);
    for (auto const& [type, rate] : integrator.type_adaptation_rates)
        require_not_negative(name, ("adaptation rate of type " + std::to_string(type)).c_str(), rate);
    double const steps = std::ceil(integrator.segment_length / integrator.step_size * (1 - 1e-9));
    if (steps > 1e6)
        throw InputError("a segment of the QTBIntegrator has " + std::to_string(steps) + " steps, expected at most a million");
    return std::max<std::size_t>(1, static_cast<std::size_t>(steps));
}

}  // namespace

double quantum_energy(double frequency, double temperature) {
    double const kT = constants::gas_constant * temperature, quantum = constants::reduced_planck * frequency;
    if (frequency == 0) return kT;
    return kT == 0 ? 0.5 * quantum : quantum * (0.5 + 1 / std::expm1(quantum / kT));
}

std::vector<double> unsmeared(std::vector<double> const& wanted, double spacing, double friction) {
    if (friction == 0) return wanted;
    std::size_t const count = wanted.size();
    // Rows are oscillators, columns frequencies. The first column has half the width, its centre is at a quarter of
    // the spacing.
    std::vector<double> smearing(count * count);
    for (std::size_t row = 0; row < count; ++row) {
        double const w0 = static_cast<double>(row) * spacing;
        double sum = 0;
        for (std::size_t column = 0; column < count; ++column) {
            double const w = std::max(static_cast<double>(column), 0.25) * spacing, d = w * w - w0 * w0;
            double const width = column == 0 ? 0.5 : 1;
            sum += smearing[row * count + column] = width * w * w / (d * d + friction * friction * w * w);
        }
        for (std::size_t column = 0; column < count; ++column) smearing[row * count + column] /= sum;
    }
    auto const smeared = [&](std::vector<double> const& x) {
        std::vector<double> result(count);
        for (std::size_t row = 0; row < count; ++row)
            for (std::size_t column = 0; column < count; ++column) result[row] += smearing[row * count + column] * x[column];
        return result;
    };
    auto const smeared_back = [&](std::vector<double> const& x) {
        std::vector<double> result(count);
        for (std::size_t row = 0; row < count; ++row)
            for (std::size_t column = 0; column < count; ++column) result[column] += smearing[row * count + column] * x[row];
        return result;
    };
    auto const target = smeared_back(wanted);
    auto result = wanted;
    for (int iteration = 0; iteration < 20; ++iteration) {
        auto const now = smeared_back(smeared(result));
        for (std::size_t k = 0; k < count; ++k)
            if (now[k] > 0) result[k] *= target[k] / now[k];
    }
    return result;
}

QuantumBath::QuantumBath(QTBIntegrator const& integrator, HostState const& host, Registration who)
    : friction_(integrator.friction),
      step_size_(integrator.step_size),
      cutoff_frequency_(integrator.cutoff_frequency),
      index_(who.index),
      steps_(steps_of_segment(integrator)),
      frequencies_((window * steps_ + 1) / 2),
      noise_(host.random_stream(integrator.seed, who.stream)) {
    find_types(integrator, host);
}

void QuantumBath::find_types(QTBIntegrator const& integrator, HostState const& host) {
    for (auto const& [particle, type] : integrator.particle_types)
        if (particle < 0 || particle >= host.particles.count())
            throw InputError("the QTBIntegrator has a type for particle " + std::to_string(particle) + " of a System of "
                             + std::to_string(host.particles.count()) + " particles");
    std::map<int, std::size_t> numbers;
    for (std::size_t i = 0; i < host.size(); ++i) {
        auto const listed = integrator.particle_types.find(static_cast<int>(i));
        bool const is_listed = listed != integrator.particle_types.end();
        auto const known = is_listed ? numbers.find(listed->second) : numbers.end();
        std::size_t const number = known == numbers.end() ? types_.size() : known->second;
        if (number == types_.size()) {
            auto const rate = is_listed ? integrator.type_adaptation_rates.find(listed->second) : integrator.type_adaptation_rates.end();
            types_.push_back({.rate = rate == integrator.type_adaptation_rates.end() ? integrator.default_adaptation_rate
                                                                                     : rate->second,
                              .inverse_mass = host.inverse_masses[i],
                              .friction = std::vector<double>(frequencies_, integrator.friction)});
            if (is_listed) numbers.emplace(listed->second, number);
        }
        auto& particles = types_[number].particles;
        particles.push_back(i);
        type_of_.push_back(number);
        if (host.particles.masses[i] != host.particles.masses[particles.front()])
            throw InputError("particles " + std::to_string(particles.front()) + " and " + std::to_string(i)
                             + " are of the same type of the QTBIntegrator, expected the same mass, not "
                             + std::to_string(host.particles.masses[particles.front()]) + " and "
                             + std::to_string(host.particles.masses[i]));
    }
}

void QuantumBath::find_spectrum(double temperature) {
    noise_temperature_ = temperature;
    double const spacing = 2 * std::numbers::pi / (static_cast<double>(window * steps_) * step_size_);
    std::vector<double> energies;
    for (std::size_t k = 0; k < frequencies_; ++k) {
        double const w = static_cast<double>(k) * spacing;
        energies.push_back(quantum_energy(w, temperature) / (1 + std::exp((w - cutoff_frequency_) / (0.02 * cutoff_frequency_))));
    }
    spectrum_ = unsmeared(energies, spacing, friction_);
}

std::size_t QuantumBath::frequency_of(std::size_t k) const {
    return std::min({k, window * steps_ - k, frequencies_ - 1});
}

// v' = a v + √((1 - a²)/m) noise, where the noise has the energies of the spectrum. Stored are velocities at half step
// and the corresponding noise: with k = 2(1 - a)/(1 + a) the change of v is 2/(1 + a) √((1 - a²)/m) noise minus k times
// the velocity at half step.
void QuantumBath::act(HostState& host, double temperature) {
    if (done_ == 0) begin_segment(host, temperature);
    double const a = velocity_decay(step_size_, friction_), scale = std::sqrt(-std::expm1(-2 * friction_ * step_size_));
    host.threads.for_each(host.size(), [&](std::size_t i) {
        if (host.inverse_masses[i] == 0) return;
        double const spread = scale * std::sqrt(host.inverse_masses[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double& v = host.velocities[i][axis];
            auto const at = place(done_, i) + axis;
            double const after = a * v + spread * kicks_[at];
            velocities_[at] = 0.5 * (v + after);
            v = after;
        }
    });
    if (++done_ < steps_) return;
    adapt(host);
    done_ = 0;
}

void QuantumBath::begin_segment(HostState& host, double temperature) {
    if (temperature != noise_temperature_) find_spectrum(temperature);
    first_step_ = static_cast<std::uint64_t>(host.step_count);
    kicks_.assign(3 * steps_ * host.size(), 0);
    velocities_.assign(kicks_.size(), 0);
    if (friction_ == 0) return;
    host.threads.for_ranges(
        host.size(),
        [&](std::size_t begin, std::size_t end) {
            Fft fft(static_cast<int>(window * steps_));
            std::vector<Complex> first(fft.size()), second(fft.size());
            for (std::size_t i = begin; i < end; ++i) {
                if (host.inverse_masses[i] == 0) continue;
                for (std::size_t s = 0; s < fft.size(); ++s) {
                    auto const normal = noise_.normals(first_step_ + s, static_cast<std::uint32_t>(i));
                    first[s] = {normal.x, normal.y};
                    second[s] = normal.z;
                }
                auto const& adapted = types_[type_of_[i]].friction;
                for (auto* line : {&first, &second}) {
                    fft.forward(line->data());
                    for (std::size_t k = 0; k < fft.size(); ++k) {
                        auto const n = frequency_of(k);
                        (*line)[k] *= std::sqrt(adapted[n] / friction_ * spectrum_[n]) / static_cast<double>(fft.size());
                    }
                    fft.inverse(line->data());
                }
                for (std::size_t s = 0; s < steps_; ++s) {
                    double* kick = &kicks_[place(s, i)];
                    kick[0] = first[steps_ + s].real();
                    kick[1] = first[steps_ + s].imag();
                    kick[2] = second[steps_ + s].real();
                }
            }
        },
        64);
}

void QuantumBath::adapt(HostState& host) {
    if (friction_ == 0) return;
    host.threads.run(static_cast<int>(types_.size()), [&](int n) {
        auto& type = types_[static_cast<std::size_t>(n)];
        if (type.rate != 0 && type.inverse_mass != 0) adapt(type);
    });
}

// The fluctuation-dissipation theorem requires Re(v* noise) = k |v|² (adapted friction)/friction at each frequency. If
// the left side is larger, the mode has too little energy.
void QuantumBath::adapt(Type& type) const {
    Fft fft(static_cast<int>(window * steps_));
    double const a = velocity_decay(step_size_, friction_), decay = 2 * (1 - a) / (1 + a);
    std::vector<double> work(frequencies_), heat(frequencies_);
    std::vector<Complex> v(fft.size()), noise(fft.size());
    for (std::size_t const i : type.particles)
        for (std::size_t axis = 0; axis < 3; axis += 2) {  // x and y as one complex number, then z
            std::ranges::fill(v, 0), std::ranges::fill(noise, 0);
            for (std::size_t s = 0; s < steps_; ++s) {
                auto const at = place(s, i) + axis;
                v[s] = {velocities_[at], axis == 0 ? velocities_[at + 1] : 0};
                noise[s] = {kicks_[at], axis == 0 ? kicks_[at + 1] : 0};
            }
            fft.forward(v.data()), fft.forward(noise.data());
            for (std::size_t k = 0; k < fft.size(); ++k) {
                auto const n = frequency_of(k);
                work[n] += (std::conj(v[k]) * noise[k]).real();
                heat[n] += std::norm(v[k]);
            }
        }
    double const spread = 2 / (1 + a) * std::sqrt(-std::expm1(-2 * friction_ * step_size_) * type.inverse_mass);
    double square = 0;
    for (std::size_t n = 0; n < frequencies_; ++n) {
        work[n] = spread * work[n] - decay * type.friction[n] / friction_ * heat[n];
        square += work[n] * work[n];
    }
    if (square == 0) return;
    double const change = type.rate * friction_ * static_cast<double>(steps_) * step_size_ / std::sqrt(square);
    for (std::size_t n = 0; n < frequencies_; ++n) type.friction[n] = std::max(0.0, type.friction[n] + change * work[n]);
}

std::map<std::string, double> QuantumBath::parameters() const {
    std::map<std::string, double> result;
    for (std::size_t n = 0; n < types_.size(); ++n) {
        result[QTBIntegrator::path_of_type(index_, n) + "particle"] = static_cast<double>(types_[n].particles.front());
        for (std::size_t k = 0; k < frequencies_; ++k)
            result[QTBIntegrator::path_of_friction(index_, n, k)] = types_[n].friction[k];
    }
    return result;
}

void QuantumBath::set_parameters(std::map<std::string, double> const& parameters) {
    for (std::size_t n = 0;; ++n) {
        auto const place = QTBIntegrator::path_of_type(index_, n);
        auto const particle = parameters.find(place + "particle");
        if (particle == parameters.end()) return;
        if (!(particle->second >= 0 && particle->second < static_cast<double>(type_of_.size())))
            throw InputError("the State has the adapted friction of particle " + std::to_string(particle->second)
                             + ", expected one of " + std::to_string(type_of_.size()) + " particles");
        auto& friction = types_[type_of_[static_cast<std::size_t>(particle->second)]].friction;
        for (std::size_t k = 0; k <= frequencies_; ++k) {
            auto const value = parameters.find(QTBIntegrator::path_of_friction(index_, n, k));
            if ((value == parameters.end()) != (k == frequencies_))
                throw InputError("the State has the adapted friction of particle " + std::to_string(static_cast<long>(particle->second))
                                 + " at another number of frequencies than the " + std::to_string(frequencies_)
                                 + " of this QTBIntegrator");
            if (k < frequencies_) friction[k] = value->second;
        }
    }
}

}  // namespace trotter
