# Memory, threads, processes and interruption on the platform Trotter.
# SPDX-License-Identifier: MIT
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import openmm as mm
from openmm import app, unit

from platforms import FIRST, PRECISE, TROTTER, PlatformTest, charged_pairs, contexts, evaluations, peptide, properties

nm = unit.nanometer


def chain(count=3):
    """A System of particles with bonds, and positions."""
    system, positions = charged_pairs(count)
    bonds = mm.HarmonicBondForce()
    for n in range(count - 1):
        bonds.addBond(n, n + 1, 0.5, 100)
    system.addForce(bonds)
    return system, positions


def water(field, edge):
    modeller = app.Modeller(app.Topology(), [])
    modeller.addSolvent(app.ForceField("tip3p.xml"), boxSize=mm.Vec3(edge, edge, edge) * nm)
    modeller.addExtraParticles(app.ForceField(field))
    system = app.ForceField(field).createSystem(modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.5 * nm)
    return system, modeller.positions


def memory():
    """Of this process [bytes]."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(PlatformTest):
    def grown(self, once, count, warm_up):
        """Bytes by which the process grows in `count` calls."""
        for _ in range(warm_up):
            once()
        before, first = contexts(), memory()
        for _ in range(count):
            once()
        self.assertEqual(contexts(), before)
        return memory() - first

    def come_and_go(self, system, positions, make_integrator, count, warm_up, megabytes):
        def once():
            context = self.context(system, make_integrator(), *FIRST)
            context.setPositions(positions)
            context.getState(energy=True)
            context.getIntegrator().step(1)

        self.assertLess(self.grown(once, count, warm_up), megabytes << 20)

    def test_contexts_come_and_go(self):
        """And leave no memory behind, which for 200 Contexts would be more than the limit."""
        self.come_and_go(*chain(), lambda: mm.VerletIntegrator(0.001), 200, 30, 4)

    def test_polarizable_contexts_come_and_go(self):
        for field, edge, integrator in (("amoeba2018.xml", 1.1, lambda: mm.VerletIntegrator(0.0001)),
                                        ("swm4ndp.xml", 1.1, lambda: mm.DrudeLangevinIntegrator(300, 1, 1, 1, 0.0001))):
            with self.subTest(field=field):
                self.come_and_go(*water(field, edge), integrator, 200, 20, 8)

    def test_ring_polymers_come_and_go(self):
        self.come_and_go(*chain(), lambda: mm.RPMDIntegrator(4, 300, 1, 0.0001), 200, 30, 4)

    def test_failed_creations(self):
        """OpenMM does not destroy a Context whose creation fails in a kernel; nothing big is held by then."""
        system, _ = chain()
        for _ in range(20000):
            system.addParticle(1)
        wrong = mm.CustomExternalForce("unknown*x")
        wrong.addParticle(0)
        system.addForce(wrong)

        def once():
            with self.assertRaisesRegex(mm.OpenMMException, "unknown"):
                mm.Context(system, mm.VerletIntegrator(0.001), TROTTER, properties(*FIRST))

        for _ in range(3):
            once()
        before = memory()
        for _ in range(50):
            once()
        self.assertLess(memory() - before, 50 * (1 << 20))
        good, positions = chain()
        context = self.context(good, mm.VerletIntegrator(0.001), *FIRST)
        context.setPositions(positions)
        context.getState(energy=True)


class Threads(PlatformTest):
    def test_two_threads(self):
        """Two Contexts of one System, each stepped in a thread of its own, end where one does."""
        topology, positions = peptide()
        system = app.ForceField("amber14-all.xml").createSystem(topology, nonbondedMethod=app.NoCutoff)
        made = []
        for _ in range(3):
            context = self.context(system, mm.VerletIntegrator(0.001), *PRECISE)
            context.setPositions(positions)
            made.append(context)
        threads = [threading.Thread(target=context.getIntegrator().step, args=(200,)) for context in made[:2]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made[2].getIntegrator().step(200)
        ends = [context.getState(positions=True).getPositions(asNumpy=True)._value for context in made]
        self.assertTrue(np.array_equal(ends[0], ends[2]) and np.array_equal(ends[1], ends[2]))

    def test_a_context_that_changes_threads(self):
        """Created in one thread, stepped in another, destroyed in a third."""
        held = []

        def create():
            system, positions = chain(20)
            held.append(self.context(system, mm.VerletIntegrator(0.001), *FIRST))
            held[0].setPositions(positions)

        for work in (create, lambda: held[0].getIntegrator().step(50), lambda: held.pop()):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        self.assertEqual(held, [])

    def test_python_forces_in_two_threads(self):
        """Wait for the interpreter's lock, and finish."""
        def zero(state):
            return 0.0, np.zeros_like(state.getPositions(asNumpy=True)._value)

        def run():
            system, positions = chain(20)
            system.addForce(mm.PythonForce(zero))
            context = self.context(system, mm.VerletIntegrator(0.001), *FIRST)
            context.setPositions(positions)
            context.getIntegrator().step(50)
            mm.LocalEnergyMinimizer.minimize(context, 10, 5)
            done.append(context.getState().getStepCount())

        done = []
        threads = [threading.Thread(target=run, daemon=True) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(done, [50, 50])


class Processes(PlatformTest):
    def run_chain(self, threads="2"):
        system, positions = chain(64)
        context = mm.Context(system, mm.VerletIntegrator(0.001), TROTTER, {"Backend": "cpu", "Threads": threads})
        context.setPositions(positions)
        context.getIntegrator().step(10)
        return context.getState(positions=True).getPositions(asNumpy=True)._value

    def test_fork(self):
        """After import, and after the threads of a Context have worked: the child has none of them."""
        wanted = self.run_chain()
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(self.run_chain(), wanted) else 1)
        for _ in range(600):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            time.sleep(0.1)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            self.fail("the child hangs")
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertTrue(np.array_equal(self.run_chain(), wanted))

    def test_interruption(self):
        """Ctrl-C ends a long `step` of a Simulation, which OpenMM interrupts between runs of at most 10 steps."""
        self.run_chain()
        script = """if True:
            import signal
            import openmm as mm
            from openmm import app
            from platforms import TROTTER, evaluations, properties, FIRST, peptide
            signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
            topology, positions = peptide()
            system = app.ForceField("amber14-all.xml").createSystem(topology)
            simulation = app.Simulation(topology, system, mm.LangevinMiddleIntegrator(300, 1, 0.0005), TROTTER, properties(*FIRST))
            simulation.context.setPositions(positions)
            simulation.minimizeEnergy()
            simulation.step(10)
            print("runs", flush=True)
            try:
                simulation.step(10**9)
            except KeyboardInterrupt:
                assert evaluations() > 10
                simulation.step(10)
                print("interrupted", flush=True)
            """
        child = subprocess.Popen([sys.executable, "-c", script], cwd=os.path.dirname(os.path.abspath(__file__)),
                                 stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(child.stdout.readline(), "runs\n")
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            start = time.monotonic()
            self.assertEqual(child.stdout.readline(), "interrupted\n")
            self.assertLess(time.monotonic() - start, 5)  # on a busy machine; a second otherwise
            self.assertEqual(child.wait(60), 0)
        finally:
            child.kill()
            child.wait()


class LiveContexts(PlatformTest):
    def small(self, **values):
        system, self.first_positions = chain()
        context = mm.Context(system, mm.VerletIntegrator(0.001), TROTTER, values)
        context.setPositions(self.first_positions)
        context.getState(energy=True)
        return context, system.getForce(0), system

    def test_a_changed_system_shows_no_effect(self):
        """In a live Context; not even where a changed tolerance makes it anew."""
        context, bonds, system = self.small(Backend="cpu")
        before = context.getState(energy=True).getPotentialEnergy()._value
        bonds.setBondParameters(0, 0, 1, 5, 100)
        system.setParticleMass(0, 1000)
        more = mm.HarmonicBondForce()
        more.addBond(1, 2, 3, 100)
        system.addForce(more)
        self.assertEqual(context.getState(energy=True).getPotentialEnergy()._value, before)
        context.getIntegrator().setConstraintTolerance(1e-4)
        context.getIntegrator().step(1)
        context.setPositions(self.first_positions)
        self.assertEqual(context.getState(energy=True).getPotentialEnergy()._value, before)


if __name__ == "__main__":
    unittest.main()
