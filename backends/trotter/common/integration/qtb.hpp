// Adaptive quantum thermal bath: colored noise, adapted segment by segment.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/integrators/qtb.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Mean energy of a quantum oscillator [kJ/mol] at a frequency [1/ps].
double quantum_energy(double frequency, double temperature);

/// Noise spectrum for which oscillators with this friction have mean kinetic energies `wanted`/2: deconvolves the
/// kernel w²/((w² - w0²)² + g² w²) by the iteration of M. Rossi, V. Kapil, M. Ceriotti, J. Chem. Phys. 148, 102301
/// (2018), which keeps it positive. Both are at the frequencies 0, `spacing`, 2 `spacing` ….
std::vector<double> unsmeared(std::vector<double> const& wanted, double spacing, double friction);

class QuantumBath {
public:
    /// Throws InputError for invalid types or parameters.
    QuantumBath(QTBIntegrator const& integrator, HostState const& host, Registration who);

    /// Acts on the velocities for one step.
    void act(HostState& host, double temperature);

    /// Adapted friction of a particle at the frequencies i pi/(count dt) [1/ps]. Throws InputError for an invalid
    /// index.
    std::vector<double> const& adapted_friction(int particle) const { return types_[type_number(particle)].friction; }
    /// Sets it for all particles of the same type. Throws InputError for an invalid index or number of frequencies.
    void set_adapted_friction(int particle, std::vector<double> const& friction) {
        auto& own = types_[type_number(particle)].friction;
        if (friction.size() != own.size())
            throw InputError("the adapted friction has " + std::to_string(friction.size()) + " values, expected "
                             + std::to_string(own.size()));
        own = friction;
    }
    std::map<std::string, double> parameters() const;
    void set_parameters(std::map<std::string, double> const& parameters);

    template <class Archive> void save(Archive& archive) const {
        archive.put(std::uint64_t{done_});
        archive.put(first_step_);
        archive.put(noise_temperature_);
        for (auto const& type : types_) archive.put(type.friction);
        archive.put(kicks_);
        archive.put(velocities_);
    }
    template <class Archive> void load(Archive& archive) {
        done_ = static_cast<std::size_t>(archive.template get<std::uint64_t>());
        first_step_ = archive.template get<std::uint64_t>();
        auto const temperature = archive.template get<double>();
        for (auto& type : types_) type.friction = archive.template get_vector<double>();
        kicks_ = archive.template get_vector<double>();
        velocities_ = archive.template get_vector<double>();
        if (temperature >= 0) find_spectrum(temperature);
    }

private:
    struct Type {
        double rate = 0, inverse_mass = 0;
        std::vector<std::size_t> particles{};
        std::vector<double> friction{};  // adapted, per frequency
    };
    std::size_t type_number(int particle) const {
        if (particle < 0 || static_cast<std::size_t>(particle) >= type_of_.size())
            throw InputError("there is no particle " + std::to_string(particle) + "; the System has "
                             + std::to_string(type_of_.size()) + " particles, counted from 0");
        return type_of_[static_cast<std::size_t>(particle)];
    }
    void find_types(QTBIntegrator const& integrator, HostState const& host);
    void find_spectrum(double temperature);
    void begin_segment(HostState& host, double temperature);
    void adapt(HostState& host);
    void adapt(Type& type) const;
    std::size_t place(std::size_t step, std::size_t particle) const { return 3 * (step * type_of_.size() + particle); }
    std::size_t frequency_of(std::size_t k) const;

    double friction_, step_size_, cutoff_frequency_;
    int index_;
    std::size_t steps_;        // of a segment
    std::size_t frequencies_;  // of the noise, from 0
    RandomStream noise_;
    std::vector<Type> types_;  // in the order of their first particles
    std::vector<std::size_t> type_of_;
    std::vector<double> spectrum_;  // energy of the noise at each frequency
    double noise_temperature_ = -1;
    std::size_t done_ = 0;          // steps of this segment
    std::uint64_t first_step_ = 0;  // of this segment
    std::vector<double> kicks_, velocities_;  // indexed by step of the segment, particle and component
};

template <HostBackend B, Precision P>
struct Kernel<QTBIntegrator, B, P> : LiveIntegrator<QTBIntegrator>, QuantumBath {
    Kernel(QTBIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator(integrator),
          QuantumBath(integrator, engine.host, who),
          stepper_(OperatorSequence::middle_scheme(integrator.force_groups), {}, engine.host.size()) {}

    void step(HostState& host, ForceEvaluator evaluate) {
        stepper_.step(host, evaluate, fixed_step(integrator_), [&] { act(host, integrator_.temperature); });
        host.time += integrator_.step_size;
    }

    double kinetic_energy(HostState& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0.5 * integrator_.step_size; }
    /// Throws InputError for another value: frequencies and segments depend on it.
    void set_step_size(double step_size) {
        if (step_size != integrator_.step_size)
            throw InputError("the step size of a QTBIntegrator cannot change while it runs, expected "
                             + std::to_string(integrator_.step_size));
    }
    void set_friction(double) = delete;  // segments depend on it

    template <class Archive> void save(Archive& archive) const {
        archive.put(integrator_.temperature);
        QuantumBath::save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        integrator_.temperature = archive.template get<double>();
        QuantumBath::load(archive);
    }

private:
    SequenceStepper stepper_;
};

}  // namespace trotter
