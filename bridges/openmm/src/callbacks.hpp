// Forces that a program computes: in Python, or in C++ below OpenMM's CustomCPPForceImpl.
// SPDX-License-Identifier: MIT
#pragma once
#include <openmm/PythonForce.h>
#include <openmm/internal/CustomCPPForceImpl.h>
#include <trotter/forces/callback_force.hpp>

namespace trotter::openmm {

class Engine;

CallbackForce<> call_python(OpenMM::PythonForce const& force, Engine& engine);
CallbackForce<> call_cpp(OpenMM::CustomCPPForceImpl& force, OpenMM::ContextImpl& context);

}  // namespace trotter::openmm
