# Every command ends soon after a signal, and closed standard streams do not end a run.
# SPDX-License-Identifier: MIT
import re
import resource
import signal
import time

from harness import *

QUEUE_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU)
SOON = 20  # seconds: two on an idle machine; a hang takes longer than any


def endless_integrator(begin=0):
    """Its steps have no end once the Context's time is beyond `begin`."""
    rows = [("t", 0, "t+dt"), ("v", 1, "v+dt*f/m"), ("x", 1, "x+dt*v"), ("", 7, f"t &gt; {begin}"), ("v", 1, "v"), ("", 8, "")]
    computations = "".join(element("Computation", computationVariable=variable, computationType=kind,
                                   computationExpression=formula) for variable, kind, formula in rows)
    content = element("GlobalVariables", '<Variable name="t" value="0"/>') + "<PerDofVariables/>"
    content += element("Computations", computations) + "<Functions/>"
    return element("Integrator", content, type="CustomIntegrator", version=3, constraintTolerance=1e-5,
                   integrationForceGroups=-1, kineticEnergyExpression="m*v*v/2", randomSeed=0, stepSize=0.001)


def heeding_all():
    """Whoever runs these tests may have ignored signals, as nohup does."""
    for number in (signal.SIGINT, *QUEUE_SIGNALS):
        signal.signal(number, signal.SIG_DFL)


def started(*arguments, before=heeding_all):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=before)


def ends(process, number):
    """Sends the signal; answers what the program says."""
    process.send_signal(number)
    _, errors = process.communicate(timeout=SOON)
    assert process.returncode == (130 if number == signal.SIGINT else 143), f"status {process.returncode}: {errors}"
    return errors


def wait_for(path, process):
    while not os.path.exists(path):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


def test_an_endless_step_is_interrupted():
    spring = write_spring(name="endless")
    for begin, platform in ((0, "cpu"), (0.0505, "cpu"), (0, "reference")):
        write("endless.integrator.xml", endless_integrator(begin))
        name = f"endless-{begin}-{platform}"
        process = started("run", *spring, "--steps", 1000, "--platform", platform, "--output", name, *intervals(10, 10, 20))
        wait_for(f"{name}/checkpoint", process)
        time.sleep(0.5)
        errors = ends(process, signal.SIGINT)
        assert "--resume" in errors, errors
        good("run", "--resume", "--output", name, "--steps", 40 if begin else 0)
    write("endless.integrator.xml", endless_integrator())
    process = started("run", *spring, "--steps", 10, "--output", "unsaved", *intervals(10, 10, 0))
    wait_for("unsaved/log.csv", process)
    time.sleep(0.5)
    assert "no checkpoint" in ends(process, signal.SIGTERM)


def test_every_command_ends_at_once():
    spring = write_spring(name="busy")
    write("busy.integrator.xml", endless_integrator())
    for command in (["step", "--steps", 10], ["benchmark"]):
        for number in (signal.SIGINT, *QUEUE_SIGNALS):
            process = started(*command, *spring)
            time.sleep(0.3)
            ends(process, number)
    os.mkfifo("busy.fifo")
    silent = os.open("busy.fifo", os.O_RDWR)  # somebody who might still write
    for command in ("energy", "check", "minimize", "run"):
        process = started(command, "--system", "busy.fifo", *spring[2:4], "--out-state" if command == "minimize" else
                          "--platform", "cpu", *(["--integrator", spring[5]] if command == "run" else []))
        time.sleep(0.3)
        ends(process, signal.SIGINT)
    os.close(silent)
    assert not os.path.exists("trotter-output")


def test_signals_of_queues_leave_a_checkpoint():
    fluid = [*write_fluid("queue"), "--seed", 2, *intervals(100, 100, 0)]
    for number in QUEUE_SIGNALS:
        name = f"queue-{int(number)}"
        process = started("run", *fluid, "--steps", 10**9, "--output", name)
        wait_for(f"{name}/log.csv", process)
        time.sleep(0.2)
        reached = int(re.search(r"interrupted at step (\d+)", ends(process, number))[1])
        assert f"at step {reached} " in run("run", "--resume", "--steps", reached + 5, "--output", name).stderr


def test_ignored_signals_stay_ignored():
    process = started("run", *write_fluid("nohup"), "--steps", 3000, "--output", "nohup", "--log-interval", 10,
                      before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for("nohup/log.csv", process)
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors


def test_standard_error_that_cannot_be_written():
    spring = [*write_spring(name="mute"), "--steps", 3000, *intervals(100, 100, 100)]
    good("run", *spring, "--output", "heard")
    with open("/dev/full", "w") as full:
        assert subprocess.run([PROGRAM, "run", *map(str, spring), "--output", "full"], stderr=full).returncode == 0
    closed = subprocess.run([PROGRAM, "run", *map(str, spring), "--output", "closed"],
                            preexec_fn=lambda: [os.close(stream) for stream in (0, 1, 2)])
    assert closed.returncode == 0
    reader, writer = os.pipe()
    os.close(reader)
    assert subprocess.run([PROGRAM, "run", *map(str, spring), "--output", "broken"], stderr=writer).returncode == 0
    reader, unread = os.pipe()
    os.set_blocking(unread, False)
    try:
        while True:
            os.write(unread, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(unread, True)
    assert subprocess.run([PROGRAM, "run", *map(str, spring), "--output", "unread"], stderr=unread,
                          timeout=300).returncode == 0
    for name in ("full", "closed", "broken", "unread"):
        for file in ("trajectory.dcd", "log.csv"):
            whole, muted = read(f"heard/{file}"), read(f"{name}/{file}")
            assert len(whole) == len(muted) or file == "log.csv", f"{name}/{file}"
            assert whole[:100] == muted[:100], f"a message stands in {name}/{file}"


def test_results_need_standard_output():
    spring = write_spring(name="closed-output")
    result = subprocess.run([PROGRAM, "energy", *spring[:4]], stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: os.close(1))
    assert result.returncode == 5 and "standard output" in result.stderr, result.stderr


def test_threads_that_the_machine_refuses_are_done_without():
    limit = 1 << 29
    fluid = write_fluid("crowded")
    result = run("step", *fluid, "--steps", 3, "--platform", "cpu", "--threads", 200, timeout=60,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert result.returncode in (0, 4), f"status {result.returncode}: {result.stderr}"
    assert "thread" in result.stderr or "memory" in result.stderr, result.stderr


all_tests(globals())
