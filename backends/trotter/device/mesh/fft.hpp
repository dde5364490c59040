// Three-dimensional FFTs of real meshes on a device, with hooks for input, spectrum and output.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/mesh/fft_kernels.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>

namespace trotter::device {

/// FFT of a real mesh of any sizes, element (x, y, z) at (x·ny + y)·nz + z: X_k = Σ_n x_n exp(-2 pi i n·k/size) for kz
/// = 0 … nz/2, and the unnormalized inverse. If a plane of equal x fits into local memory, there are three launches:
/// planes, lines along x (forward, the hook on the spectrum, back), planes; otherwise five, with separate launches for
/// rows along z and lines along y. A batch of `meshes` takes the same number of launches. `Lists` has the parameters of
/// hooks, `load_parameters` and so on.
template <DeviceQueue Q, class Lists> class MeshTransform {
    using Load = ParameterList<fft_load_parameters, Lists::load_parameters>;
    using Middle = ParameterList<fft_line_parameters, Lists::middle_parameters>;
    using Store = ParameterList<fft_store_parameters, Lists::store_parameters>;

public:
    /// Throws UnsupportedError if a line along some axis does not fit into local memory. `local_memory` [bytes] is the
    /// limit per work-group; every CUDA device provides 48 KB.
    MeshTransform(Engine<Q>& engine, std::array<int, 3> const& size, FftHooks const& hooks,
                  std::string const& text = {}, std::size_t local_memory = 48 * 1024, int meshes = 1)
        : plan_(size, engine.types.real_is_double, std::min(local_memory, engine.queue.properties().local_memory),
                engine.queue.properties().largest_group, meshes) {
        auto program = engine.compile(
            text + fft_text(plan_, hooks, {Load::text(), Middle::text(), Store::text()}, engine.types.real_suffix()));
        load_.take(program, "fft_load");
        middle_.take(program, "fft_middle");
        store_.take(program, "fft_store");
        if (!plan_.whole_planes) {
            forward_.take(program, "fft_forward");
            backward_.take(program, "fft_backward");
        }
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<double> roots;
            append_roots(roots, size[static_cast<std::size_t>(axis)]);
            roots_[static_cast<std::size_t>(axis)] = NumberArray<Q>(engine.queue, roots, engine.types.real_is_double);
        }
        spectrum_ = NumberArray<Q>(engine.queue, 2 * plan_.spectrum_size(), engine.types.real_is_double);
    }

    int launches() const { return plan_.whole_planes ? 3 : 5; }

    /// The arguments are those declared for the hook of the same name.
    template <class... As> void load(Q& queue, As const&... arguments) {
        load_.launch(queue, groups(plan_.row_blocks(), plan_.row_group), spectrum_, roots_[2], roots_[1], arguments...);
        if (!plan_.whole_planes) forward_.launch(queue, groups(plan_.y.blocks(), plan_.y.group), spectrum_, roots_[1]);
    }
    template <class... As> void middle(Q& queue, As const&... arguments) {
        middle_.launch(queue, groups(plan_.x.blocks(), plan_.x.group), spectrum_, roots_[0], arguments...);
    }
    template <class... As> void store(Q& queue, As const&... arguments) {
        if (!plan_.whole_planes) backward_.launch(queue, groups(plan_.y.blocks(), plan_.y.group), spectrum_, roots_[1]);
        store_.launch(queue, groups(plan_.row_blocks(), plan_.row_group), spectrum_, roots_[2], roots_[1],
                      arguments...);
    }

private:
    static LaunchGrid groups(int blocks, int size) {
        return {std::min<std::size_t>(static_cast<std::size_t>(blocks), 4096), static_cast<std::size_t>(size)};
    }

    FftPlan plan_;
    TypedKernel<Q, Load> load_;
    TypedKernel<Q, Middle> middle_;
    TypedKernel<Q, Store> store_;
    TypedKernel<Q, ParameterList<fft_line_parameters>> forward_, backward_;
    std::array<NumberArray<Q>, 3> roots_;
    NumberArray<Q> spectrum_;
};

}  // namespace trotter::device
