// Three-dimensional Fourier transforms of real meshes, in pieces that tasks carry out. The only file that calls FFTW.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fftw3.h>

#include <trotter/cpu/dense_transform.hpp>

namespace trotter::cpu {

namespace detail {

[[gnu::always_inline]] inline void destroy(fftwf_plan plan) { fftwf_destroy_plan(plan); }
[[gnu::always_inline]] inline void destroy(fftw_plan plan) { fftw_destroy_plan(plan); }
[[gnu::always_inline]] inline void execute(fftwf_plan plan, float* in, std::complex<float>* out) {
    fftwf_execute_dft_r2c(plan, in, reinterpret_cast<fftwf_complex*>(out));
}
[[gnu::always_inline]] inline void execute(fftw_plan plan, double* in, std::complex<double>* out) {
    fftw_execute_dft_r2c(plan, in, reinterpret_cast<fftw_complex*>(out));
}
[[gnu::always_inline]] inline void execute(fftwf_plan plan, std::complex<float>* in, float* out) {
    fftwf_execute_dft_c2r(plan, reinterpret_cast<fftwf_complex*>(in), out);
}
[[gnu::always_inline]] inline void execute(fftw_plan plan, std::complex<double>* in, double* out) {
    fftw_execute_dft_c2r(plan, reinterpret_cast<fftw_complex*>(in), out);
}
[[gnu::always_inline]] inline void execute(fftwf_plan plan, std::complex<float>* in, std::complex<float>* out) {
    fftwf_execute_dft(plan, reinterpret_cast<fftwf_complex*>(in), reinterpret_cast<fftwf_complex*>(out));
}
[[gnu::always_inline]] inline void execute(fftw_plan plan, std::complex<double>* in, std::complex<double>* out) {
    fftw_execute_dft(plan, reinterpret_cast<fftw_complex*>(in), reinterpret_cast<fftw_complex*>(out));
}

}  // namespace detail

/// A real mesh [x][y][z] and its transform: the planes of equal x are transformed in y and z, then the lines along x.
/// Plans are made without measuring time, so results depend on the sizes alone; lines go from one array to another, for
/// which such plans are up to twice as fast as in place. Rows are padded so that every plane and every line begins at a
/// multiple of 64 bytes. Lengths with large prime factors are left to `DenseTransform`.
template <class Arch, class Real> class MeshTransform {
public:
    using Complex = std::complex<Real>;

    MeshTransform(int nx, int ny, int nz) : size{nx, ny, nz} {
        if (Dense::suits(nx)) dense_x_.emplace(nx);
        if (Dense::suits(ny)) dense_y_.emplace(ny);
        if (Dense::suits(nz)) dense_z_.emplace(nz);
        static std::mutex planning;
        std::lock_guard const lock(planning);
        make();
    }

    std::array<int, 3> const size;
    int row() const {
        return (size[2] + 8 + 15) / 16 * 16;
    }  ///< reals from one y to the next, room for a stencil behind
    int complex_row() const { return (size[2] / 2 + 1 + 7) / 8 * 8; }  ///< complex numbers from one y to the next
    int used() const { return size[2] / 2 + 1; }                       ///< complex numbers with meaning in a row
    /// Complex numbers in the lines along x of a row.
    std::size_t line_count() const { return count(size[0], complex_row()); }

    void forward_plane(Real* plane, Complex* out) const {
        Complex* const rows = scratch(count(size[1], complex_row()));
        if (dense_z_)
            dense_z_->forward_rows(plane, row(), size[1], rows, complex_row());
        else
            detail::execute(forward_rows_.get(), plane, rows);
        transform_lines(dense_y_, forward_y_, rows, out, -1);
    }
    void backward_plane(Complex* plane, Real* out) const {
        Complex* const rows = scratch(count(size[1], complex_row()));
        transform_lines(dense_y_, backward_y_, plane, rows, 1);
        if (dense_z_)
            dense_z_->backward_rows(rows, complex_row(), size[1], out, row());
        else
            detail::execute(backward_rows_.get(), rows, out);
    }
    /// Transforms the lines along x that start in the row at `row`, calls `change(lines)` with the result, where x follows
    /// x, and transforms back. Rows are copied first: steps from x to x are so wide that caches hold few at a time.
    template <class Change> void change_lines(Complex* row, Change const& change) const {
        Complex *const near = scratch(2 * line_count()), *const lines = near + line_count();
        for (int x = 0; x < size[0]; ++x) std::copy_n(row + count(x, x_step()), used(), near + count(x, complex_row()));
        transform_lines(dense_x_, forward_x_, near, lines, -1);
        change(lines);
        transform_lines(dense_x_, backward_x_, lines, near, 1);
        for (int x = 0; x < size[0]; ++x) std::copy_n(near + count(x, complex_row()), used(), row + count(x, x_step()));
    }

private:
    using Dense = DenseTransform<Arch, Real>;
    using Plan = std::conditional_t<sizeof(Real) == 4, fftwf_plan, fftw_plan>;
    struct Destroy {
        void operator()(std::remove_pointer_t<Plan>* plan) const { detail::destroy(plan); }
    };
    using OwnedPlan = std::unique_ptr<std::remove_pointer_t<Plan>, Destroy>;

    static std::size_t count(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }
    int x_step() const { return size[1] * complex_row(); }
    /// Lines across rows that follow each other.
    void transform_lines(std::optional<Dense> const& dense, OwnedPlan const& plan, Complex* in, Complex* out,
                         int sign) const {
        if (dense)
            dense->transform_lines(in, out, complex_row(), sign);
        else
            detail::execute(plan.get(), in, out);
    }
    static Complex* scratch(std::size_t numbers) {
        static thread_local Aligned<Complex> memory;
        if (memory.size() < numbers) memory.resize(numbers);
        return memory.data();
    }

    void make() {
        // Plans depend on whether arrays are the same and on their alignment; making them does not touch the arrays.
        using Memory = std::unique_ptr<void, decltype(&fftwf_free)>;
        Memory const reals(fftwf_malloc(64), &fftwf_free), from(fftwf_malloc(64), &fftwf_free), to(fftwf_malloc(64), &fftwf_free);
        auto* const real = static_cast<Real*>(reals.get());
        int const row = complex_row();
        auto lines = [&](OwnedPlan& plan, int n, int sign) {
            constexpr unsigned flags = FFTW_ESTIMATE;
            if constexpr (sizeof(Real) == 4)
                plan.reset(fftwf_plan_many_dft(1, &n, used(), static_cast<fftwf_complex*>(from.get()), nullptr, row, 1,
                                               static_cast<fftwf_complex*>(to.get()), nullptr, row, 1, sign, flags));
            else
                plan.reset(fftw_plan_many_dft(1, &n, used(), static_cast<fftw_complex*>(from.get()), nullptr, row, 1,
                                              static_cast<fftw_complex*>(to.get()), nullptr, row, 1, sign, flags));
        };
        lines(forward_x_, size[0], FFTW_FORWARD);
        lines(backward_x_, size[0], FFTW_BACKWARD);
        lines(forward_y_, size[1], FFTW_FORWARD);
        lines(backward_y_, size[1], FFTW_BACKWARD);
        if constexpr (sizeof(Real) == 4)
            make_rows(real, static_cast<fftwf_complex*>(from.get()), fftwf_plan_many_dft_r2c, fftwf_plan_many_dft_c2r);
        else
            make_rows(real, static_cast<fftw_complex*>(from.get()), fftw_plan_many_dft_r2c, fftw_plan_many_dft_c2r);
    }
    template <class Number, class Forward, class Backward>
    void make_rows(Real* real, Number* complex, Forward forward, Backward backward) {
        int const n = size[2];
        forward_rows_.reset(forward(1, &n, size[1], real, nullptr, 1, row(), complex, nullptr, 1, complex_row(), FFTW_ESTIMATE));
        backward_rows_.reset(backward(1, &n, size[1], complex, nullptr, 1, complex_row(), real, nullptr, 1, row(), FFTW_ESTIMATE));
    }

    std::optional<Dense> dense_x_, dense_y_, dense_z_;
    OwnedPlan forward_rows_, backward_rows_, forward_y_, backward_y_, forward_x_, backward_x_;
};

/// The library that is linked, with its version; another one gives other bits.
[[maybe_unused]] static std::string_view fft_library() { return fftw_version; }

}  // namespace trotter::cpu
