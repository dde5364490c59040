// Three-dimensional Fourier transforms of real meshes, in pieces that tasks carry out. The only file that calls FFTW.
// SPDX-License-Identifier: MIT
#pragma once
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
[[gnu::always_inline]] inline void execute(fftwf_plan plan, std::complex<float>* lines) {
    fftwf_execute_dft(plan, reinterpret_cast<fftwf_complex*>(lines), reinterpret_cast<fftwf_complex*>(lines));
}
[[gnu::always_inline]] inline void execute(fftw_plan plan, std::complex<double>* lines) {
    fftw_execute_dft(plan, reinterpret_cast<fftw_complex*>(lines), reinterpret_cast<fftw_complex*>(lines));
}

}  // namespace detail

/// A real mesh [x][y][z] and its transform: the planes of equal x are transformed in y and z, then the lines along x.
/// Plans are made without measuring time, so results depend on the sizes alone. Rows are padded so that every plane and
/// every line begins at a multiple of 64 bytes. Lengths with large prime factors are left to `DenseTransform`.
template <class Arch, class Real> class MeshTransform {
public:
    using Complex = std::complex<Real>;

    MeshTransform(int nx, int ny, int nz) : size{nx, ny, nz} {
        if (Dense::suits(ny) || Dense::suits(nz)) {
            dense_y_.emplace(ny);
            dense_z_.emplace(nz);
        }
        if (Dense::suits(nx)) dense_x_.emplace(nx);
        // Plans depend on whether arrays are the same and on their alignment; making them does not touch the arrays.
        using Memory = std::unique_ptr<void, decltype(&fftwf_free)>;
        Memory const real(fftwf_malloc(64), &fftwf_free), complex(fftwf_malloc(64), &fftwf_free);
        static std::mutex planning;
        std::lock_guard const lock(planning);
        make(static_cast<Real*>(real.get()), static_cast<Complex*>(complex.get()));
    }

    std::array<int, 3> const size;
    int row() const {
        return (size[2] + 8 + 15) / 16 * 16;
    }  ///< reals from one y to the next, room for a stencil behind
    int complex_row() const { return (size[2] / 2 + 1 + 7) / 8 * 8; }  ///< complex numbers from one y to the next
    int used() const { return size[2] / 2 + 1; }                       ///< complex numbers with meaning in a row

    void forward_plane(Real* plane, Complex* out) const {
        if (!dense_z_) return detail::execute(forward_plane_.get(), plane, out);
        dense_z_->forward_rows(plane, row(), size[1], out, complex_row());
        dense_y_->transform_lines(out, complex_row(), 2 * complex_row(), -1);
    }
    /// Destroys its input.
    void backward_plane(Complex* plane, Real* out) const {
        if (!dense_z_) return detail::execute(backward_plane_.get(), plane, out);
        dense_y_->transform_lines(plane, complex_row(), 2 * complex_row(), 1);
        dense_z_->backward_rows(plane, complex_row(), size[1], out, row());
    }
    /// The lines along x that start in the row at `row`, in place.
    void forward_lines(Complex* row) const {
        if (!dense_x_) return detail::execute(forward_lines_.get(), row);
        dense_x_->transform_lines(row, size[1] * complex_row(), 2 * complex_row(), -1);
    }
    void backward_lines(Complex* row) const {
        if (!dense_x_) return detail::execute(backward_lines_.get(), row);
        dense_x_->transform_lines(row, size[1] * complex_row(), 2 * complex_row(), 1);
    }

private:
    using Dense = DenseTransform<Arch, Real>;
    using Plan = std::conditional_t<sizeof(Real) == 4, fftwf_plan, fftw_plan>;
    struct Destroy {
        void operator()(std::remove_pointer_t<Plan>* plan) const { detail::destroy(plan); }
    };
    using OwnedPlan = std::unique_ptr<std::remove_pointer_t<Plan>, Destroy>;

    void make(Real* real, Complex* complex) {
        int const plane[2] = {size[1], size[2]}, reals[2] = {size[1], row()}, complexes[2] = {size[1], complex_row()};
        int const line[1] = {size[0]}, step = size[1] * complex_row();
        unsigned const flags = FFTW_ESTIMATE;
        if constexpr (sizeof(Real) == 4) {
            auto* const c = reinterpret_cast<fftwf_complex*>(complex);
            forward_plane_.reset(fftwf_plan_many_dft_r2c(2, plane, 1, real, reals, 1, 0, c, complexes, 1, 0, flags));
            backward_plane_.reset(fftwf_plan_many_dft_c2r(2, plane, 1, c, complexes, 1, 0, real, reals, 1, 0, flags));
            forward_lines_.reset(
                fftwf_plan_many_dft(1, line, used(), c, line, step, 1, c, line, step, 1, FFTW_FORWARD, flags));
            backward_lines_.reset(
                fftwf_plan_many_dft(1, line, used(), c, line, step, 1, c, line, step, 1, FFTW_BACKWARD, flags));
        } else {
            auto* const c = reinterpret_cast<fftw_complex*>(complex);
            forward_plane_.reset(fftw_plan_many_dft_r2c(2, plane, 1, real, reals, 1, 0, c, complexes, 1, 0, flags));
            backward_plane_.reset(fftw_plan_many_dft_c2r(2, plane, 1, c, complexes, 1, 0, real, reals, 1, 0, flags));
            forward_lines_.reset(
                fftw_plan_many_dft(1, line, used(), c, line, step, 1, c, line, step, 1, FFTW_FORWARD, flags));
            backward_lines_.reset(
                fftw_plan_many_dft(1, line, used(), c, line, step, 1, c, line, step, 1, FFTW_BACKWARD, flags));
        }
    }

    std::optional<Dense> dense_x_, dense_y_, dense_z_;  ///< those of y and z together
    OwnedPlan forward_plane_, backward_plane_, forward_lines_, backward_lines_;
};

/// The library that is linked, with its version; another one gives other bits.
[[maybe_unused]] static std::string_view fft_library() { return fftw_version; }

}  // namespace trotter::cpu
