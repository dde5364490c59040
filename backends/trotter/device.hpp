// What the device backends share, with all their kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/centroid_bonds.hpp>
#include <trotter/device/core.hpp>
#include <trotter/device/custom_gb.hpp>
#include <trotter/device/custom_hbond.hpp>
#include <trotter/device/custom_many_particle.hpp>
#include <trotter/device/gbsa.hpp>
#include <trotter/device/integration/andersen_thermostat.hpp>
#include <trotter/device/integration/brownian.hpp>
#include <trotter/device/integration/cm_motion_remover.hpp>
#include <trotter/device/integration/custom.hpp>
#include <trotter/device/integration/nose_hoover.hpp>
#include <trotter/device/nonbonded.hpp>
#include <trotter/host.hpp>
#include <trotter/reference/all_lent.hpp>
