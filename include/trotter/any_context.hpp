// A Context whose backend and precision are chosen while the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/io/archive.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/minimize.hpp>
#include <trotter/request.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>

namespace trotter {

/// Where and in what a Context computes.
struct BackendChoice {
    std::string platform;             ///< reference, cpu, opencl, cuda; empty: the best that can do it
    std::string precision = "mixed";  ///< single, mixed, double; `reference` computes in double whatever stands here
    int device = 0;                   ///< of `opencl` and `cuda`, counted from 0
    int threads = 0;                  ///< 0: as many as the process may use
    std::uint64_t seed = 1;           ///< of all random numbers whose consumers have no seed of their own
    std::string instruction_set;      ///< of the Cpu backend, for the whole process; empty: the one in use
};

/// What a Context was made of. Two with equal `platform`, `precision`, `instruction_set`, `fft` and `accelerator` give
/// equal bits.
struct PlatformDescription {
    std::string platform, precision;
    std::string instruction_set, fft;  ///< empty where there is none
    std::string accelerator;           ///< name and driver of the device of `opencl` and `cuda`
    int threads = 1;
    std::string device;  ///< all of it in one line, on hosts with the processor's name
};

/// A line of the compile-time registry.
struct KernelEntry {
    enum class Kind { own, borrowed, missing };
    std::string_view operation;  ///< the force or integrator
    bool is_integrator = false;
    std::string_view platform, precision;
    Kind kind = Kind::own;
};

/// The run-time door to the compiled `Context<StandardSystem, B, P>`: holds one of them. Files and the program use it;
/// where the backend is known when compiling, use `Context` itself. Its members do what those of `Context` with the
/// same names do, and throw the same. Moves, and does not copy.
class AnyContext {
public:
    /// Throws UnsupportedError where this build has no such platform, or no kernel there for a force or the integrator;
    /// InputError where the System or the integrator makes no sense.
    AnyContext(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice = {});
    AnyContext(AnyContext&&) noexcept;
    AnyContext& operator=(AnyContext&&) noexcept;
    ~AnyContext();

    void set_state(State const& state);
    State state(StateData data = StateData::none, ForceGroups const& groups = {});
    void set_parameter(std::string_view name, double value);
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0);
    void compute_virtual_sites();

    std::int64_t step(std::int64_t steps, std::stop_token stop = {});
    double evaluate(Request const& request);
    /// By force, of the last evaluation [kJ/mol].
    std::vector<double> const& energies() const;
    double kinetic_energy();
    MinimizationResult minimize(MinimizationSettings const& settings = {});

    double time() const;
    std::int64_t step_count() const;
    Box const& box() const;
    std::vector<Vec3<>> const& positions() const;
    std::vector<std::vector<int>> const& molecules() const;
    std::uint64_t seed() const;
    /// The force groups of the current integrator, and its step [ps] (of variable ones: the last).
    ForceGroups const& integration_groups() const;
    double step_size() const;
    /// 3 for each particle with mass, less one for each constraint with an end of mass, less 3 where a CMMotionRemover
    /// acts.
    int degrees_of_freedom() const;

    /// Everything that a step changes, for a bit-exact continuation by `load` in an equal Context.
    void save(Archive& archive);
    void load(Archive& archive);

    PlatformDescription const& platform() const;

private:
    struct Held;
    std::unique_ptr<Held> held_;
};

/// The kernels of this build: every force and integrator on every platform and precision.
std::vector<KernelEntry> list_kernels();

/// A device that this build can use, as `trotter platforms` shows it.
struct DeviceEntry {
    std::string platform, description;
};
/// Those of `opencl` and `cuda` begin with their number.
std::vector<DeviceEntry> list_devices();

/// The platforms of this build, with or without a device.
std::vector<std::string_view> list_platforms();

/// The library that the Cpu backend's Fourier transforms come from, with its version; empty without that backend.
std::string fft_library();

}  // namespace trotter
