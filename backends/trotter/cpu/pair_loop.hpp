// The inner loop over the pairs of a list, for any interaction of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_places.hpp>

namespace trotter::cpu {

/// What a loop knows of the pairs that it is over: some do not interact; all do; all do, and none of the j particles
/// has a Lennard-Jones site.
enum class PairKind { masked, plain, bare };

/// The parameters of particles, one in each lane.
template <class T, int count = 3> struct PairParameters { T p[count > 0 ? count : 1]; };

/// An Interaction has a `parameter_count`, and `evaluate<kind>(r2, 1/r, i, j, interacting, screened)`, whose
/// result has `force_over_r` (where it `has_forces`), `energy` (`with_energy`), and what the pair adds to a number that
/// each particle has, `sum_i` and `sum_j` (`has_sums`). Where it `has_charges`, the first parameter of j particles is
/// the charge beside their coordinates, and of bare ones nothing else is known. `has_cutoff` says that there always is.
///
/// The pairs of one i cluster, or two that stand one upon the other, with four j particles: what is known of the i
/// particles, in registers, and what happens to the j particles.
template <class Real, class Arch, class Interaction, int i_clusters> struct PairTile {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    static constexpr int registers = i_clusters * L::registers;
    /// How many registers are worked on together: they are independent of each other, but two fill the processor.
    static constexpr int together = registers < 2 ? 1 : 2, packs = registers / together;
    using T = Pack<Real, Arch, together>;
    static constexpr bool has_forces = Interaction::has_forces, has_sums = Interaction::has_sums,
                          with_energy = Interaction::with_energy, has_charges = Interaction::has_charges;
    static constexpr int parameter_count = Interaction::parameter_count, stride = parameter_stride(parameter_count);
    using Parameters = PairParameters<T, parameter_count>;
    /// Of what i particles have: each register repeats four numbers, or holds a part of them.
    static constexpr int i_registers = i_clusters * L::parts;
    /// Charges of one sign may follow each other: sums of their energies are large before they cancel.
    using Energy = std::conditional_t<has_charges, double, Real>;
    using Energies [[gnu::vector_size(L::width * sizeof(Energy))]] = Energy;

    struct IState {
        B x[3][i_registers], parameters[parameter_count > 0 ? parameter_count : 1][i_registers];
        B force[3][i_registers], sum[i_registers];  ///< forces with the opposite sign
        Steps base;
        Energies energy;
    };

    struct Distances {
        T d[3][packs], r2[packs], inverse[packs], charge[packs];
    };

    /// What four j particles get, not yet added up over the i particles.
    struct OnJ {
        B force[3][L::registers], sum[L::registers];
    };

    /// Packs beyond one do not fit into registers anyway: a loop over them compiles in a fraction of the time.
    template <class Body> [[gnu::always_inline]] static void for_packs(Body const& body) {
        if constexpr (packs == 1)
            body(std::integral_constant<int, 0>{});
        else
            for (int k = 0; k < packs; ++k) body(k);
    }
    /// A pack of what `function` has for each register of pack `k`: (register of i, register of the tile).
    template <class Function> [[gnu::always_inline]] static T each(int k, Function const& function) {
        return T::each([&](auto n) __attribute__((always_inline)) {
            int const number = k * together + n, of_tile = number % L::registers;
            return function(number / L::registers * L::parts + of_tile % L::parts, of_tile);
        });
    }

    [[gnu::always_inline]] static IState start(PairView<Real> const& view, PairGroup const& g, int first) {
        IState i;
        for (int s = 0; s < i_clusters; ++s) {
            IPositions<Real> const at(view.clusters, g, first + s);
            std::ptrdiff_t const place = std::ptrdiff_t{cluster_size} * (g.cluster + first + s);
            i.base = at.base;
            unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
                int const k = s * L::parts + part;
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    i.x[axis][k] = L::repeat(at.x[axis], part);
                    if constexpr (has_forces) i.force[axis][k] = B(Real(0));
                });
                if constexpr (has_sums) i.sum[k] = B(Real(0));
            });
            unroll<stride / record_size>([&](auto n) __attribute__((always_inline)) {
                Four<Real> rows[4];
                FourOf<Real>::load_rows(view.clusters.parameters + stride * place + n * record_size, stride, rows);
                unroll<record_size>([&](auto m) __attribute__((always_inline)) {
                    if constexpr (n * record_size + m < parameter_count)
                        unroll<L::parts>([&](auto part) __attribute__((always_inline)) {
                            i.parameters[n * record_size + m][s * L::parts + part] = L::repeat(rows[m], part);
                        });
                });
            });
        }
        i.energy = Energies{};
        return i;
    }

    template <class Places> [[gnu::always_inline]] static Distances distances(ClusterView<Real> const& clusters,
                                                                              Places const& places, IState const& i) {
        auto const at = positions(clusters, places, i.base);
        Distances result;
        for_packs([&](auto k) __attribute__((always_inline)) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                result.d[axis][k] = each(
                    k, [&](int of_i, int of_tile) __attribute__((always_inline)) {
                        return B(L::template number<axis>(at, of_tile) - i.x[axis][of_i]);
                    });
            });
            if constexpr (has_charges)
                result.charge[k] = each(
                    k, [&](int, int of_tile)
                           __attribute__((always_inline)) { return L::template number<3>(at, of_tile); });
            auto const &dx = result.d[0][k], &dy = result.d[1][k], &dz = result.d[2][k];
            result.r2[k] = multiply_add(dz, dz, multiply_add(dy, dy, dx * dx));
            result.inverse[k] = inverse_sqrt(result.r2[k]);
        });
        return result;
    }

    /// The parameters of the j particles in pack `k`.
    struct JParameters {
        static constexpr int records = stride / record_size;
        typename L::Records of[records > 0 ? records : 1];

        template <class Places> [[gnu::always_inline]] JParameters(Real const* parameters, Places const& places) {
            unroll<records>([&](auto n) __attribute__((always_inline)) {
                of[n] = places.load(parameters + n * record_size, stride);
            });
        }
        template <int n> [[gnu::always_inline]] T number(int k) const {
            return each(
                k, [&](int, int of_tile) __attribute__((always_inline)) {
                    return L::template number<n % record_size>(of[n / record_size], of_tile);
                });
        }
    };

    template <PairKind kind, class Places>
    [[gnu::always_inline]] static OnJ act(PairView<Real> const& view, Places const& places, MaskedPair const& masks,
                                          Distances const& at, IState& i, Interaction const& interaction) {
        OnJ on_j;
        auto const with = [&](auto const& parameters_of) __attribute__((always_inline)) {
            for_packs([&](auto k) __attribute__((always_inline)) {
                auto near = at.r2[k] <= T(interaction.cutoff2);
                auto interacting = near, screened = near;
                if constexpr (kind == PairKind::masked) {
                    unroll<3>([&](auto axis) __attribute__((always_inline)) {
                        near = near & (T(-view.half_box[axis]) < at.d[axis][k]);
                    });
                    interacting = near & mask(masks.interacting, k);
                    screened = near & mask(masks.interacting | masks.screened, k);
                }
                Parameters of_i;
                unroll<parameter_count>([&](auto n) __attribute__((always_inline)) {
                    of_i.p[n] = each(
                        k, [&](int r, int) __attribute__((always_inline)) { return i.parameters[n][r]; });
                });
                auto const result = interaction.template evaluate<kind>(at.r2[k], at.inverse[k], of_i, parameters_of(k),
                                                                        interacting, screened);
                if constexpr (with_energy) add_energy(i, result.energy.total());
                add_forces_and_sums(k, result, at, i, on_j);
            });
        };
        if constexpr (kind == PairKind::bare)
            with([&](int k) __attribute__((always_inline)) {
                Parameters of_j;
                of_j.p[0] = at.charge[k];
                return of_j;
            });
        else {
            JParameters const parameters(view.clusters.parameters, places);
            with([&](int k) __attribute__((always_inline)) {
                Parameters of_j;
                unroll<parameter_count>([&](auto n) __attribute__((always_inline)) {
                    if constexpr (has_charges && n == 0)
                        of_j.p[n] = at.charge[k];
                    else
                        of_j.p[n] = parameters.template number<n>(k);
                });
                return of_j;
            });
        }
        return on_j;
    }

    template <class Result> [[gnu::always_inline]] static void add_forces_and_sums(int k, Result const& result,
                                                                                   Distances const& at, IState& i,
                                                                                   OnJ& on_j) {
        unroll<together>([&](auto n) __attribute__((always_inline)) {
            int const number = k * together + n, of_tile = number % L::registers, s = number / L::registers,
                      of_i = s * L::parts + of_tile % L::parts;
            if constexpr (has_forces)
                unroll<3>([&](auto axis) __attribute__((always_inline)) {
                    B const &scale = result.force_over_r.parts[n], &d = at.d[axis][k].parts[n];
                    B &to_i = i.force[axis][of_i], &to_j = on_j.force[axis][of_tile];
                    if (i_clusters == 1 || s == 0) {
                        to_j = scale * d;
                        to_i += to_j;
                    } else {
                        to_j = multiply_add(scale, d, to_j);
                        to_i = multiply_add(scale, d, to_i);
                    }
                });
            if constexpr (has_sums) {
                i.sum[of_i] += result.sum_i.parts[n];
                B& to_j = on_j.sum[of_tile];
                to_j = i_clusters == 1 || s == 0 ? result.sum_j.parts[n] : B(to_j + result.sum_j.parts[n]);
            }
        });
    }
    [[gnu::always_inline]] static void add_energy(IState& i, B const& energy) {
        using Register = typename B::register_type;
        using Numbers [[gnu::vector_size(sizeof(Register))]] = Real;
        i.energy += __builtin_convertvector((Numbers)(Register)energy, Energies);
    }

    [[gnu::always_inline]] static OnJ nothing() {
        OnJ result;
        unroll<L::registers>([&](auto k) __attribute__((always_inline)) {
            unroll<3>([&](auto axis) __attribute__((always_inline)) { result.force[axis][k] = B(Real(0)); });
            result.sum[k] = B(Real(0));
        });
        return result;
    }
    template <class Places>
    [[gnu::always_inline]] static void add(PairView<Real> const& view, Places const& places, OnJ const& on_j) {
        if constexpr (has_forces) places.add_forces(view, L::sums_of_j(on_j.force));
        if constexpr (has_sums) places.add_sums(view, L::sums_of_j(on_j.sum));
    }

    /// Four j particles are a chain of dependent operations that is too long for processors to begin the next one by
    /// themselves, so stages of different ones are interleaved.
    template <PairKind kind, class Places> [[gnu::always_inline]] static void run(PairView<Real> const& view,
                                                                                  ListRange range, IState& i,
                                                                                  Interaction const& interaction) {
        if (range.begin == range.end) return;
        std::int32_t const *const first = view.places + range.begin, *const last = view.places + range.end;
        if constexpr (packs > 1)
            run_in_one_stage<kind, Places>(view, first, last, i, interaction);
        else if constexpr (has_avx512<Arch>)
            run_in_three_stages<kind, Places>(view, first, last, i, interaction);
        else
            run_in_two_stages<kind, Places>(view, first, last, i, interaction);
    }

