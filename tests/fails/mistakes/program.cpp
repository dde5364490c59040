// A valid user program, in which mistakes.py makes one mistake at a time.
// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

/// A queue that does nothing, and a launch of a kernel.
struct NoQueue {
    struct Buffer {
        std::vector<int> memory;
        std::size_t bytes() const { return 0; }
        device::Argument argument() const { return {}; }
    };
    struct Kernel {};
    struct Program {
        Kernel kernel(std::string const&) const { return {}; }
    };
    device::DeviceProperties properties() const { return {}; }
    device::Version version() const { return {}; }
    Buffer allocate(std::size_t) { return {}; }
    void upload(Buffer&, std::size_t, void const*, std::size_t) {}
    void download(Buffer const&, std::size_t, void*, std::size_t) {}
    void clear(Buffer&) {}
    Program compile(std::string const&) { return {}; }
    void launch(Kernel&, device::LaunchGrid, std::span<device::Argument const>) {}
    void finish() {}
};
constexpr char const* scaling =
    "KERNEL void scale(GLOBAL real* RESTRICT numbers, GLOBAL const int* chosen, int count) {}";
inline void scale(NoQueue& queue, device::SourceKernels<NoQueue, scaling>& kernels,
                  device::NumberArray<NoQueue> const& numbers, device::Array<NoQueue, std::int32_t> const& chosen) {
    device::launch<"scale">(queue, kernels, {1, 64}, numbers, chosen, std::int32_t{1});
}

/// A sum over terms.
struct SpringForce {
    static constexpr std::string_view name = "SpringForce";
    struct Spring {
        int particle1 = 0, particle2 = 0;
        double length = 0, k = 0;
    };
    std::vector<Spring> springs;
    int force_group = 0;

    static constexpr auto terms = &SpringForce::springs;
    static constexpr auto particles = std::array{&Spring::particle1, &Spring::particle2};
    static constexpr auto variables = std::array{Distance{"r", {0, 1}}};
    static constexpr auto fields = std::array{Field{"length", &Spring::length}, Field{"k", &Spring::k}};
    static constexpr Expression<"k/2*(r - length)^2"> energy{};
};

/// A sum over pairs.
struct ChargeForce {
    static constexpr std::string_view name = "ChargeForce";
    struct Particle {
        double q = 0;
    };
    std::vector<Particle> charges;
    PairSettings pairs;
    int force_group = 0;

    static constexpr auto sites = &ChargeForce::charges;
    static constexpr auto fields = std::array{Field{"q", &Particle::q}};
    static constexpr Expression<"q1*q2/r"> energy{};
};

/// A sum over both, and on a mesh.
struct ChainForce {
    static constexpr std::string_view name = "ChainForce";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double strength = 1;
    };
    struct Bead {
        double size = 1, charge = 0;
    };
    std::vector<Bond> bonds;
    std::vector<Bead> beads;
    PairSettings near;
    MeshSettings mesh{3, 10, 10, 10};
    int force_group = 0;

    static constexpr auto parts = std::tuple{
        Terms{&ChainForce::bonds, std::array{&Bond::particle1, &Bond::particle2}, std::array{Distance{"d", {0, 1}}},
              std::array{Field{"strength", &Bond::strength}}, Expression<"strength*d^2">{}},
        Pairs{&ChainForce::beads, &ChainForce::near, std::array{Field{"size", &Bead::size}}, Expression<"size1*size2/r^6">{}},
        Mesh{&ChainForce::beads, &Bead::charge, &ChainForce::near, &ChainForce::mesh}};
};

/// A force with its own kernel.
struct PullForce {
    static constexpr std::string_view name = "PullForce";
    double strength = 1;
    int force_group = 0;
};
template <> struct trotter::Kernel<PullForce, Reference, Double> {
    Kernel(PullForce const& force, Engine<Reference, Double>&, Registration) : strength(force.strength) {}
    double compute(Engine<Reference, Double>& engine, Request const&) {
        engine.host.forces[0].x += strength;
        return 0;
    }
    void update(PullForce const& force, Engine<Reference, Double>&) { strength = force.strength; }
    void save(Archive& archive) const { archive.put(strength); }
    void load(Archive& archive) { strength = archive.get<double>(); }

    double strength;
};

struct MyIntegrator {
    static constexpr std::string_view name = "MyIntegrator";
    static constexpr Splitting splitting{"V R O R"};
    double temperature = 300;
    double friction = 1;
    double step_size = 0.001;
    double constraint_tolerance = 1e-5;
    ForceGroups force_groups{};
};

struct MyReporter {
    std::int64_t interval = 10;
    double sum = 0;
    void report(auto& context) { sum += context.state(Energy).potential_energy / context.time(); }
};

int main() {
    System<ForceList<SpringForce, ChargeForce, ChainForce, PullForce>> system;
    system.add(SpringForce{});
    Context context{system, MyIntegrator{}, Reference{}, Double{}};
    Context nested{system, MultipleStepIntegrator<NestedSplitting{"V1 (V0 R V0)^4 V1"}>{}, Reference{}, Double{}};
    context.set_positions({});
    context.update(0, SpringForce{});
    context.step(1);
    nested.step(1);
    MyReporter reporter;
    TrajectoryReporter trajectory{"trajectory.dcd", context};
    LogReporter log{"log.csv", context};
    simulate(context, 10, reporter, trajectory, log);
    return context.state(Energy).potential_energy > 0;
}
