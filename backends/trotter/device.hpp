// Shared by the device backends, with all their kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common.hpp>
#include <trotter/device/core.hpp>
#include <trotter/device/integration/andersen_thermostat.hpp>
#include <trotter/device/integration/brownian.hpp>
#include <trotter/device/integration/cm_motion_remover.hpp>
#include <trotter/device/integration/custom/custom.hpp>
#include <trotter/device/integration/nose_hoover.hpp>
#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/device/sets/custom_hbond.hpp>
#include <trotter/device/sets/custom_many_particle.hpp>
#include <trotter/device/stages/custom_gb.hpp>
#include <trotter/device/stages/gbsa.hpp>
#include <trotter/device/terms/centroid_bonds.hpp>
#include <trotter/reference/all_fallbacks.hpp>
#include <trotter/extensions/device_kernels.hpp>
