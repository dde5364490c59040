// Adds file and path of an element to an error.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>

namespace trotter::detail {

template <class Check> void located(XmlNode const& node, Check&& check) {
    try {
        check();
    } catch (InputError const& error) {
        node.fail(error.what());
    }
}

}  // namespace trotter::detail
