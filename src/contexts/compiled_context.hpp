// A Context behind functions that are compiled in a file of its own, one for each backend and precision.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/any_context.hpp>

namespace trotter {

/// Declared here for all, defined in `compiled_context_members.hpp` for the file that instantiates it: so nobody else
/// has to compile the kernels. Members without a comment are those of `Context`.
template <class B, class P> class CompiledContext {
public:
    CompiledContext(StandardSystem const& system, AnyIntegrator const& integrator, BackendChoice const& choice);
    CompiledContext(CompiledContext const&) = delete;
    ~CompiledContext();

    void set_state(State const& state);
    State state(StateData data, ForceGroups const& groups);
    void set_parameter(std::string_view name, double value);
    void set_velocities_to_temperature(double temperature, std::uint64_t seed);
    void compute_virtual_sites();

    std::int64_t step(std::int64_t steps, std::stop_token stop);
    double evaluate(Request const& request);
    std::vector<double> const& energies() const;
    double kinetic_energy();
    MinimizationResult minimize(MinimizationSettings const& settings);

    double time() const;
    std::int64_t step_count() const;
    Box const& box() const;
    std::vector<Vec3<>> const& positions() const;
    std::vector<std::vector<int>> const& molecules() const;
    std::uint64_t seed() const;
    ForceGroups const& integration_groups() const;
    double step_size() const;
    int degrees_of_freedom() const;
    /// Without the processor's name.
    PlatformDescription description() const;

    void save(Archive& archive);
    void load(Archive& archive);

    static std::vector<KernelEntry> kernels();
    static std::string fft_library();

private:
    struct Made;
    std::unique_ptr<Made> made_;
};

}  // namespace trotter
