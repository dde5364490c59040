// The four concepts of Trotter: Precision, Backend, Force, Integrator.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <string_view>
#include <type_traits>

namespace trotter {

/// A name that error messages and tables can print.
template <class T>
concept Named = requires {
    { T::name } -> std::convertible_to<std::string_view>;
};

/// The number types of a computation.
template <class P>
concept Precision = Named<P> && requires {
    typename P::Real;
    typename P::Master;
};

/// A backend, whose capabilities are the specializations of `Kernel` for it.
template <class B>
concept Backend = Named<B>;

/// A force: a plain struct with parameters, whose physics is given by parts or by kernels.
template <class F>
concept Force = Named<F> && std::is_copy_constructible_v<F> && std::is_copy_assignable_v<F> && requires(F const& force) {
    { force.force_group } -> std::convertible_to<int>;
};

/// An integrator: a plain struct with parameters, given by a splitting or by a kernel.
template <class I>
concept Integrator = Named<I> && std::is_copy_constructible_v<I> && std::is_copy_assignable_v<I> && requires(I const& integrator) {
    { integrator.step_size } -> std::convertible_to<double>;
    { integrator.constraint_tolerance } -> std::convertible_to<double>;
    integrator.force_groups;
};

}  // namespace trotter
