// The four concepts of Trotter: Precision, Backend, Force, Integrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <type_traits>

// Ahead of what an older standard does not know, of which a compiler gives hundreds of errors.
#ifndef __cpp_concepts
#error "Trotter needs C++20: -std=c++20, or what your project sets it by"
#endif

namespace trotter {

/// A name that error messages and tables can print.
template <class T>
concept Named = requires {
    { T::name } -> std::convertible_to<std::string_view>;
};

/// In what: the number types of a computation.
template <class P>
concept Precision = Named<P> && requires {
    typename P::Real;
    typename P::Master;
};

/// Where: an empty tag. What it can do are the specializations of `Kernel` for it.
template <class B>
concept Backend = Named<B>;

/// What acts on particles: a plain struct with parameters, and its physics as parts or as kernels of its own.
template <class F>
concept Force = Named<F> && std::is_copy_constructible_v<F> && std::is_copy_assignable_v<F> && requires(F const& force) {
    { force.force_group } -> std::convertible_to<int>;
};

/// How particles move: a plain struct with parameters, and its splitting or a kernel of its own.
template <class I>
concept Integrator = Named<I> && std::is_copy_constructible_v<I> && std::is_copy_assignable_v<I> && requires(I const& integrator) {
    { integrator.step_size } -> std::convertible_to<double>;
    { integrator.constraint_tolerance } -> std::convertible_to<double>;
    integrator.force_groups;
};

}  // namespace trotter
