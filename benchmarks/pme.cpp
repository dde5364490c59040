// The stages of particle mesh Ewald on one thread: spread, transforms, gather, and all; also FFTW's transforms if
// installed.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/cpu/dispatch_table.hpp>

#ifdef TROTTER_BESIDE_FFTW
#include <fftw3.h>
#endif

using namespace trotter;

namespace {

using Arch = cpu::DynamicDispatch;
constexpr int points = 56, particle_count = 23'558;  // as DHFR
constexpr double edge = 6.223;

template <class Real> struct Setup {
    MeshSettings mesh{.alpha = 2.9, .nx = points, .ny = points, .nz = points};
    Box box = Box::rectangular(edge, edge, edge);
    Threads threads{1};
    cpu::NeighborList<Arch, Real> neighbor_list;
    cpu::Pme<Arch, Real> pme{mesh, MeshKind::coulomb, cpu::exact_lists<Arch>.outer_limit};
    cpu::Aligned<Real> forces;

    Setup()
        : neighbor_list(0.9, true, {std::vector<std::vector<int>>(particle_count), true, false},
                        cpu::exact_lists<Arch>) {
        std::mt19937 generator(1);
        auto uniform = [&] { return edge * (static_cast<double>(generator()) / 0x1p32); };
        std::vector<Vec3<>> positions;
        for (int n = 0; n < particle_count; ++n) positions.push_back({uniform(), uniform(), uniform()});
        neighbor_list.update(positions, box, threads);
        for (int particle : clusters().particles)
            pme.charges.push_back(particle < 0 ? Real(0) : particle % 3 == 0 ? Real(-0.8) : Real(0.4));
        forces.resize(cpu::record_size * clusters().particles.size());
    }
    cpu::Clusters<Arch, Real> const& clusters() const { return neighbor_list.clusters; }
};

/// The whole mesh as one part, padded for the stencil at each end.
template <class Real> struct OnePart {
    static constexpr int row = 64, rows = points + cpu::spline_points;
    cpu::Aligned<Real> values = cpu::Aligned<Real>(rows * rows * row);
    cpu::MeshView<Real> view;

    explicit OnePart(Setup<Real> const& setup) {
        double const scale = points / edge;
        view = {setup.clusters().view(),
                setup.pme.charges.data(),
                0,
                static_cast<int>(setup.clusters().size()),
                {{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}},
                {points, points, points},
                0,
                -1,
                row,
                rows * row,
                values.data()};
    }
};

void set_rate(benchmark::State& state) {
    state.counters["particle"] =
        benchmark::Counter(particle_count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Real> void spread(benchmark::State& state) {
    Setup<Real> setup;
    OnePart<Real> part(setup);
    for (auto _ : state) {
        cpu::loops<Arch, Real>().spread(part.view);
        benchmark::ClobberMemory();
    }
    set_rate(state);
}
template <class Real> void gather(benchmark::State& state) {
    Setup<Real> setup;
    OnePart<Real> part(setup);
    std::vector<std::int32_t> planes, rows;
    for (int n = 0; n < part.rows; ++n) {
        planes.push_back(n * part.rows * part.row);
        rows.push_back(n * part.row);
    }
    for (auto _ : state) {
        cpu::loops<Arch, Real>().gather(part.view, planes.data(), rows.data(), setup.forces.data(),
                                       cpu::MeshForces::put);
        benchmark::ClobberMemory();
    }
    set_rate(state);
}
/// All stages: spread, transforms, gather, the sum over slabs and the convolution.
template <class Real> void whole(benchmark::State& state) {
    Setup<Real> setup;
    for (auto _ : state)
        benchmark::DoNotOptimize(
            setup.pme.compute(setup.clusters(), setup.forces, cpu::MeshForces::put, false, setup.threads));
    set_rate(state);
}

/// Forward and backward transforms in the pieces that tasks compute.
template <class Real> void transforms(benchmark::State& state) {
    cpu::MeshTransform<Arch, Real> const t(points, points, points);
    cpu::Aligned<Real> mesh(points * t.plane());
    for (auto _ : state) {
        for (std::size_t x = 0; x < points; ++x)
            t.forward_plane(mesh.data() + x * t.plane(), mesh.data() + x * t.plane());
        for (int y = 0; y < static_cast<int>(points); ++y)
            t.change_lines(mesh.data() + y * t.split_row(), [](Real*) {});
        for (std::size_t x = 0; x < points; ++x) t.backward_plane(mesh.data() + x * t.plane());
    }
}
#ifdef TROTTER_BESIDE_FFTW
/// The same by FFTW's three-dimensional plans, estimated and measured.
template <unsigned flags> void fftw_alone(benchmark::State& state) {
    cpu::Aligned<float> real(points * points * points);
    cpu::Aligned<std::complex<float>> spectrum(points * points * (points / 2 + 1));
    auto* const complex = reinterpret_cast<fftwf_complex*>(spectrum.data());
    auto* const forward = fftwf_plan_dft_r2c_3d(points, points, points, real.data(), complex, flags);
    auto* const backward = fftwf_plan_dft_c2r_3d(points, points, points, complex, real.data(), flags);
    for (auto _ : state) {
        fftwf_execute(forward);
        fftwf_execute(backward);
    }
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(backward);
}
#endif

}  // namespace

BENCHMARK(spread<float>)->Unit(benchmark::kMicrosecond);
BENCHMARK(spread<double>)->Unit(benchmark::kMicrosecond);
BENCHMARK(transforms<float>)->Unit(benchmark::kMicrosecond);
#ifdef TROTTER_BESIDE_FFTW
BENCHMARK(fftw_alone<FFTW_ESTIMATE>)->Unit(benchmark::kMicrosecond);
BENCHMARK(fftw_alone<FFTW_MEASURE>)->Unit(benchmark::kMicrosecond);
#endif
BENCHMARK(transforms<double>)->Unit(benchmark::kMicrosecond);
BENCHMARK(gather<float>)->Unit(benchmark::kMicrosecond);
BENCHMARK(gather<double>)->Unit(benchmark::kMicrosecond);
BENCHMARK(whole<float>)->Unit(benchmark::kMicrosecond);
BENCHMARK(whole<double>)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
