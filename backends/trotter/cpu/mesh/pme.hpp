// Smooth particle mesh Ewald sums of charges and of dispersion.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/cpu/mesh/fft.hpp>
#include <trotter/cpu/neighbor_list/neighbor_list.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>

namespace trotter::cpu {

/// The reciprocal-space sum of one kind of charge on one mesh. The mesh is cut along x into slabs that follow the bands
/// of cluster columns; a task spreads the particles of its columns into its own slab, with margins on both sides for
/// the stencil and for particles that have moved since the columns were made. Planes are then added in slab order.
template <class Arch, class Real> class Pme {
public:
    /// `displacement` is how far particles may move between two sorts of the clusters.
    Pme(MeshSettings const& mesh, MeshKind kind, double displacement)
        : largest_displacement_(displacement),
          mesh_parameters_(mesh),
          formula_(influence_of(kind)),
          transform_(mesh.nx, mesh.ny, mesh.nz) {
        auto const& n = transform_.size;
        mesh_.resize(transform_.plane() * static_cast<std::size_t>(n[0]));
        for (int x = 0; x < n[0] + spline_points; ++x)
            plane_of_.push_back(static_cast<std::int32_t>(static_cast<std::size_t>(x % n[0]) * transform_.plane()));
        for (int y = 0; y < n[1] + spline_points; ++y) row_of_.push_back(y % n[1] * transform_.row());
    }

    /// Charges of the slots of all clusters.
    Aligned<Real> charges;

    /// Returns the reciprocal-space energy; forces go into `forces` (a record for each slot).
    double compute(Clusters<Arch, Real> const& clusters, Aligned<Real>& forces, MeshForces how, bool with_energy,
                   Threads& threads) {
        Box const& box = clusters.cell;
        if (!(box == influence_box_) || influence_.empty()) make_influence(box, threads);
        if (clusters.columns[0] != slab_columns_ || !(box == slab_box_)) make_slabs(clusters, box);
        spread(clusters, threads);
        double const energy = convolve(with_energy, threads);
        gather(clusters, forces, how, threads);
        return energy;
    }

private:
    struct Slab {
        int first_plane, planes;
        Aligned<Real> mesh;
        PlaneRange touched;  ///< all others are zero
    };
    /// A plane of a slab.
    struct SlabPlane {
        int slab, plane;
    };
    /// Slab planes that add to a plane of the mesh, and those of them with any charges.
    struct Sources {
        std::vector<SlabPlane> all;
        std::vector<Real*> touched;
    };

    std::size_t slab_plane() const {
        return static_cast<std::size_t>(transform_.size[1] + spline_points) * static_cast<std::size_t>(transform_.row());
    }
    Real* plane(int x) { return mesh_.data() + static_cast<std::size_t>(x) * transform_.plane(); }

    /// Sets the rows of `to_mesh`, the gradients of the mesh coordinates.
    void set_to_mesh(Clusters<Arch, Real> const& clusters, MeshView<Real>& view) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec3<> unit{};
            unit[axis] = transform_.size[axis];
            Vec3<> const gradient = clusters.cell.reciprocal(unit);
            for (std::size_t k = 0; k < 3; ++k) view.to_mesh[axis][k] = gradient[k];
        }
    }

    MeshView<Real> mesh_view(Clusters<Arch, Real> const& clusters, int begin, int end) {
        auto const& n = transform_.size;
        MeshView<Real> view{clusters.view(),
                            charges.data(),
                            begin,
                            end,
                            {},
                            {n[0], n[1], n[2]},
                            0,
                            -1,
                            transform_.row(),
                            static_cast<int>(transform_.plane()),
                            mesh_.data()};
        set_to_mesh(clusters, view);
        return view;
    }

    /// Makes slabs of whole bands of columns, about as thick as their margins.
    void make_slabs(Clusters<Arch, Real> const& clusters, Box const& box) {
        slab_columns_ = clusters.columns[0];
        slab_box_ = box;
        MeshView<Real> view{};
        set_to_mesh(clusters, view);
        double const moved =
            largest_displacement_
            * std::sqrt(view.to_mesh[0][0] * view.to_mesh[0][0] + view.to_mesh[0][1] * view.to_mesh[0][1]
                        + view.to_mesh[0][2] * view.to_mesh[0][2]);
        int const nx = transform_.size[0], border = static_cast<int>(moved) + 1;
        int const count = std::clamp(nx / 5, 1, clusters.band_count());
        slabs_.resize(static_cast<std::size_t>(count));
        sources_.assign(static_cast<std::size_t>(nx), {});
        for (int s = 0; s < count; ++s) {
            auto& slab = slabs_[static_cast<std::size_t>(s)];
            auto const at = [&](int k) {
                return static_cast<double>(nx) * columns_before_slab(clusters, k, count) / slab_columns_;
            };
            slab.first_plane = static_cast<int>(std::floor(at(s))) - border;
            slab.planes = static_cast<int>(std::ceil(at(s + 1))) + border + spline_points - slab.first_plane;
            slab.mesh.resize(slab_plane() * static_cast<std::size_t>(slab.planes));
            slab.touched = {0, slab.planes};
            for (int p = 0; p < slab.planes; ++p)
                sources_[static_cast<std::size_t>(((slab.first_plane + p) % nx + nx) % nx)].all.push_back({s, p});
        }
    }

    static int columns_before_slab(Clusters<Arch, Real> const& clusters, int slab, int count) {
        return clusters.columns_before(clusters.band_count() * slab / count);
    }

    void spread(Clusters<Arch, Real> const& clusters, Threads& threads) {
        auto const part = threads.profile.part("spreading");
        threads.run(static_cast<int>(slabs_.size()),
                    [&](int s) { spread(clusters, slabs_[static_cast<std::size_t>(s)]); });
    }
    void spread(Clusters<Arch, Real> const& clusters, Slab& slab) {
        auto const s = static_cast<int>(&slab - slabs_.data()), count = static_cast<int>(slabs_.size());
        auto first = [&](int k) {
            return clusters
                .column_start[static_cast<std::size_t>(columns_before_slab(clusters, k, count) * clusters.columns[1])];
        };
        auto view = mesh_view(clusters, first(s), first(s + 1));
        view.first_plane = slab.first_plane;
        view.planes = slab.planes;
        view.plane_step = static_cast<int>(slab_plane());
        view.mesh = slab.mesh.data();
        auto const [begin, end] = slab.touched;
        if (begin < end) std::fill(plane_of(slab, begin), plane_of(slab, end), Real(0));
        slab.touched = loops<Arch, Real>().spread(view);
    }
    Real* plane_of(Slab& slab, int plane) const {
        return slab.mesh.data() + static_cast<std::size_t>(plane) * slab_plane();
    }

    /// Sums the slabs' contributions to a plane in the first of them, which the next spreading clears; returns the sum.
    Real* collect(int x) {
        auto& [all, touched] = sources_[static_cast<std::size_t>(x)];
        touched.clear();
        for (auto const& [s, p] : all)
            if (auto& slab = slabs_[static_cast<std::size_t>(s)]; slab.touched.holds(p))
                touched.push_back(plane_of(slab, p));
        if (touched.empty()) {
            std::fill_n(plane(x), transform_.plane(), Real(0));
            return plane(x);
        }
        loops<Arch, Real>().collect({touched.data() + 1,
                                     static_cast<int>(touched.size()) - 1,
                                     touched[0],
                                     {transform_.size[1], transform_.size[2]},
                                     transform_.row()});
        return touched[0];
    }
    /// Transforms, convolves and transforms back; returns the energy.
    double convolve(bool with_energy, Threads& threads) {
        auto const part = threads.profile.part("transforms");
        auto const& n = transform_.size;
        threads.run(n[0], [&](int x) {
            transform_.forward_plane(collect(x), plane(x));
        });
        std::vector<double> energies(static_cast<std::size_t>(n[1]));
        threads.run(n[1], [&](int y) {
            Real* const row = mesh_.data() + std::ptrdiff_t{y} * transform_.split_row();
            transform_.change_lines(row, [&](Real* lines) {
                SpectrumRows<Real> const rows{lines, influence_at(y), n[0], transform_.columns(), n[2]};
                energies[static_cast<std::size_t>(y)] = loops<Arch, Real>().convolve(rows, with_energy);
            });
        });
        threads.run(n[0], [&](int x) {
            transform_.backward_plane(plane(x));
            repeat_row_starts(x);
        });
        return std::accumulate(energies.begin(), energies.end(), 0.0);
    }
    void gather(Clusters<Arch, Real> const& clusters, Aligned<Real>& forces, MeshForces how, Threads& threads) {
        auto const part = threads.profile.part("gathering");
        threads.for_ranges(
            static_cast<std::size_t>(clusters.size()),
            [&](std::size_t begin, std::size_t end) {
                auto view = mesh_view(clusters, static_cast<int>(begin), static_cast<int>(end));
                loops<Arch, Real>().gather(view, plane_of_.data(), row_of_.data(), forces.data(), how);
            },
            128);
    }
    void repeat_row_starts(int x) {
        int const nz = transform_.size[2], row = transform_.row();
        for (int y = 0; y < transform_.size[1]; ++y) {
            Real* const start = plane(x) + y * row;
            for (int z = 0; z < 8; ++z) start[nz + z] = z < nz ? start[z] : Real(0);
        }
    }

    void make_influence(Box const& box, Threads& threads) {
        auto const& n = transform_.size;
        influence_box_ = box;
        influence_.assign(static_cast<std::size_t>(n[1]) * transform_.line_numbers() / 2, Real(0));
        MeshInfluence const influence(mesh_parameters_, box, formula_);
        threads.run(n[1], [&](int y) {
            for (int x = 0; x < n[0]; ++x)
                for (int z = 0; z < transform_.used(); ++z)
                    influence_at(y)[x * transform_.columns() + z] = static_cast<Real>(influence(x, y, z));
        });
    }
    /// The influence function of one y: rows of z for each x.
    Real* influence_at(int y) {
        return influence_.data() + static_cast<std::size_t>(y) * transform_.line_numbers() / 2;
    }

    double largest_displacement_;
    MeshSettings mesh_parameters_;
    MeshInfluence::Formula formula_;
    MeshTransform<Arch, Real> transform_;
    Aligned<Real> mesh_, influence_;  ///< the mesh, or its transform
    Box influence_box_, slab_box_;
    int slab_columns_ = 0;
    std::vector<std::int32_t> plane_of_, row_of_;
    std::vector<Slab> slabs_;
    std::vector<Sources> sources_;  // of each plane
};

}  // namespace trotter::cpu