private:
    /// Distances to the next particles, forces of the present ones, and what the last ones get of them.
    template <PairKind kind, class Places>
    [[gnu::always_inline]] static void run_in_three_stages(PairView<Real> const& view, std::int32_t const* entry,
                                                           std::int32_t const* end, IState& i,
                                                           Interaction const& interaction) {
        Distances next = distances(view.clusters, Places(entry), i);
        OnJ last = nothing();
        std::int32_t const* last_entry = entry;
        for (; entry != end; entry += Places::entries) {
            Distances const present = next;
            // Behind the last come whatever places the list holds there; their distances are not used.
            next = distances(view.clusters, Places(entry + Places::entries), i);
            OnJ const on_j = act<kind>(view, Places(entry), {}, present, i, interaction);
            add(view, Places(last_entry), last);
            last = on_j;
            last_entry = entry;
        }
        add(view, Places(last_entry), last);
    }

    /// The first of these beside the others. With sixteen registers distances wait in memory: two places in turn save
    /// copies from one to the other.
    template <PairKind kind, class Places>
    [[gnu::always_inline]] static void run_in_two_stages(PairView<Real> const& view, std::int32_t const* entry,
                                                         std::int32_t const* end, IState& i,
                                                         Interaction const& interaction) {
        constexpr int entries = Places::entries;
        auto step = [&](Distances const& d) __attribute__((always_inline)) {
            add(view, Places(entry), act<kind>(view, Places(entry), {}, d, i, interaction));
            entry += entries;
        };
        Distances even = distances(view.clusters, Places(entry), i);
        while (end - entry > entries) {
            Distances const odd = distances(view.clusters, Places(entry + entries), i);
            step(even);
            even = distances(view.clusters, Places(entry + entries), i);
            step(odd);
        }
        if (entry != end) step(even);
    }

    template <PairKind kind, class Places>
    [[gnu::always_inline]] static void run_in_one_stage(PairView<Real> const& view, std::int32_t const* entry,
                                                        std::int32_t const* end, IState& i,
                                                        Interaction const& interaction) {
        for (; entry != end; entry += Places::entries) {
            Places const places(entry);
            add(view, places, act<kind>(view, places, {}, distances(view.clusters, places, i), i, interaction));
        }
    }

    [[gnu::always_inline]] static typename T::M mask(std::uint32_t bits, int pack) {
        return T::each_mask([&](auto n) __attribute__((always_inline)) {
            return L::mask(bits, (pack * together + n) % L::registers);
        });
    }
};

