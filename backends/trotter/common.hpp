// Shared by all backends: integrators, thermostats, barostats and the minimizer on `HostState`.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/barostats/anisotropic.hpp>
#include <trotter/common/barostats/flexible.hpp>
#include <trotter/common/barostats/isotropic.hpp>
#include <trotter/common/barostats/membrane.hpp>
#include <trotter/common/containers/atm.hpp>
#include <trotter/common/containers/custom_cv.hpp>
#include <trotter/common/core.hpp>
#include <trotter/common/forces/centroid_bonds.hpp>
#include <trotter/common/integration/andersen_thermostat.hpp>
#include <trotter/common/integration/brownian.hpp>
#include <trotter/common/integration/cm_motion_remover.hpp>
#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/common/integration/dpd.hpp>
#include <trotter/common/integration/metropolized.hpp>
#include <trotter/common/integration/nose_hoover.hpp>
#include <trotter/common/integration/qtb.hpp>
#include <trotter/extensions/kernels.hpp>
