// Solves for induced dipoles on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <trotter/amoeba/multipoles/convergence.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/device/runtime/launch.hpp>

namespace trotter::amoeba {

/// Both sets of vectors of all sites: dipoles [e nm] or fields [e/nm²].
template <device::DeviceQueue Q> struct DeviceSets {
    device::NumberArray<Q> d, p;

    explicit DeviceSets(device::Engine<Q>& engine)
        : d(engine.queue, 4 * engine.padded, engine.types.real_is_double),
          p(engine.queue, 4 * engine.padded, engine.types.real_is_double) {
        d.clear(engine.queue);
        p.clear(engine.queue);
    }
};

/// Preconditioned conjugate gradients, as the host's `ConjugateGradients`, with all vectors on the device. The device
/// judges the convergence: iterations beyond it change nothing, so that the host launches as many as the last evaluation
/// needed before it waits for the result.
template <device::DeviceQueue Q> class DeviceConjugateGradients {
    using Sets = DeviceSets<Q>;
    using Numbers = device::NumberArray<Q>;

public:
    explicit DeviceConjugateGradients(device::Engine<Q>& engine)
        : parts_(device::parts_of(engine.host.size())),
          change_(engine),
          direction_(engine),
          image_(engine),
          gradient_(engine),
          curvatures_(products(engine)),
          changes_(products(engine)),
          squares_{products(engine), products(engine)},
          totals_(engine.queue, 3, engine.types.coordinate_is_double),
          limit_(engine.queue.version(), engine.types.coordinate_is_double) {}

    int parts() const { return parts_; }
    void take_kernels(typename Q::Program& program) {
        first_change_ = program.kernel("first_change");
        apply_matrix_ = program.kernel("apply_matrix");
        advance_ = program.kernel("advance");
        redirect_ = program.kernel("redirect");
        find_changes_ = program.kernel("find_changes");
    }
    /// The gradients of the mesh's potentials, for `launch_field`.
    Sets& gradient() { return gradient_; }
    /// The last change α(E + T μ) - μ, which is α times the residual; 0 before the first use.
    Sets const& change() const { return change_; }

    /// Starts from `dipoles`, those that the field of permanent moments induces. `launch_field(sets)` launches the sums of
    /// the field of dipoles. Throws SimulationError if `most` iterations do not bring the rms change below `target` [D].
    /// Returns the number of iterations.
    template <class LaunchField>
    int solve(device::Engine<Q>& engine, Numbers const& polarizability, Sets const& field, Sets& dipoles,
              double target, int most, LaunchField const& launch_field) {
        double const per_size = debye / std::sqrt(static_cast<double>(engine.host.size()));
        limit_ = (target / per_size) * (target / per_size);
        launch_field(dipoles);
        device::launch(engine.queue, first_change_, grid(), engine.forces, polarizability, field.d, field.p, gradient_.d,
                       gradient_.p, dipoles.d, dipoles.p, change_.d, change_.p, direction_.d, direction_.p, squares_[0],
                       changes_, totals_);
        int launched = 0;
        for (int until = std::min(most, last_);; until = std::min(most, launched + 1)) {
            for (; launched < until; ++launched) launch_iteration(engine, launched, polarizability, dipoles, launch_field);
            device::launch(engine.queue, find_changes_, {1, 64}, changes_, totals_);
            auto const found = totals_.download(engine.queue);
            double const error = per_size * std::sqrt(std::max(found[0], found[1]));
            if (!(error >= target)) return last_ = static_cast<int>(found[2]);  // or the positions are not finite
            if (launched == most) refuse_induction(most, error, target);
        }
    }

private:
    Numbers products(device::Engine<Q>& engine) const {
        return {engine.queue, static_cast<std::size_t>(2 * parts_), engine.types.coordinate_is_double};
    }
    device::LaunchGrid grid() const { return {static_cast<std::size_t>(parts_), 64}; }
    template <class LaunchField>
    void launch_iteration(device::Engine<Q>& engine, int number, Numbers const& polarizability, Sets& dipoles,
                          LaunchField const& launch_field) {
        auto const &old = squares_[static_cast<std::size_t>(number % 2)],
                   &next = squares_[static_cast<std::size_t>((number + 1) % 2)];
        auto& queue = engine.queue;
        launch_field(direction_);
        device::launch(queue, apply_matrix_, grid(), engine.forces, polarizability, gradient_.d, gradient_.p, direction_.d,
                       direction_.p, image_.d, image_.p, curvatures_);
        device::launch(queue, find_changes_, {1, 64}, changes_, totals_);
        device::launch(queue, advance_, grid(), polarizability, old, curvatures_, direction_.d, direction_.p, image_.d, image_.p,
                       dipoles.d, dipoles.p, change_.d, change_.p, next, changes_, totals_, limit_);
        device::launch(queue, redirect_, grid(), old, next, change_.d, change_.p, direction_.d, direction_.p);
    }

    int parts_;
    Sets change_, direction_, image_, gradient_;
    Numbers curvatures_, changes_;
    std::array<Numbers, 2> squares_;
    Numbers totals_;  // Σ change² of both sets, and the number of iterations
    device::ChangingReal limit_;
    int last_ = 0;  // iterations of the last evaluation
    typename Q::Kernel first_change_, apply_matrix_, advance_, redirect_, find_changes_;
};

}  // namespace trotter::amoeba