/// Carries out `Interaction` for all pairs of a task, adds forces and sums to the task's buffers and returns the
/// energy.
template <class Real, class Arch, class Interaction> struct PairLoop {
    using L = Layout<Real, Arch>;
    using One = PairTile<Real, Arch, Interaction, 1>;
    using Two = PairTile<Real, Arch, Interaction, 2>;
    /// Whether there are registers enough for two i clusters at once.
    static constexpr bool takes_two = has_avx512<Arch> && L::registers == 1;

    static double run(PairView<Real> const& view, Interaction const& interaction) {
        if (Interaction::has_cutoff || !view.lists_clusters) return run<ListedPlaces<Real, Arch>>(view, interaction);
        if constexpr (!Interaction::has_cutoff) return run<ClusterPlaces<Real, Arch>>(view, interaction);
    }

private:
    using State = typename One::IState;

    // By value: stores of forces could change what lies behind a reference, so it would be loaded again and again.
    template <class Places> static double run(PairView<Real> const view, Interaction const interaction) {
        double energy = 0;
        for (int n = 0; n < view.group_count; ++n) {
            PairGroup const g = view.groups[n];
            if constexpr (takes_two)
                if (g.plain[near_both].count() + g.bare.count() > 0) {
                    energy += both<Places>(view, g, interaction);
                    continue;
                }
            for (int s = 0; s < g.count; ++s) energy += alone<Places>(view, g, s, interaction);
        }
        return energy;
    }

    /// What is near both i clusters, for one of them or for the two.
    template <class Places, class Tile>
    [[gnu::always_inline]] static void common(PairView<Real> const& view, PairGroup const& g, typename Tile::IState& i,
                                              Interaction const& interaction) {
        Tile::template run<PairKind::plain, Places>(view, g.plain[near_both], i, interaction);
        if constexpr (Interaction::has_charges && Places::entries > 1)
            Tile::template run<PairKind::bare, Places>(view, g.bare, i, interaction);
    }
    template <class Places> [[gnu::noinline]] static double alone(PairView<Real> const& view, PairGroup const& g, int s,
                                                                  Interaction const& interaction) {
        State i = One::start(view, g, s);
        if constexpr (!takes_two) common<Places, One>(view, g, i, interaction);
        return rest<Places>(view, g, s, i, interaction);
    }
    template <class Places> [[gnu::always_inline]] static double both(PairView<Real> const& view, PairGroup const& g,
                                                                      Interaction const& interaction) {
        auto i = Two::start(view, g, 0);
        common<Places, Two>(view, g, i, interaction);
        double energy = 0;
        for (int s = 0; s < 2; ++s) {
            State of_one = part(i, s);
            energy += rest<Places>(view, g, s, of_one, interaction);
        }
        if constexpr (Interaction::with_energy) energy += total<Two>(i);
        return energy;
    }
    /// What a state has of i cluster `s`.
    [[gnu::always_inline]] static State part(typename Two::IState const& i, int s) {
        static_assert(L::parts == 1 || !takes_two);
        State result;
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            result.x[axis][0] = i.x[axis][s];
            if constexpr (Interaction::has_forces) result.force[axis][0] = i.force[axis][s];
        });
        unroll<Interaction::parameter_count>([&](auto n) __attribute__((always_inline)) {
            result.parameters[n][0] = i.parameters[n][s];
        });
        if constexpr (Interaction::has_sums) result.sum[0] = i.sum[s];
        result.base = i.base;
        result.energy = typename One::Energies{};
        return result;
    }
    /// What is near i cluster `s` alone.
    template <class Places> [[gnu::always_inline]] static double rest(PairView<Real> const& view, PairGroup const& g,
                                                                      int s, State& i, Interaction const& interaction) {
        for (int n = g.masked[s].begin; n < g.masked[s].end; ++n) {
            MaskedPair const& entry = view.masked[n];
            if constexpr (Places::entries == 1)
                masked(view, Places(&entry.cluster), entry, i, interaction);
            else {
                // One by one, as lists add to them: a wide load waits for narrow stores.
                FourPlaces const four = FourPlaces::of_cluster(entry.cluster);
                masked(view, Places(four.of), entry, i, interaction);
            }
        }
        One::template run<PairKind::plain, Places>(view, g.plain[s], i, interaction);
        finish(view, g.cluster + s, i);
        if constexpr (Interaction::with_energy)
            return total<One>(i);
        else
            return 0;
    }
    template <class Places> [[gnu::always_inline]] static void masked(PairView<Real> const& view, Places const& places,
                                                                      MaskedPair const& entry, State& i,
                                                                      Interaction const& interaction) {
        One::add(view, places,
                 One::template act<PairKind::masked>(view, places, entry, One::distances(view.clusters, places, i), i,
                                                     interaction));
    }
    template <class Tile, class IState> [[gnu::always_inline]] static double total(IState const& i) {
        double energy = 0;
        for (int lane = 0; lane < L::width; ++lane) energy += static_cast<double>(i.energy[lane]);
        return energy;
    }

    [[gnu::always_inline]] static void finish(PairView<Real> const& view, std::int32_t cluster, State const& i) {
        std::ptrdiff_t const place = view.touched(cluster * cluster_size);
        if constexpr (Interaction::has_forces) {
            Four<Real> rows[4] = {};
            unroll<3>([&](auto axis) __attribute__((always_inline)) { rows[axis] = -L::sums_of_i(i.force[axis]); });
            FourOf<Real>::transpose(rows);
            for (int n = 0; n < cluster_size; ++n) FourOf<Real>::add(view.forces + record_size * (place + n), rows[n]);
        }
        if constexpr (Interaction::has_sums) FourOf<Real>::add(view.sums + place, L::sums_of_i(i.sum));
    }
};

}  // namespace trotter::cpu
