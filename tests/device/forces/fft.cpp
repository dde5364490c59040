// Tests FFTs of real meshes on a device against the host.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include <trotter/device/mesh/fft.hpp>
#include <trotter/reference/mesh/fft.hpp>

namespace {

using namespace trotter;
using DeviceEngine = device::Engine<TestedDevice::Queue>;
using Sizes = std::array<int, 3>;

template <class P> DeviceEngine make_engine() {
    Particles particles;
    particles.masses = {1};
    return {TestedDevice{}.open(), device::NumberTypes::of<P>, particles, Box{}, 1};
}

struct Errors {
    double forward = 0, backward = 0;  // root mean square, relative to that of the values
};

struct CopyLists {
    static constexpr char const *load_parameters = "GLOBAL const real* RESTRICT mesh",
                                *middle_parameters = "GLOBAL real2* RESTRICT copy",
                                *store_parameters = "GLOBAL real* RESTRICT mesh";
};

/// The hooks copy the mesh in, its transform out, and the mesh out.
template <class P> Errors errors(Sizes const& size, std::size_t local_memory = 48 * 1024) {
    auto engine = make_engine<P>();
    auto const [nx, ny, nz] = size;
    int const used = nz / 2 + 1;
    bool const is_double = engine.types.real_is_double;
    std::mt19937 generator(7);
    std::vector<double> values(static_cast<std::size_t>(nx * ny * nz));
    for (auto& value : values) value = static_cast<double>(generator()) / 0x1p31 - 1;
    device::NumberArray<TestedDevice::Queue> mesh(engine.queue, values, is_double), result(engine.queue, values.size(), is_double),
        copy(engine.queue, static_cast<std::size_t>(2 * nx * ny * used), is_double);
    device::FftHooks const hooks{
        .load = "mesh[at]", .middle = "copy[x*FFT_COLUMNS + column] = value;", .store = "mesh[at] = value;"};
    device::MeshTransform<TestedDevice::Queue, CopyLists> transform(engine, size, hooks, {}, local_memory);
    transform.load(engine.queue, mesh);
    transform.middle(engine.queue, copy);
    transform.store(engine.queue, result);

    std::vector<reference::Complex> expected(values.begin(), values.end());
    if (!is_double)
        for (auto& value : expected) value = static_cast<float>(value.real());
    reference::Fft3D(nx, ny, nz).forward(expected);
    auto const got = copy.download(engine.queue), back = result.download(engine.queue);
    double sum = 0, difference = 0;
    for (int row = 0; row < nx * ny; ++row)
        for (int z = 0; z < used; ++z) {
            auto const at = 2 * static_cast<std::size_t>(row * used + z);
            auto const& right = expected[static_cast<std::size_t>(row * nz + z)];
            difference += std::norm(reference::Complex(got[at], got[at + 1]) - right);
            sum += std::norm(right);
        }
    Errors errors{std::sqrt(difference / sum)};
    sum = difference = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
        difference += std::pow(back[n] / (nx * ny * nz) - values[n], 2);
        sum += values[n] * values[n];
    }
    errors.backward = std::sqrt(difference / sum);
    return errors;
}

template <class P> void check(Sizes const& size, std::size_t local_memory = 48 * 1024) {
    CAPTURE(P::name, size, local_memory);
    auto const [forward, backward] = errors<P>(size, local_memory);
    double const limit = std::is_same_v<P, Double> ? 1e-14 : 1e-6;
    CHECK(forward < limit);
    CHECK(backward < limit);
}

}  // namespace

TEST_CASE("Large sizes with large primes give way to the next that is fast", "[host][fft]") {
    for (auto const& [wanted, fast] : {std::array{56, 56}, {37, 37}, {67, 70}, {111, 112}, {167, 168}, {222, 224}, {225, 225}, {1021, 1024}})
        CHECK(device::fast_size(wanted) == fast);
}

TEST_CASE("Transforms of lines of every kind along every axis agree with the host's", "[device][fft]") {
    // Single codelets (1, 2, 3, 4, 5, 7, 8, 11, 13), powers and products of codelets, and summed primes (17, 53, 107),
    // alone, twice and between others. Compilation dominates the time, so each mesh combines three sizes.
    for (Sizes const& size : {Sizes{1, 2, 3}, {5, 1, 8}, {8, 13, 1}, {13, 4, 11}, {11, 7, 2}, {27, 64, 53}}) check<Double>(size);
    for (Sizes const& size : {Sizes{64, 9, 7}, {17, 22, 60}, {60, 34, 32}, {2, 49, 17}, {3, 107, 108}}) check<Single>(size);
    check<Double>({107, 108, 4});
    check<Double>({121, 3, 250});
    check<Single>({250, 289, 5});
}

TEST_CASE("Meshes of different and of large sizes", "[device][fft]") {
    check<Double>({30, 42, 64});
    check<Mixed>({56, 56, 56});
    check<Mixed>({107, 40, 107});
}

TEST_CASE("Planes that do not fit into local memory are cut into rows and lines", "[device][fft]") {
    check<Double>({16, 18, 20}, 6000);
    check<Single>({9, 22, 31}, 4200);
    CHECK_THROWS_AS((errors<Double>({4, 4, 4000})), UnsupportedError);
}
