#!/usr/bin/env python3
"""Makes custom_*.xml and custom_steps.txt: what CustomIntegrators do to five particles on OpenMM's Reference platform.

Each row of custom_steps.txt: case, what (x, v, a variable's name, `kinetic` or a parameter), particle or -1, numbers.
"""
# SPDX-License-Identifier: MIT
import os

import openmm as mm

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 20


def system():
    s = mm.System()
    for mass in (10, 12, 1, 14, 0):
        s.addParticle(mass)
    s.addConstraint(0, 1, 0.12)
    springs = mm.HarmonicBondForce()
    springs.addBond(1, 2, 0.1, 30000)
    springs.addBond(2, 3, 0.11, 20000)
    bonds = mm.CustomBondForce("lambda*k*(r-r0)^2+mu*r")
    bonds.addGlobalParameter("lambda", 0.7)
    bonds.addGlobalParameter("mu", 3)
    bonds.addPerBondParameter("k")
    bonds.addPerBondParameter("r0")
    bonds.addEnergyParameterDerivative("lambda")
    bonds.addEnergyParameterDerivative("mu")
    bonds.addBond(0, 3, (2000, 0.2))
    bonds.addBond(1, 4, (500, 0.3))
    bonds.setForceGroup(1)
    field = mm.CustomExternalForce("100*(x^2+2*y^2+z^4)")
    for i in range(5):
        field.addParticle(i)
    field.setForceGroup(2)
    remover = mm.CMMotionRemover(3)
    for force in (springs, bonds, field, remover):
        s.addForce(force)
    return s


def velocity_verlet(i):
    i.addPerDofVariable("x1", 0)
    i.addComputePerDof("v", "v+0.5*dt*f/m")
    i.addComputePerDof("x", "x+dt*v")
    i.addComputePerDof("x1", "x")
    i.addConstrainPositions()
    i.addComputePerDof("v", "v+0.5*dt*f/m+(x-x1)/dt")
    i.addConstrainVelocities()


def nested_groups(i):
    i.addUpdateContextState()
    i.addPerDofVariable("x1", 0)
    i.addComputePerDof("v", "v+0.5*dt*f2/m")
    for _ in range(2):
        i.addComputePerDof("v", "v+0.25*dt*f1/m")
        for _ in range(2):
            i.addComputePerDof("v", "v+0.125*dt*f0/m")
            i.addComputePerDof("x", "x+0.25*dt*v")
            i.addComputePerDof("x1", "x")
            i.addConstrainPositions()
            i.addComputePerDof("v", "v+(x-x1)/(0.25*dt)")
            i.addComputePerDof("v", "v+0.125*dt*f0/m")
        i.addComputePerDof("v", "v+0.25*dt*f1/m")
    i.addComputePerDof("v", "v+0.5*dt*f2/m")
    i.addConstrainVelocities()


def control_flow(i):
    for name, value in (("n", 0), ("k", 0), ("log", 1), ("ke", 0), ("e", 0)):
        i.addGlobalVariable(name, value)
    i.addComputePerDof("v", "v+dt*f/m")
    i.addComputePerDof("x", "x+dt*v")
    i.addComputeSum("ke", "m*v*v/2")
    i.addComputeGlobal("n", "n+1")
    i.beginIfBlock("ke > 20; unused = 3")
    i.addComputePerDof("v", "0.98*v")
    i.beginIfBlock("n-2*floor(n/2) = 0")
    i.addComputeGlobal("log", "log*1.5")
    i.endBlock()
    i.endBlock()
    i.addComputeGlobal("k", "0")
    i.beginWhileBlock("k+1 <= 4")
    i.addComputeGlobal("k", "k+1")
    i.beginWhileBlock("k < 3")
    i.addComputeGlobal("k", "k+1")
    i.addComputeGlobal("log", "log+0.01*k")
    i.endBlock()
    i.beginIfBlock("k != 4")
    i.addComputeGlobal("e", "energy1+0.5*e")
    i.endBlock()
    i.beginIfBlock("energy >= e")
    i.addComputeGlobal("log", "log-0.001*energy")
    i.endBlock()
    i.endBlock()


def vectors(i):
    i.addPerDofVariable("u", 0.5)
    i.addPerDofVariable("w", 0)
    i.addGlobalVariable("b", 2.0)
    i.addGlobalVariable("total", 0)
    i.addComputePerDof("u", "cross(v, vector(0.1,0.2,b))+0.01*u")
    i.addComputePerDof("v", "v+dt*(f/m+u)")
    i.addComputePerDof("x", "x+dt*v")
    i.addComputePerDof("w", "vector(dot(x,v), _x(v)*_y(x), _z(f)/1000)*select(step(_x(x)-0.1), 2, w)")
    i.addComputeSum("total", "m*dot(v,v)/6+_y(w)")
    i.setKineticEnergyExpression("m*v1*v1/2; v1=v+0.5*dt*f/m")


