// Evaluates the bonded terms of all forces in one launch.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/core/request.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/device/terms/centroid_points.hpp>
#include <trotter/device/terms/term_text.hpp>
#include <trotter/kernels/cmap.hpp>
#include <trotter/kernels/sums.hpp>
#include <trotter/kernels/tables.hpp>
#include <trotter/parts/terms/cmap_formula.hpp>
#include <trotter/parts/terms/term_formula.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/registration.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::device {

/// A buffer or number used by user-supplied source.
struct TextArgument {
    std::string declaration;  ///< as a kernel's parameter: "GLOBAL const float* RESTRICT lengths"
    Argument value;           ///< must keep its address
};

/// The terms of one force: their source, particles and parameters.
struct TermKind {
    int force = 0, group = 0;
    std::size_t count = 0;
    std::string text{};
    std::vector<std::int32_t> particles{};  ///< the first particles of all terms, then the second ones, …
    std::vector<double> fields{};           ///< parameters, likewise
    std::vector<CmapTable> maps{};          ///< used by the source
    std::vector<double> tables{};           ///< values of tabulated functions
    bool acts_on_centroids = false;       ///< particles are centroid indices of the Context
    std::vector<TextArgument> arguments{};
    std::vector<std::string> parameters{};  ///< names of the global parameters that the source uses
    int energy_accumulator = -1;
    std::vector<std::pair<std::string, int>> derivative_accumulators{};  ///< parameter and accumulator

    /// Variables that the source adds to, and their accumulators.
    std::vector<std::pair<std::string, int>> sums() const;
};

/// Its parameters, which those of all kinds follow.
inline constexpr char const* terms_parameters =
    "GLOBAL mm_ulong* RESTRICT forces, GLOBAL const coordinate4* RESTRICT positions, "
    "GLOBAL const coordinate4* RESTRICT box, GLOBAL const int* RESTRICT particles, "
    "GLOBAL const coordinate* RESTRICT fields, GLOBAL const int* RESTRICT ranges, GLOBAL const int* RESTRICT wanted, "
    "GLOBAL const coordinate* RESTRICT parameters, GLOBAL const coordinate4* RESTRICT cmap_knots, "
    "GLOBAL const int2* RESTRICT cmap_sizes, GLOBAL const coordinate4* RESTRICT tables, "
    "GLOBAL const coordinate4* RESTRICT centroids, GLOBAL mm_ulong* RESTRICT centroid_forces, "
    "GLOBAL coordinate* RESTRICT kept, GLOBAL const int* RESTRICT kept_begins, int items, int has_sums";
/// The kernel for the terms of these kinds, which begin at `ranges`: see `Terms::layout`.
std::string terms_kernel(std::vector<TermKind> const& kinds);
/// Entries of `ranges` per kind.
inline constexpr std::size_t numbers_per_range = 6;

