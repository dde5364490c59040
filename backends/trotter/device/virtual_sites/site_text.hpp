// Generates kernel source for virtual sites from the host's formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstddef>
#include <string>
#include <variant>

#include <trotter/core/virtual_sites.hpp>

namespace trotter::device {

/// Sites with the same source.
struct SiteKind {
    std::size_t type = 0, parents = 0;  ///< the type's index in `VirtualSite`
    bool use_box_vectors = false;

    explicit SiteKind(VirtualSite const& site) : type(site.index()) {
        std::visit(
            [this](auto const& s) {
                parents = parent_count(s);
                if constexpr (requires { s.use_box_vectors; }) use_box_vectors = s.use_box_vectors;
            },
            site);
    }
    friend auto operator<=>(SiteKind const&, SiteKind const&) = default;
};

/// Source that places sites of a kind, and that distributes their forces to their parents. `site` is the particle,
/// `parent0` … are its parents, `x0` … their positions and FIELD(n) is the n-th parameter of the site; `box` holds the
/// box vectors.
std::string place_text(VirtualSite const& example);
std::string distribute_text(VirtualSite const& example);

}  // namespace trotter::device
