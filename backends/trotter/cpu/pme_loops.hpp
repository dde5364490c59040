// The inner loops of particle mesh Ewald: charges to the mesh, and forces from it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include <trotter/cpu/pair_list.hpp>
#include <trotter/cpu/simd.hpp>
#include <trotter/forces/particle_mesh.hpp>

namespace trotter::cpu {

inline constexpr int spline_points = static_cast<int>(trotter::spline_order);
static_assert(spline_points == 5, "the loops have the pieces of M5");

/// Particles of clusters begin … end-1 and a part of the mesh: planes of equal x, in each rows of equal y.
template <class Real> struct MeshView {
    ClusterView<Real> clusters;
    Real const* charges;  ///< of the places of cluster 0
    int begin, end;
    double to_mesh[3][3];  ///< mesh coordinate = Σ to_mesh[axis][k] (x - origin)[k]
    double origin[3];
    int size[3];              ///< of the whole mesh
    int first_plane, planes;  ///< what the part holds; y and z wrap around
    int row, plane_step;
    Real* mesh;
};

/// Eight numbers: five weights of a spline and three zeros. Wide batches would be too long for the rows of a mesh.
template <class Real, class Arch> struct Row {
    static constexpr int width = Batch<Real, Arch>::size < 8 ? static_cast<int>(Batch<Real, Arch>::size) : 8;
    using Part [[gnu::vector_size(width * sizeof(Real))]] = Real;
    Part parts[8 / width];

    [[gnu::always_inline]] static Row load(Real const* p) {
        Row row;
        std::memcpy(&row, p, sizeof row);
        return row;
    }
    [[gnu::always_inline]] void store(Real* p) const { std::memcpy(p, this, sizeof *this); }
    [[gnu::always_inline]] static Row fill(Real x) {
        Row row;
        for (Part& part : row.parts) part = x - Part{};
        return row;
    }
    [[gnu::always_inline]] Real total() const {
        alignas(64) Real lanes[8];
        store(lanes);
        return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + lanes[4];
    }
    [[gnu::always_inline]] friend Row operator*(Row const& a, Row const& b) {
        Row row;
        for (int n = 0; n < 8 / width; ++n) row.parts[n] = a.parts[n] * b.parts[n];
        return row;
    }
    /// a b + c
    [[gnu::always_inline]] static Row fma(Row const& a, Row const& b, Row const& c) {
        Row row;
        for (int n = 0; n < 8 / width; ++n) row.parts[n] = fma(a.parts[n], b.parts[n], c.parts[n]);
        return row;
    }

private:
    [[gnu::always_inline]] static Part fma(Part const& a, Part const& b, Part const& c) {
#if defined(__x86_64__)
        if constexpr (std::is_base_of_v<xsimd::fma3<xsimd::avx2>, Arch> || has_avx512<Arch>) {
            if constexpr (sizeof(Part) == 64)
                return (Part)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
            else if constexpr (sizeof(Real) == 4)
                return (Part)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
            else
                return (Part)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        }
#endif
        return a * b + c;
    }
};

/// A plane of the mesh and what several slabs hold for it, each with a few more rows behind the last.
template <class Real> struct PlaneSum {
    Real const* const* from;
    int count;
    Real* to;
    int size[2], row;  ///< along y and z, and from one y to the next
};

/// Complex numbers [x][z] of one y and the influence function there.
template <class Real> struct SpectrumRows {
    Real* numbers;  ///< two for each complex number
    Real const* influence;
    int rows, row;  ///< from one x to the next, in complex numbers
    int mesh_z;     ///< points of the mesh along z
};

template <class Real, class Arch> struct MeshLoops {
    using Row = cpu::Row<Real, Arch>;

    /// What lies behind the ends of y and z belongs to their beginnings.
    static void collect(PlaneSum<Real> const& plane) {
        auto const [ny, nz] = plane.size;
        int const row = plane.row, border = spline_points - 1;
        for (int n = 0; n < ny * row; ++n) plane.to[n] = 0;
        for (int k = 0; k < plane.count; ++k) {
            add(plane.from[k], plane.to, ny * row);
            for (int y = ny; y < ny + border; ++y) add(plane.from[k] + y * row, plane.to + y % ny * row, row);
        }
        for (int y = 0; y < ny; ++y)
            for (int z = nz; z < nz + border; ++z) plane.to[y * row + z % nz] += plane.to[y * row + z];
    }

    /// Multiplies by the influence function; returns the energy, 0 if it is not wanted.
    static double convolve(SpectrumRows<Real> const& spectrum, bool with_energy) {
        double const energy = with_energy ? energy_of(spectrum) : 0;
        Real* __restrict const numbers = spectrum.numbers;
        Real const* __restrict const influence = spectrum.influence;
        for (int n = 0; n < spectrum.rows * spectrum.row; ++n) {
            numbers[2 * n] *= influence[n];
            numbers[2 * n + 1] *= influence[n];
        }
        return energy;
    }

    /// Adds the charges, each spread over 5³ points.
    static void spread(MeshView<Real> const& view) {
        for (int block = view.begin; block < view.end; ++block)
            for (int n = 0; n < cluster_size; ++n) {
                Real const charge = view.charges[block * cluster_size + n];
                Stencil stencil;
                if (charge == 0 || !stencil.place(view, block, n)) continue;
                Row const z = stencil.weights(2) * Row::fill(charge);
                alignas(64) Real wx[8], wy[8];
                stencil.weights(0).store(wx);
                stencil.weights(1).store(wy);
                Real* const corner =
                    view.mesh + stencil.start[0] * view.plane_step + stencil.start[1] * view.row + stencil.start[2];
                for (int a = 0; a < spline_points; ++a) {
                    Row const xz = z * Row::fill(wx[a]);
                    Real* const row = corner + a * view.plane_step;
                    unroll<spline_points>([&](auto b) __attribute__((always_inline)) {
                        Row::fma(xz, Row::fill(wy[b]), Row::load(row + b * view.row)).store(row + b * view.row);
                    });
                }
            }
    }

    /// Adds to `forces` (three planes for each cluster) minus charge times the gradient of the mesh. Here the part is
    /// the whole mesh with its first rows and planes repeated behind the last: see `wrap`.
    static void gather(MeshView<Real> const& view, std::int32_t const* plane_of, std::int32_t const* row_of,
                       Real* forces) {
        for (int block = view.begin; block < view.end; ++block)
            for (int n = 0; n < cluster_size; ++n) {
                Real const charge = view.charges[block * cluster_size + n];
                Stencil stencil;
                if (charge == 0 || !stencil.place(view, block, n)) continue;
                alignas(64) Real wx[8], wy[8], dx[8], dy[8];
                stencil.weights(0).store(wx);
                stencil.weights(1).store(wy);
                stencil.slopes(0).store(dx);
                stencil.slopes(1).store(dy);
                Row along_x = Row::fill(0), along_y = along_x, sum = along_x;
                for (int a = 0; a < spline_points; ++a) {
                    Real const* const plane = view.mesh + plane_of[stencil.start[0] + a] + stencil.start[2];
                    Row weighted = Row::fill(0), sloped = weighted;
                    unroll<spline_points>([&](auto b) __attribute__((always_inline)) {
                        Row const values = Row::load(plane + row_of[stencil.start[1] + b]);
                        weighted = Row::fma(Row::fill(wy[b]), values, weighted);
                        sloped = Row::fma(Row::fill(dy[b]), values, sloped);
                    });
                    along_x = Row::fma(Row::fill(dx[a]), weighted, along_x);
                    along_y = Row::fma(Row::fill(wx[a]), sloped, along_y);
                    sum = Row::fma(Row::fill(wx[a]), weighted, sum);
                }
                Row const z = stencil.weights(2);
                double const g[3] = {double((along_x * z).total()), double((along_y * z).total()),
                                     double((sum * stencil.slopes(2)).total())};
                for (int axis = 0; axis < 3; ++axis)
                    forces[(3 * block + axis) * cluster_size + n] -=
                        charge
                        * static_cast<Real>(g[0] * view.to_mesh[0][axis] + g[1] * view.to_mesh[1][axis]
                                            + g[2] * view.to_mesh[2][axis]);
            }
    }

private:
    static void add(Real const* __restrict from, Real* __restrict to, int count) {
        for (int n = 0; n < count; ++n) to[n] += from[n];
    }
    /// Half of the wave vectors stand for their mirror images too.
    static double energy_of(SpectrumRows<Real> const& spectrum) {
        double energy = 0;
        for (int x = 0; x < spectrum.rows; ++x) {
            Real const* const numbers = spectrum.numbers + 2 * x * spectrum.row;
            double sum = 0;
            for (int z = 0; 2 * z <= spectrum.mesh_z; ++z) {
                double const weight = z == 0 || 2 * z == spectrum.mesh_z ? 0.5 : 1;
                double const re = numbers[2 * z], im = numbers[2 * z + 1];
                sum += weight * spectrum.influence[x * spectrum.row + z] * (re * re + im * im);
            }
            energy += sum;
        }
        return energy;
    }

    struct Coefficients {
        Real of[9][8];
    };
    static constexpr Coefficients coefficients_of_pieces() {
        int const numerators[5][8] = {
            {1, 11, 11, 1}, {-4, -12, 12, 4}, {6, -6, -6, 6}, {-4, 12, -12, 4}, {1, -4, 6, -4, 1}};
        Coefficients result{};
        for (int n = 0; n < 5; ++n)
            for (int k = 0; k < 8; ++k) {
                result.of[n][k] = static_cast<Real>(numerators[n][k] / 24.0);
                if (n > 0) result.of[4 + n][k] = static_cast<Real>(n * numerators[n][k] / 24.0);
            }
        return result;
    }
    alignas(64) static constexpr Coefficients spline_coefficients = coefficients_of_pieces();

    /// Where the weights of a particle begin, and how far it is from there.
    struct Stencil {
        int start[3];
        Real w[3];

        /// False for places without a particle, and for coordinates that are no numbers.
        [[gnu::always_inline]] bool place(MeshView<Real> const& view, int block, int n) {
            double x[3];
            for (int axis = 0; axis < 3; ++axis)
                x[axis] = static_cast<double>(view.clusters.references[3 * block + axis])
                          + static_cast<double>(view.clusters.coordinates[(3 * block + axis) * cluster_size + n])
                          - view.origin[axis];
            if (!(std::fabs(x[0]) + std::fabs(x[1]) + std::fabs(x[2]) < 1e7)) return false;
            for (int axis = 0; axis < 3; ++axis) {
                double u = view.to_mesh[axis][0] * x[0] + view.to_mesh[axis][1] * x[1] + view.to_mesh[axis][2] * x[2];
                double const whole = std::floor(u);
                w[axis] = static_cast<Real>(u - whole);
                start[axis] = static_cast<int>(whole);
            }
            if (view.planes < 0)
                start[0] = wrapped(start[0], view.size[0]);
            else
                start[0] -= view.first_plane;
            start[1] = wrapped(start[1], view.size[1]);
            start[2] = wrapped(start[2], view.size[2]);
            int const planes = view.planes < 0 ? view.size[0] + spline_points : view.planes;
            auto inside = [](int n, int size) __attribute__((always_inline)) {
                return static_cast<unsigned>(n) < static_cast<unsigned>(size);
            };
            return inside(start[0], planes - spline_points + 1) && inside(start[1], view.size[1])
                   && inside(start[2], view.size[2]);
        }
        /// Weight k is M5(w + 4 - k), a polynomial in w.
        [[gnu::always_inline]] Row weights(int axis) const {
            Row const x = Row::fill(w[axis]);
            Row result = coefficients(4);
            unroll<4>([&](auto n)
                          __attribute__((always_inline)) { result = Row::fma(result, x, coefficients(3 - n)); });
            return result;
        }
        [[gnu::always_inline]] Row slopes(int axis) const {
            Row const x = Row::fill(w[axis]);
            Row result = coefficients(8);
            unroll<3>([&](auto n)
                          __attribute__((always_inline)) { result = Row::fma(result, x, coefficients(7 - n)); });
            return result;
        }
        /// Those of wⁿ, and from 5 on those of wⁿ⁻⁵ in the derivative.
        [[gnu::always_inline]] static Row coefficients(int n) { return Row::load(spline_coefficients.of[n]); }
        /// Particles are less than a box away from where they were sorted into it.
        [[gnu::always_inline]] static int wrapped(int n, int size) {
            return n < 0 ? n + size : n >= size ? n - size : n;
        }
    };
};

}  // namespace trotter::cpu
