// The parts of NonbondedForce on Cpu: pair loop per slot and per pair in range, lists, mesh, transforms.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <random>

#include <trotter/cpu.hpp>
#include <trotter/cpu/dispatch_table.hpp>
#include <trotter/precision.hpp>

using namespace trotter;

namespace {

using Arch = cpu::DynamicDispatch;

/// Three-site molecules at the density of water.
struct Water {
    Box box;
    std::vector<Vec3<>> positions;
    NonbondedForce force;

    Water(int edge, NonbondedForce::Method method)
        : box(Box::rectangular(0.3106 * edge, 0.3106 * edge, 0.3106 * edge)) {
        std::mt19937 generator(1);
        auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
        for (int n = 0; n < edge * edge * edge; ++n) {
            Vec3<> const o = Vec3<>{n % edge + 0.5, n / edge % edge + 0.5, n / edge / edge + 0.5} * 0.3106
                             + Vec3<>{uniform(), uniform(), uniform()} * 0.03;
            int const first = 3 * n;
            for (Vec3<> const& d : {Vec3<>{}, Vec3<>{0.0957, 0, 0}, Vec3<>{-0.024, 0.0927, 0}})
                positions.push_back(o + d);
            force.particles.insert(force.particles.end(), {{-0.834, 0.315, 0.636}, {0.417, 1, 0}, {0.417, 1, 0}});
            for (auto [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) force.exceptions.push_back({first + i, first + j});
        }
        force.method = method;
        force.cutoff_distance = 0.9;
    }
};

template <class P> struct Setup {
    using Real = typename P::Real;
    Water water;
    Threads threads{1};
    cpu::NeighborList<Arch, Real> neighbor_list;
    cpu::SlotParameters<Arch, Real> parameters;
    cpu::PairConstants<Real> constants;
    double pairs = 0;

    explicit Setup(NonbondedForce::Method method)
        : water(20, method),
          neighbor_list(water.force.cutoff_distance, true, {exclusions(water.force), water.force.uses_ewald(), false},
                        cpu::pair_list_buffers<Real>(Cpu{}, water.positions.size())),
          constants(cpu::pair_constants<Real>(
              direct_space(water.force, {.pme = {.alpha = water.force.uses_ewald() ? chosen_alpha(0.9, 5e-4) : 0}}))) {
        std::vector<char> bare;
        for (auto const& particle : water.force.particles) bare.push_back(particle.epsilon == 0);
        neighbor_list.set_without_lj(bare);
        neighbor_list.update(water.positions, water.box, threads);
        auto& clusters = neighbor_list.clusters;
        constexpr std::size_t stride = cpu::parameter_stride(3);
        parameters.records.assign(stride * clusters.slot_count(), Real(0));
        for (std::size_t slot = 0; slot < clusters.particles.size(); ++slot) {
            if (clusters.particles[slot] < 0) continue;
            auto const& p = water.force.particles[static_cast<std::size_t>(clusters.particles[slot])];
            LennardJonesSite const stated(p);
            auto const site = cpu::loop_site<Real>(stated.half_sigma, stated.root);
            Real* const to = parameters.records.data() + stride * slot;
            to[0] = static_cast<Real>(std::sqrt(constants::coulomb) * p.charge);
            clusters.set_charge(slot, to[0]);
            to[1] = site.half_length;
            to[2] = site.root;
        }
        double const density = static_cast<double>(water.positions.size()) / water.box.volume();
        pairs = static_cast<double>(water.positions.size()) * density * 4 / 3 * 3.14159265 * 0.729 / 2;
    }
};

template <class P, NonbondedForce::Method method, bool energy> void pair_loop(benchmark::State& state) {
    Setup<P> setup(method);
    for (auto _ : state)
        for (int task = 0; task < setup.neighbor_list.task_count(); ++task)
            benchmark::DoNotOptimize(cpu::loops<Arch, typename P::Real>().pairs(
                setup.neighbor_list.view(task, setup.parameters), setup.constants, energy));
    auto const slots = static_cast<double>(setup.neighbor_list.pair_count());
    auto time_of_one = [](double count) {
        return benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    };
    state.counters["slot"] = time_of_one(slots);
    state.counters["pair"] = time_of_one(setup.pairs);
    state.counters["slots/pair"] = slots / setup.pairs;
}

void list(benchmark::State& state) {
    Setup<Mixed> setup(NonbondedForce::Method::pme);
    Box const boxes[] = {setup.water.box, Box::rectangular(setup.water.box.a.x, setup.water.box.b.y,
                                                           std::nextafter(setup.water.box.c.z, 9))};
    int which = 0;
    for (auto _ : state) setup.neighbor_list.update(setup.water.positions, boxes[which ^= 1], setup.threads);
}

template <class P> void mesh(benchmark::State& state) {
    Setup<P> setup(NonbondedForce::Method::pme);
    auto const charges = reciprocal_charges(setup.water.force, MeshKind::coulomb, setup.water.box);
    cpu::Pme<Arch, typename P::Real> pme(charges->mesh(), MeshKind::coulomb,
                                         setup.neighbor_list.largest_displacement());
    auto const& particles = setup.neighbor_list.clusters.particles;
    cpu::Aligned<typename P::Real> forces(cpu::record_size * particles.size());
    for (int particle : particles)
        pme.charges.push_back(particle < 0 ? 0
                                           : static_cast<typename P::Real>(
                                               setup.water.force.particles[static_cast<std::size_t>(particle)].charge));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            pme.compute(setup.neighbor_list.clusters, forces, cpu::MeshForces::put, false, setup.threads));
}

template <class Real> void transform(benchmark::State& state) {
    int const n = static_cast<int>(state.range(0));
    cpu::MeshTransform<Arch, Real> const t(n, n, n);
    cpu::Aligned<Real> mesh(static_cast<std::size_t>(n) * t.plane());
    auto const plane = [&](int x) { return mesh.data() + static_cast<std::size_t>(x) * t.plane(); };
    for (auto _ : state) {
        for (int x = 0; x < n; ++x) t.forward_plane(plane(x), plane(x));
        for (int y = 0; y < n; ++y) t.change_lines(mesh.data() + y * t.split_row(), [](Real*) {});
        for (int x = 0; x < n; ++x) t.backward_plane(plane(x));
    }
}

}  // namespace

using Method = NonbondedForce::Method;
BENCHMARK(pair_loop<Mixed, Method::pme, false>)->Unit(benchmark::kMillisecond);
BENCHMARK(pair_loop<Mixed, Method::pme, true>)->Unit(benchmark::kMillisecond);
BENCHMARK(pair_loop<Mixed, Method::cutoff_periodic, false>)->Unit(benchmark::kMillisecond);
BENCHMARK(pair_loop<Double, Method::pme, false>)->Unit(benchmark::kMillisecond);
BENCHMARK(list)->Unit(benchmark::kMillisecond);
BENCHMARK(mesh<Mixed>)->Unit(benchmark::kMillisecond);
BENCHMARK(mesh<Double>)->Unit(benchmark::kMillisecond);
BENCHMARK(transform<float>)->Arg(28)->Arg(56)->Arg(60)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
