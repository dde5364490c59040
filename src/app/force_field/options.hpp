// Options of a System, with a record of which were used.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <set>
#include <string_view>

#include <trotter/app/system_options.hpp>

namespace trotter::app::force_field {

/// Reads options that only some forces use, so that one which nothing used can be refused.
class Options {
public:
    explicit Options(SystemOptions const& all) : all_(all) {}

    SystemOptions const* operator->() const { return &all_; }

    std::optional<double> switch_distance() const { return used("switch_distance", all_.switch_distance); }
    bool flexible_constraints() const {
        return used("flexible_constraints", all_.flexible_constraints).value_or(false);
    }
    std::optional<double> ewald_error_tolerance() const {
        return used("ewald_error_tolerance", all_.ewald_error_tolerance);
    }
    std::optional<bool> dispersion_correction() const {
        return used("dispersion_correction", all_.dispersion_correction);
    }
    std::optional<double> solute_dielectric() const { return used("solute_dielectric", all_.solute_dielectric); }
    std::optional<double> solvent_dielectric() const { return used("solvent_dielectric", all_.solvent_dielectric); }
    /// All those of implicit solvent.
    void use_implicit_solvent() const;

    double cutoff() const { return all_.cutoff.value_or(1); }  ///< [nm]

    /// Throws InputError for an option that was given and that nothing used.
    void check_all_used() const;

private:
    template <class T> std::optional<T> used(std::string_view name, std::optional<T> const& option) const {
        used_.insert(name);
        return option;
    }

    SystemOptions const& all_;
    mutable std::set<std::string_view> used_;
};

}  // namespace trotter::app::force_field
