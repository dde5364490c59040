// The Reference backend with all its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/host.hpp>
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/custom_gb.hpp>
#include <trotter/reference/custom_hbond.hpp>
#include <trotter/reference/custom_many_particle.hpp>
#include <trotter/reference/custom_volume.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/reference/gay_berne.hpp>
#include <trotter/reference/gbsa.hpp>
#include <trotter/reference/lcpo.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/reference/orientation_restraint.hpp>
#include <trotter/reference/rg.hpp>
#include <trotter/reference/rmsd.hpp>
