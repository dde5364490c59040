// The inner loops of particle mesh Ewald: spreading of charges, convolution, gathering of forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/common/simd/unroll.hpp>
#include <trotter/cpu/mesh/mesh_numbers.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/four_numbers.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>

namespace trotter::cpu {

inline constexpr int spline_points = static_cast<int>(trotter::spline_order);
static_assert(spline_points == 5, "the loops have the pieces of M5");

/// Particles of clusters begin … end-1 and a part of the mesh: planes of equal x, in each rows of equal y.
template <class Real> struct MeshView {
    ClusterView<Real> clusters;
    Real const* charges;  ///< of the slots, from cluster 0 on
    int begin, end;
    double to_mesh[3][3];     ///< mesh coordinate = Σ to_mesh[axis][k] x[k]
    int size[3];              ///< of the whole mesh
    int first_plane, planes;  ///< of the part; y and z wrap around
    int row, plane_step;
    Real* mesh;
};

/// Planes begin … end-1 of a part; none if begin >= end.
struct PlaneRange {
    int begin, end;

    [[gnu::always_inline]] void add(int first, int last) {
        begin = first < begin ? first : begin;
        end = last > end ? last : end;
    }
    [[gnu::always_inline]] bool holds(int plane) const { return begin <= plane && plane < end; }
};

/// Whether mesh forces overwrite existing forces or are added to them.
enum class MeshForces { put, add };

/// A plane with a few more rows after the last, and the planes to be added to it.
template <class Real> struct PlaneSum {
    Real const* const* from;
    int count;
    Real* to;
    int size[2], row;  ///< along y and z, and from one y to the next
};

/// Complex numbers [x][z] of one y and the influence function there.
template <class Real> struct SpectrumRows {
    Real* numbers;          ///< for each x the real parts, then the imaginary parts
    Real const* influence;  ///< for each x
    int rows, columns;      ///< of each part
    int mesh_z;             ///< points of the mesh along z
};

template <class Real, class Arch> struct MeshLoops {
    using Row = MeshNumbers<Real, Arch, 8>;
    using TwoRows = MeshNumbers<Real, Arch, 16>;

    /// Adds planes; elements beyond the ends of y and z wrap around to their beginnings.
    static void collect(PlaneSum<Real> const& plane) {
        auto const [ny, nz] = plane.size;
        int const row = plane.row, border = spline_points - 1;
        for (int k = 0; k < plane.count; ++k) add(plane.from[k], plane.to, (ny + border) * row);
        for (int y = ny; y < ny + border; ++y) add(plane.to + y * row, plane.to + y % ny * row, row);
        for (int y = 0; y < ny; ++y)
            for (int z = nz; z < nz + border; ++z) plane.to[y * row + z % nz] += plane.to[y * row + z];
    }

    /// Multiplies by the influence function; returns the energy, 0 if it is not wanted.
    static double convolve(SpectrumRows<Real> const& spectrum, bool with_energy) {
        double const energy = with_energy ? energy_of(spectrum) : 0;
        Real* __restrict const numbers = spectrum.numbers;
        Real const* __restrict const influence = spectrum.influence;
        int const columns = spectrum.columns;
        for (int x = 0; x < spectrum.rows; ++x)
            for (int n = 0; n < columns; ++n) {
                numbers[2 * x * columns + n] *= influence[x * columns + n];
                numbers[(2 * x + 1) * columns + n] *= influence[x * columns + n];
            }
        return energy;
    }

    /// Spreads each charge over 5³ points; returns the range of planes of the part that got any.
    static PlaneRange spread(MeshView<Real> const& view) {
        PlaneRange touched{view.planes, 0};
        for (int block = view.begin; block < view.end; ++block) {
            Stencils const stencils(view, block);
            for (int n = 0; n < cluster_size; ++n) {
                Real const charge = stencils.charge[n];
                if (charge == 0) continue;
                Row const z = weights(stencils.w[2][n]) * Row::fill(charge);
                alignas(64) Real wx[8], wy[8];
                weights(stencils.w[0][n]).store(wx);
                weights(stencils.w[1][n]).store(wy);
                touched.add(stencils.start[0][n], stencils.start[0][n] + spline_points);
                Real* const corner = view.mesh + stencils.start[0][n] * view.plane_step
                                     + stencils.start[1][n] * view.row + stencils.start[2][n];
                for (int a = 0; a < spline_points; ++a) {
                    Row const xz = z * Row::fill(wx[a]);
                    Real* const row = corner + a * view.plane_step;
                    unroll<spline_points>([&](auto b) __attribute__((always_inline)) {
                        Row::fma(xz, Row::fill(wy[b]), Row::load(row + b * view.row)).store(row + b * view.row);
                    });
                }
            }
        }
        return touched;
    }

    /// Writes or adds forces, minus charge times the gradient of the mesh, to `forces` (a record for each slot). The
    /// part must be the whole mesh; `plane_of` and `row_of` wrap indices beyond its ends, and the beginnings of rows
    /// are repeated after their ends.
    static void gather(MeshView<Real> const& view, std::int32_t const* plane_of, std::int32_t const* row_of,
                       Real* forces, MeshForces how) {
        for (int block = view.begin; block < view.end; ++block) {
            Stencils const stencils(view, block);
            Doubles gradient[3] = {};
            for (int n = 0; n < cluster_size; ++n)
                if (stencils.charge[n] != 0) set_gradient(stencils, n, view.mesh, plane_of, row_of, gradient);
            Reals force[4] = {};
            for (int axis = 0; axis < 3; ++axis) {
                Doubles const slope = gradient[0] * view.to_mesh[0][axis] + gradient[1] * view.to_mesh[1][axis]
                                      + gradient[2] * view.to_mesh[2][axis];
                force[axis] = -stencils.charge * __builtin_convertvector(slope, Reals);
            }
            FourOf<Real>::transpose(force);
            for (int n = 0; n < cluster_size; ++n) {
                Real* const record = forces + record_size * (block * cluster_size + n);
                if (how == MeshForces::add)
                    FourOf<Real>::add(record, force[n]);
                else
                    FourOf<Real>::store(record, force[n]);
            }
        }
    }

private:
    static void add(Real const* __restrict from, Real* __restrict to, int count) {
        for (int n = 0; n < count; ++n) to[n] += from[n];
    }
    /// Half of the wave vectors count for their mirror images too.
    static double energy_of(SpectrumRows<Real> const& spectrum) {
        double energy = 0;
        for (int x = 0; x < spectrum.rows; ++x) {
            Real const *const re_of = spectrum.numbers + 2 * x * spectrum.columns, *const im_of =
                                                                                       re_of + spectrum.columns;
            double sum = 0;
            for (int z = 0; 2 * z <= spectrum.mesh_z; ++z) {
                double const weight = z == 0 || 2 * z == spectrum.mesh_z ? 0.5 : 1;
                double const re = re_of[z], im = im_of[z];
                sum += weight * spectrum.influence[x * spectrum.columns + z] * (re * re + im * im);
            }
            energy += sum;
        }
        return energy;
    }

    using Doubles [[gnu::vector_size(cluster_size * sizeof(double))]] = double;
    using Reals = Four<Real>;
    using Places [[gnu::vector_size(cluster_size * sizeof(std::int32_t))]] = std::int32_t;
    using Flags [[gnu::vector_size(cluster_size * sizeof(double))]] = std::int64_t;
    /// `x` where it is true, otherwise 0.
    [[gnu::always_inline]] static Doubles kept(Flags is_true, Doubles x) { return (Doubles)(is_true & (Flags)x); }
    /// For numbers below 2^51; others lie outside the mesh anyway.
    [[gnu::always_inline]] static Doubles floor(Doubles x) {
        Doubles const nearest = (x + 0x1.8p52) - 0x1.8p52;
        return nearest - kept(nearest > x, Doubles{} + 1);
    }

    struct Coefficients {
        Real of[5][16];
    };
    static constexpr Coefficients coefficients_of_pieces() {
        int const numerators[5][5] = {
            {1, 11, 11, 1}, {-4, -12, 12, 4}, {6, -6, -6, 6}, {-4, 12, -12, 4}, {1, -4, 6, -4, 1}};
        Coefficients result{};
        for (int n = 0; n < 5; ++n)
            for (int k = 0; k < 5; ++k) {
                result.of[n][k] = static_cast<Real>(numerators[n][k] / 24.0);
                if (n > 0) result.of[n - 1][8 + k] = static_cast<Real>(n * numerators[n][k] / 24.0);
            }
        return result;
    }
    /// Coefficients of wⁿ in the weights and, from 8 on, in their derivatives.
    alignas(64) static constexpr Coefficients spline_coefficients = coefficients_of_pieces();

    template <class Numbers> [[gnu::always_inline]] static Numbers polynomial(Real w) {
        Numbers const x = Numbers::fill(w);
        Numbers result = Numbers::load(spline_coefficients.of[4]);
        unroll<4>([&](auto n) __attribute__((always_inline)) {
            result = Numbers::fma(result, x, Numbers::load(spline_coefficients.of[3 - n]));
        });
        return result;
    }
    /// Weight k is M5(w + 4 - k), a polynomial in w.
    [[gnu::always_inline]] static Row weights(Real w) { return polynomial<Row>(w); }
    /// The weights, followed by their derivatives.
    [[gnu::always_inline]] static TwoRows weights_and_slopes(Real w) { return polynomial<TwoRows>(w); }

    /// The first mesh points of the stencils of a cluster's particles, and the particles' distances from them. The
    /// charge is 0 for unused slots and non-finite coordinates.
    struct Stencils {
        Places start[3];
        Reals w[3], charge;

        [[gnu::always_inline]] Stencils(MeshView<Real> const& view, int block) {
            Doubles x[3], is_inside = Doubles{} + 1;
            Reals coordinates[4];
            FourOf<Real>::load_rows(view.clusters.coordinates_of(block * cluster_size), record_size, coordinates);
            for (int axis = 0; axis < 3; ++axis) x[axis] = __builtin_convertvector(coordinates[axis], Doubles);
            Steps const reference = view.clusters.reference_of(block);
            for (int axis = 0; axis < 3; ++axis) {
                double const* const to_mesh = view.to_mesh[axis];
                bool const is_cut = axis == 0 && view.planes >= 0;
                double const shift = is_cut ? view.first_plane : 0, wrap = is_cut ? 0 : view.size[axis],
                             end = is_cut ? view.planes - spline_points + 1 : view.size[axis];
                Doubles const from_reference = to_mesh[0] * x[0] + to_mesh[1] * x[1] + to_mesh[2] * x[2],
                              u = from_reference + view.size[axis] * 0x1p-32 * reference[axis], whole = floor(u);
                // Particles are less than a box away from where they were sorted.
                Doubles at = whole - shift;
                at += kept(at < 0, Doubles{} + wrap);
                at -= kept(at >= end, Doubles{} + wrap);
                Flags const is_in_range = (at >= 0) & (at < end);
                is_inside = kept(is_in_range, is_inside);
                at = kept(is_in_range, at);
                w[axis] = __builtin_convertvector(u - whole, Reals);
                start[axis] = __builtin_convertvector(at, Places);
            }
            charge =
                FourOf<Real>::load(view.charges + block * cluster_size) * __builtin_convertvector(is_inside, Reals);
        }
    };

    /// Sets the gradient along the axes of the mesh.
    [[gnu::always_inline]] static void set_gradient(Stencils const& stencils, int n, Real const* mesh,
                                                    std::int32_t const* plane_of, std::int32_t const* row_of,
                                                    Doubles (&gradient)[3]) {
        alignas(64) Real x[16], y[16], z[16];
        weights_and_slopes(stencils.w[0][n]).store(x);
        weights_and_slopes(stencils.w[1][n]).store(y);
        weights_and_slopes(stencils.w[2][n]).store(z);
        TwoRows along_xy = TwoRows::fill(0), y_pairs[spline_points];
        Row sum = Row::fill(0);
        for (int b = 0; b < spline_points; ++b) y_pairs[b] = TwoRows::halves(y[b], y[8 + b]);
        for (int a = 0; a < spline_points; ++a) {
            Real const* const plane = mesh + plane_of[stencils.start[0][n] + a] + stencils.start[2][n];
            TwoRows of_plane = TwoRows::fill(0);
            unroll<spline_points>([&](auto b) __attribute__((always_inline)) {
                of_plane = TwoRows::fma(y_pairs[b], TwoRows::twice(plane + row_of[stencils.start[1][n] + b]), of_plane);
            });
            along_xy = TwoRows::fma(TwoRows::halves(x[8 + a], x[a]), of_plane, along_xy);
            sum = Row::fma(Row::fill(x[a]), of_plane.first_half(), sum);
        }
        alignas(64) Real products[24];
        (along_xy * TwoRows::twice(z)).store(products);
        (sum * Row::load(z + 8)).store(products + 16);
        for (int axis = 0; axis < 3; ++axis) {
            Real const* const p = products + 8 * axis;
            gradient[axis][n] = static_cast<double>(((p[0] + p[1]) + (p[2] + p[3])) + p[4]);
        }
    }
};

}  // namespace trotter::cpu
