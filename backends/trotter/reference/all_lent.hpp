// The kernels of Reference that the other backends borrow, all of them.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/custom_hbond.hpp>
#include <trotter/reference/custom_many_particle.hpp>
#include <trotter/reference/custom_volume.hpp>
#include <trotter/reference/gay_berne.hpp>
#include <trotter/reference/lcpo.hpp>
#include <trotter/reference/lent.hpp>
#include <trotter/reference/orientation_restraint.hpp>
#include <trotter/reference/rg.hpp>
#include <trotter/reference/rmsd.hpp>
