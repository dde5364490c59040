// What Reference and Cpu share: integrators, thermostats, barostats and the minimizer on `HostState`.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/host/andersen_thermostat.hpp>
#include <trotter/host/atm.hpp>
#include <trotter/host/barostats/anisotropic.hpp>
#include <trotter/host/barostats/flexible.hpp>
#include <trotter/host/barostats/isotropic.hpp>
#include <trotter/host/barostats/membrane.hpp>
#include <trotter/host/centroid_bonds.hpp>
#include <trotter/host/cm_motion_remover.hpp>
#include <trotter/host/core.hpp>
#include <trotter/host/custom_cv.hpp>
#include <trotter/host/integrators/brownian.hpp>
#include <trotter/host/integrators/custom.hpp>
#include <trotter/host/integrators/dpd.hpp>
#include <trotter/host/integrators/metropolized.hpp>
#include <trotter/host/integrators/nose_hoover.hpp>
#include <trotter/host/integrators/qtb.hpp>