def derivatives(i):
    for name in ("slope", "momentum", "slope1", "slope2"):
        i.addGlobalVariable(name, 0)
    i.addPerDofVariable("t", 0)
    i.addComputePerDof("v", "v+dt*f/m")
    i.addComputePerDof("x", "x+dt*v")
    # Two formulas: OpenMM 8.6 treats two calls of deriv in one formula as the same.
    i.addComputeGlobal("slope", "deriv(energy, lambda)")
    i.addComputeGlobal("slope", "slope+2*deriv( energy,mu )")
    i.addComputeGlobal("slope2", "deriv(energy2, mu)")
    i.addComputePerDof("t", "t+deriv(energy1, mu)*x*mu")
    i.addComputeGlobal("momentum", "momentum-dt*slope")
    i.addComputeGlobal("lambda", "lambda+dt*momentum/100")
    i.addComputeGlobal("slope1", "energy1")


def functions(i):
    i.addPerDofVariable("a", 0.3)
    i.addPerDofVariable("b", -0.2)
    i.addGlobalVariable("s", 0)
    i.addGlobalVariable("inf", float("inf"))
    i.addUpdateContextState()
    i.addComputePerDof("v", "0.999*v+dt*f0/m")
    i.addComputePerDof("x", "x+dt*v")
    i.addComputePerDof("a", "sqrt(abs(x))+exp(-a)*log(2+a^2)+sin(x)*cos(v)-tan(x/3)+min(a,b)*max(x,v)+floor(10*x)-ceil(10*v)")
    i.addComputePerDof("b", "asin(x/10)+acos(x/10)*atan(b)+atan2(x,2+v^2)+sinh(x)+cosh(v/10)+tanh(a)+erf(x)*erfc(v)"
                            "+step(x)*delta(x-v)+select(step(v), a, b)"
                            "+square(x)-cube(v/10)+recip(3+x^2)+x^-2/1e3+sec(x)+csc(2+x^2)+cot(1+x^2)")
    i.addComputeSum("s", "a+b/7+0*min(inf, m)")


def alternating(i):
    for name in ("e0", "e1", "e", "old"):
        i.addGlobalVariable(name, 0)
    i.addPerDofVariable("g", 0)
    i.addComputePerDof("g", "f1")
    i.addComputeGlobal("e0", "energy0")
    i.addComputePerDof("v", "v+dt*f0/m")
    i.addComputePerDof("v", "v+dt*f2/m+dt*g/m")
    i.addComputeGlobal("old", "e")
    i.addComputePerDof("x", "x+dt*v")
    i.addComputeGlobal("e1", "energy1")
    i.addComputeGlobal("mu", "3+0.01*e1")
    i.addComputeGlobal("e", "energy-old")
    i.setIntegrationForceGroups(6)


def mts():
    return mm.MTSIntegrator(0.001, [(2, 1), (1, 2), (0, 4)])


def mts_langevin():
    return mm.MTSLangevinIntegrator(0, 5, 0.001, [(2, 1), (1, 2), (0, 4)])


CASES = [velocity_verlet, nested_groups, control_flow, vectors, derivatives, functions, alternating, mts, mts_langevin]
POSITIONS = [(0, 0, 0), (.12, 0, 0), (.13, .1, .02), (.21, .13, .03), (.4, .1, -.1)]
VELOCITIES = [(.5, .2, .1), (.5, -.5, .1), (.2, .7, .2), (-.3, .1, .4), (0, 0, 0)]

if __name__ == "__main__":
    s = system()
    with open(os.path.join(HERE, "custom_system.xml"), "w") as file:
        file.write(mm.XmlSerializer.serialize(s))
    with open(os.path.join(HERE, "custom_steps.txt"), "w") as file:
        for case in CASES:
            name = case.__name__
            if case in (mts, mts_langevin):
                i = case()
            else:
                i = mm.CustomIntegrator(0.001)
                case(i)
            i.setConstraintTolerance(1e-12)
            with open(os.path.join(HERE, f"custom_{name}.xml"), "w") as xml:
                xml.write(mm.XmlSerializer.serialize(i))
            context = mm.Context(s, i, mm.Platform.getPlatformByName("Reference"))
            context.setPositions(POSITIONS)
            context.setVelocities(VELOCITIES)
            i.step(STEPS)
            state = context.getState(positions=True, velocities=True, energy=True, parameters=True)

            def row(what, particle, *numbers):
                print(name, what, particle, *(repr(float(n)) for n in numbers), file=file)
            x, v = state.getPositions()._value, state.getVelocities()._value
            for n in range(5):
                row("x", n, *x[n])
                row("v", n, *v[n])
            for n in range(i.getNumPerDofVariables()):
                for particle, value in enumerate(i.getPerDofVariable(n)):
                    row(i.getPerDofVariableName(n), particle, *value)
            for n in range(i.getNumGlobalVariables()):
                row(i.getGlobalVariableName(n), -1, i.getGlobalVariable(n))
            for parameter, value in state.getParameters().items():
                row(parameter, -1, value)
            row("kinetic", -1, state.getKineticEnergy()._value)
