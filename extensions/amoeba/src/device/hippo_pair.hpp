// The statements of a pair of particles of HIPPO, as kernel source.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/device/hippo_text.hpp>
#include <trotter/amoeba/device/multipole_text.hpp>
#include <trotter/device/text/traced.hpp>

#include "hippo/pair_interaction.hpp"

namespace trotter::amoeba {

/// The other site of a pair.
constexpr char other_of(char site) { return site == '1' ? '2' : '1'; }

/// The statements of a pair, whose sites are '1' and '2'.
class HippoText::Pair {
    using Statements = device::Statements;
    using Traced = device::Traced;
    using Functions = RadialFunctions<Traced>;

public:
    Pair(HippoText const& of, bool is_special)
        : of_(of),
          statements_("temp", of.types_.real_suffix()),
          numbers_{read_numbers('1'), read_numbers('2')},
          separation_(vector("delta"), name("r"), name("invR"), of.alpha_) {
        if (is_special)
            scales = {name("scales_a.x"), name("scales_a.y"), name("scales_a.z"),
                      name("scales_a.w"), name("scales_b.x"), name("scales_b.y")};
    }
    Pair(Pair const&) = delete;
    Pair& operator=(Pair const&) = delete;

    hippo::ScaleNumbers<Traced> scales;

    Traced name(std::string const& text) { return {statements_, text}; }
    Vec3<Traced> vector(std::string const& text) { return {name(text + ".x"), name(text + ".y"), name(text + ".z")}; }
    hippo::Site<Traced> site(char k) {
        auto const& of = numbers_[k == '1' ? 0 : 1];
        std::string const a = std::string("site_a") + k, b = std::string("site_b") + k, c = std::string("site_c") + k;
        return {&of,
                {of.charge - of.core_charge,
                 {name(a + ".y"), name(a + ".z"), name(a + ".w")},
                 {name(b + ".x"), name(b + ".y"), name(b + ".z"), name(b + ".w"), name(c + ".x"), name(c + ".y")}},
                vector(std::string("induced") + k)};
    }
    Traced const& r() const { return separation_.r; }
    /// As seen from this site.
    hippo::Separation<Traced> separation(char number) const {
        return number == '1' ? separation_ : separation_.reversed();
    }

    /// What penetration takes from 1/r between electrons.
    Functions mutual_penetration() {
        Traced const a = numbers_[0].alpha, b = numbers_[1].alpha;
        DecayingFunctions<Traced> const of_a(a, r()), of_b(b, r());
        return chosen(
            "both", of_.electrons_, a, b,
            [&] { return detail::mutual_penetration_of_equal(DecayingFunctions<Traced, 3>(a, r()), a); },
            [&](auto const& close) { return detail::mutual_penetration_of_close(close, a, b, r()); },
            [&] { return detail::mutual_penetration_of_different(of_a, a, of_b, b); });
    }
    Functions squared_overlap() {
        Traced const a = numbers_[0].pauli_alpha * Traced(0.5), b = numbers_[1].pauli_alpha * Traced(0.5);
        return chosen(
            "overlap", of_.orbitals_, a, b, [&] { return detail::overlap_of_equal(a, r()).square(); },
            [&](auto const& close) { return detail::overlap_of_close(close, a, b, r()).square(); },
            [&] { return detail::overlap_of_different(a, b, r()).square(); });
    }

    /// What a site gets without the forces between induced dipoles; terms without moments for the first site alone.
    hippo::Load<Traced> load(char site, Functions const& both, Functions const& overlap) {
        auto const one = this->site(site), other = this->site(other_of(site));
        auto const pair = separation(site);
        auto const penetration_of = [&](hippo::Site<Traced> const& of) {
            Traced const a = of.of->alpha;
            return penetration(DecayingFunctions<Traced>(a, r()), a);
        };
        hippo::Load<Traced> load, rest;
        hippo::add_electrostatics(one, other, pair, {penetration_of(one), penetration_of(other), both}, scales, load);
        load = load * Traced(constants::coulomb);
        auto const& force = of_.force_;
        hippo::Splitting splitting{of_.alpha_, of_.dispersion_alpha_, {}};
        if (force.uses_cutoff()) splitting.tapering = {force.switching_distance, force.cutoff_distance};
        Traced const strength = one.of->pauli_k * other.of->pauli_k * scales.repulsion_scale;
        hippo::add_repulsion(one, other, pair, overlap, splitting.tapering, strength, rest);
        if (site == '1') hippo::add_scalar_terms(one, other, r(), pair.d, both, splitting, scales, rest);
        return load += rest;
    }

    void add(std::string const& sum, char site, Vec3<Traced> const& value) {
        add(sum + 'x' + site, value.x);
        add(sum + 'y' + site, value.y);
        add(sum + 'z' + site, value.z);
    }
    void add_energy(Traced const& energy) { add("tempEnergy", energy); }
    std::string const& text() const { return statements_.text(); }

private:
    void add(std::string const& sum, Traced const& value) {
        statements_.add(sum + " += " + value.name(statements_) + ';');
    }
    hippo::ParticleNumbers<Traced> read_numbers(char k) {
        std::string const a = std::string("site_a") + k, c = std::string("site_c") + k, d = std::string("site_d") + k,
                          e = std::string("site_e") + k;
        return {name(a + ".x"), name(c + ".w"), name(c + ".z"), name(d + ".x"), name(d + ".y"),
                name(d + ".z"), name(d + ".w"), name(e + ".x"), name(e + ".y")};
    }
    // Functions by one of three formulas: work-items branch, since each is long.
    template <class Equal, class Close, class Different>
    Functions chosen(std::string const& prefix, DecayCases const& cases, Traced const& a, Traced const& b,
                     Equal const& equal, Close const& close, Different const& different) {
        detail::CloseDecays<Traced> const decays(a, b, cases.terms);
        std::vector<std::pair<std::string, std::function<Functions()>>> choices{
            {a.name(statements_) + " == " + b.name(statements_), equal}};
        if (cases.terms > 0)
            choices.emplace_back(decays.epsilon.name(statements_) + " <= " + number_text(cases.most_close),
                                 [&] { return close(decays); });
        if (cases.are_different) choices.emplace_back("", different);
        if (choices.size() == 1) return equal();
        Functions result{};
        for (std::size_t n = 0; n < result.b.size(); ++n) {
            std::string const variable = prefix + std::to_string(n);
            statements_.add("real " + variable + " = 0;");
            result.b[n] = name(variable);
        }
        for (std::size_t k = 0; k < choices.size(); ++k) {
            auto const& [condition, functions] = choices[k];
            statements_.add((k == 0 ? "" : "} else ")
                            + (k + 1 < choices.size() ? "if (" + condition + ") {" : std::string("{")));
            auto const values = functions();
            for (std::size_t n = 0; n < values.b.size(); ++n)
                statements_.add(prefix + std::to_string(n) + " = " + values.b[n].name(statements_) + ';');
            statements_.forget();
        }
        statements_.add("}");
        return result;
    }

    HippoText const& of_;
    Statements statements_;
    std::array<hippo::ParticleNumbers<Traced>, 2> numbers_;
    hippo::Separation<Traced> separation_;
};

}  // namespace trotter::amoeba
