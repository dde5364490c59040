// Device text for virtual sites, from the formulas of the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstddef>
#include <string>
#include <variant>

#include <trotter/core/virtual_sites.hpp>

namespace trotter::device {

/// Sites that have the same text.
struct SiteKind {
    std::size_t type = 0, parents = 0;  ///< the index of the type in `VirtualSite`
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

/// What places the sites of a kind, and what gives their forces to the particles that they depend on. In the text,
/// `site` is the particle, `parent0` … those that it depends on, `x0` … their positions and FIELD(n) the n-th number of
/// the site; `box` holds the box vectors.
std::string place_text(VirtualSite const& example);
std::string distribute_text(VirtualSite const& example);

}  // namespace trotter::device