/// All terms of a Context, evaluated by one kernel.
template <DeviceQueue Q> class Terms {
public:
    /// Adds the terms of a force; returns their index.
    int add(TermKind kind) {
        kinds_.push_back(std::move(kind));
        compiled_.reset();
        return static_cast<int>(kinds_.size()) - 1;
    }
    /// With `centroids`, terms act on these instead of particles.
    template <HasTerms F>
    int add(F const& force, Engine<Q>& engine, Registration who, Centroids const* centroids = nullptr) {
        auto const formula =
            checked_formula(force, centroids ? static_cast<int>(centroids->count()) : engine.host.particles.count());
        declare_parameters(force, engine.host.parameters, engine.host.parameter_derivatives);
        TermKind kind{.force = who.index,
                      .group = force.force_group,
                      .count = (force.*F::terms).size(),
                      .text = term_text(force, formula, engine.types.coordinate_suffix(),
                                        centroids ? "add_centroid_force(centroid_forces" : "add_fine_force(forces"),
                      .acts_on_centroids = centroids != nullptr,
                      .energy_accumulator = engine.sums.add()};
        for (std::string_view const name : parameter_names<F>(formula)) kind.parameters.emplace_back(name);
        auto const wanted = wanted_derivatives(force, formula);
        for (std::size_t n = 0; n < wanted.size(); ++n)
            if (wanted[n]) kind.derivative_accumulators.emplace_back(kind.parameters[n], engine.sums.add());
        update_particles(kind, force);
        if (centroids)
            for (int const first = centroids_.add(*centroids); std::int32_t& point : kind.particles) point += first;
        update_parameters(kind, force);
        return add(std::move(kind));
    }
    /// Replaces the terms of a force without centroids.
    template <HasTerms F> void replace(int number, F const& force) {
        auto& kind = kinds_[static_cast<std::size_t>(number)];
        kind.count = (force.*F::terms).size();
        update_particles(kind, force);
        update_parameters(kind, force);
        compiled_.reset();
    }
    /// Updates the parameters of a force's terms in place, so that recorded steps remain valid.
    template <HasTerms F> void update(int number, F const& force, Engine<Q>& engine) {
        update_parameters(kinds_[static_cast<std::size_t>(number)], force);
        upload_again(number, engine);
    }

    TermKind const& kind(int number) const { return kinds_[static_cast<std::size_t>(number)]; }

    /// Compiles before an evaluation. Forces may still change parameters.
    void prepare(Engine<Q>& engine) {
        if (kinds_.empty() || compiled_) return;
        centroids_.prepare(engine);
        auto program = engine.compile(kernels::cmap + kernels::tables("coordinate") + centroids_.text() + terms_kernel(kinds_)
                                      + kernels::kept_sums);
        auto made = layout(engine);
        made.evaluate = program.kernel("evaluate_terms");
        made.sums.take(program);
        compiled_ = std::move(made);
        numbers_.reset();
    }
    /// Launches terms concurrently with the work that follows until the engine's `join`.
    void launch_wanted(Engine<Q>& engine, Request const& request) {
        if (kinds_.empty()) return;
        prepare(engine);
        if (!numbers_) numbers_ = all_numbers(engine);
        std::vector<std::int32_t> wanted;
        bool any = false, any_centroid = false;
        for (auto const& kind : kinds_) {
            wanted.push_back(request.wants(kind.force, kind.group) && kind.count > 0);
            any = any || wanted.back();
            any_centroid = any_centroid || (wanted.back() && kind.acts_on_centroids);
        }
        if (!any) return;
        auto const& wanted_array = array_of(wanted, engine);
        upload_parameters(engine);
        auto& c = *compiled_;
        std::int32_t const items = static_cast<std::int32_t>(c.items),
                           has_sums = request.energy || request.parameter_derivatives;
        auto arguments = list_for<ParameterList<terms_parameters>>(
            engine.forces, engine.positions, engine.box, c.particles, numbers_->fields, c.ranges, wanted_array,
            c.parameters, numbers_->cmap_knots, numbers_->cmap_sizes, numbers_->tables, centroids_.positions(),
            centroids_.forces(), c.kept, c.kept_begins, items, has_sums);
        for (auto const& kind : kinds_)
            for (auto const& argument : kind.arguments) arguments.push_back(argument.value);
        engine.beside([&] {
            if (any_centroid) centroids_.find(engine);
            engine.queue.launch(c.evaluate, grid_for(engine.queue.properties(), c.items), arguments);
            if (has_sums)
                launch<"add_kept">(engine.queue, c.sums, grid_for(engine.queue.properties(), c.most_terms), c.kept,
                                   c.kept_ranges, static_cast<std::int32_t>(c.kept_ranges.size()), wanted_array,
                                   engine.sums);
            if (any_centroid) centroids_.spread(engine);
        });
    }

private:
    /// Results of compilation, valid until kinds change.
    struct Compiled {
        typename Q::Kernel evaluate{};
        SourceKernels<Q, kernels::kept_sums> sums{};
        std::size_t items = 0, most_terms = 0;
        Array<Q, std::int32_t> particles{}, ranges{};
        // Summands, one per term. Reduction in the terms kernel would need barriers, whose cost in some compilers is
        // quadratic in the kernel's length.
        NumberArray<Q> kept{};
        Array<Q, std::int32_t> kept_begins{};
        Array<Q, mm_int4> kept_ranges{};
        std::vector<std::pair<std::vector<std::int32_t>, Array<Q, std::int32_t>>> wanted_arrays{};
        UploadedNumbers<Q> parameters;
    };
    struct Numbers {
        NumberArray<Q> fields, cmap_knots, tables;
        Array<Q, mm_int2> cmap_sizes;
    };

    template <HasTerms F> static void update_particles(TermKind& kind, F const& force) {
        kind.particles.clear();
        for (std::size_t p = 0; p < term_size(force); ++p)
            for (auto const& term : force.*F::terms) kind.particles.push_back(particles_of<F>(term)[p]);
    }
    template <HasTerms F> static void update_parameters(TermKind& kind, F const& force) {
        auto const& terms = force.*F::terms;
        kind.fields.resize(field_count(force) * terms.size());
        for (std::size_t t = 0; t < terms.size(); ++t) {
            auto const& fields = fields_of<F>(terms[t]);
            for (std::size_t n = 0; n < fields.size(); ++n) kind.fields[n * terms.size() + t] = fields[n];
        }
        if constexpr (std::same_as<FormulaOf<F>, CmapFormula>) kind.maps = formula_of(force).tables();
        kind.tables = Tables(tabulated_functions_of(force)).numbers();
    }

    // The sizes are unchanged; maps, which are few, are uploaded anew.
    void upload_again(int number, Engine<Q>& engine) {
        auto const changed = kinds_.begin() + number;
        if (!changed->maps.empty()) numbers_.reset();
        if (!numbers_) return;
        std::size_t fields = 0, tables = 0;
        for (auto kind = kinds_.begin(); kind != changed; ++kind)
            fields += kind->fields.size(), tables += kind->tables.size();
        numbers_->fields.upload(engine.queue, changed->fields, fields);
        numbers_->tables.upload(engine.queue, changed->tables, tables);
    }
    Numbers all_numbers(Engine<Q>& engine) const {
        std::vector<double> fields, knots, tables;
        std::vector<mm_int2> sizes;
        for (auto const& kind : kinds_) {
            fields.insert(fields.end(), kind.fields.begin(), kind.fields.end());
            tables.insert(tables.end(), kind.tables.begin(), kind.tables.end());
            for (auto const& map : kind.maps) {
                sizes.push_back({map.size(), static_cast<std::int32_t>(knots.size() / 4)});
                for (auto const& knot : map.knots()) knots.insert(knots.end(), knot.begin(), knot.end());
            }
        }
        // Kernels take no empty arrays.
        fields.resize(std::max<std::size_t>(fields.size(), 1));
        knots.resize(std::max<std::size_t>(knots.size(), 4));
        tables.resize(std::max<std::size_t>(tables.size(), 4));
        sizes.resize(std::max<std::size_t>(sizes.size(), 1));
        auto const on_device = [&](std::vector<double> const& numbers) {
            return NumberArray<Q>(engine.queue, numbers, engine.types.coordinate_is_double);
        };
        return {on_device(fields), on_device(knots), on_device(tables), {engine.queue, sizes}};
    }
    // For each kind: first work-item, number of terms, offsets of particles, fields, maps and tables.
    //
    // Kinds begin at multiples of 64, so that a work-group does one kind of work.
    Compiled layout(Engine<Q>& engine) const {
        Compiled result{.parameters = {engine.queue, 1, engine.types.coordinate_is_double}};
        std::vector<std::int32_t> ranges, particles, kept_begins;
        std::vector<mm_int4> kept_ranges;
        std::size_t fields = 0, maps = 0, tables = 0, kept = 0;
        for (auto const& kind : kinds_) {
            for (std::size_t const n : {result.items, kind.count, particles.size(), fields, maps, tables})
                ranges.push_back(static_cast<std::int32_t>(n));
            result.items += (kind.count + 63) / 64 * 64;
            particles.insert(particles.end(), kind.particles.begin(), kind.particles.end());
            fields += kind.fields.size();
            maps += kind.maps.size();
            tables += kind.tables.size() / 4;
            result.most_terms = std::max(result.most_terms, kind.count);
            for (auto const& [name, accumulator] : kind.sums()) {
                std::int32_t const begin = kept_begins.emplace_back(static_cast<std::int32_t>(kept));
                auto const number = static_cast<std::int32_t>(&kind - kinds_.data());
                kept_ranges.push_back({begin, static_cast<std::int32_t>(kind.count), accumulator, number});
                kept += kind.count;
            }
        }
        result.kept = {engine.queue, std::max<std::size_t>(kept, 1), engine.types.coordinate_is_double};
        result.kept_begins = {engine.queue, kept_begins};
        result.kept_ranges = {engine.queue, kept_ranges};
        particles.resize(std::max<std::size_t>(particles.size(), 1));
        result.particles = {engine.queue, particles};
        result.ranges = {engine.queue, ranges};
        return result;
    }
    // One for each combination of kinds: a recorded step may use several.
    Array<Q, std::int32_t> const& array_of(std::vector<std::int32_t> const& wanted, Engine<Q>& engine) {
        auto& arrays = compiled_->wanted_arrays;
        for (auto const& [kinds, array] : arrays)
            if (kinds == wanted) return array;
        return arrays.emplace_back(wanted, Array<Q, std::int32_t>(engine.queue, wanted)).second;
    }
    void upload_parameters(Engine<Q>& engine) {
        std::vector<double> values;
        for (auto const& kind : kinds_)
            for (auto const& name : kind.parameters) values.push_back(engine.host.parameters.value(name));
        values.resize(std::max<std::size_t>(values.size(), 1));
        compiled_->parameters.set(engine.queue, std::move(values));
    }

    std::vector<TermKind> kinds_;
    std::optional<Compiled> compiled_;
    std::optional<Numbers> numbers_;
    CentroidPoints<Q> centroids_;
};

}  // namespace trotter::device
