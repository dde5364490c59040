# The results of `energy`, `step`, `minimize` and `benchmark`, against values computed by hand if possible.
# SPDX-License-Identifier: MIT
from harness import *

spring = write_spring()


def test_energy_of_a_spring():
    for platform in ("reference", "cpu"):
        result = result_of("energy", *spring, "--platform", platform, "--precision", "double", "--inline",
                           "--forces", "spring.npy")
        close(result["potential_energy"], 1.25, 1e-12)  # 1000/2 * 0.05²
        force = 1000 * 0.05
        for forces in (result["forces"], read_npy("spring.npy")):
            for value, expected in zip((*forces[0], *forces[1]), (force, 0, 0, -force, 0, 0)):
                close(value, expected, 1e-10)
        # Leapfrog: velocities half a step behind the positions, dt = 4 fs
        half = 0.002
        kinetic = 0.5 * (force * half) ** 2 + 0.5 * 2 * (9 + (force * half / 2) ** 2)
        close(result["kinetic_energy"], kinetic, 1e-12)
        assert result["platform"] == platform and result["precision"] == "double" and result["particles"] == 2
        assert result["energy_by_force"][0]["name"] == "HarmonicBondForce" and result["forces_file"] == "spring.npy"


def test_without_an_integrator_the_kinetic_energy_is_that_of_the_velocities():
    close(result_of("energy", *spring[:4])["kinetic_energy"], 9.0, 1e-14)  # 2/2 * 3²


def test_reference_reports_double_whatever_is_asked_for():
    assert result_of("energy", *spring, "--platform", "reference", "--precision", "single")["precision"] == "double"


def test_energies_by_group_and_by_force():
    bonds = [bonds_xml([(0, 1, 0.1, 100)], group=0), bonds_xml([(1, 2, 0.1, 400)], group=3)]
    system = write("groups.xml", system_xml([1, 1, 1], bonds))
    state = write("groups.state.xml", state_xml([(0, 0, 0), (0.2, 0, 0), (0.4, 0, 0)]))
    masks = [option for mask in ("1", "0x8", "0,3", "4294967295") for option in ("--groups", mask)]
    result = result_of("energy", "--system", system, "--state", state, *masks)
    close(result["potential_energy"], 2.5, 1e-6)
    assert [force["group"] for force in result["energy_by_force"]] == [0, 3]
    for key, expected in (("1", 0.5), ("0x8", 2.0), ("0,3", 2.5), ("4294967295", 2.5)):
        close(result["group_energies"][key], expected, 1e-6)


def test_the_virial_of_a_spring_and_its_energy_as_a_term():
    for platform in ("reference", "cpu"):
        result = result_of("energy", *spring, "--platform", platform, "--virial", "--terms")
        expected = [0] * 9
        expected[0] = -1000 * 0.05 * 0.25  # -k (r-d) r
        for value, wanted in zip(sum(result["virial"], []), expected):
            close(value, wanted, 1e-12)
        assert "pressure_tensor" not in result  # nothing is periodic
        (force,) = result["energy_by_term"]
        assert (force["index"], force["name"]) == (0, "HarmonicBondForce")
        (term,) = force["terms"]
        assert term["particles"] == [0, 1] and "part" not in term
        close(term["energy"], 1.25, 1e-12)
    assert not {"virial", "pressure_tensor", "energy_by_term"} & set(result_of("energy", *spring))


def test_the_pressure_of_a_fluid_has_no_forces_within_molecules():
    fluid = write_fluid(name="pressed")
    result = result_of("energy", *fluid, "--virial", "--terms")
    for by_term, by_force in zip(result["energy_by_term"], result["energy_by_force"]):
        # Mixed precision computes pairs in float, terms in double.
        close(sum(term["energy"] for term in by_term["terms"]), by_force["energy"], 1e-5)
    parts = [term["part"] for term in result["energy_by_term"][1]["terms"]]
    assert "reciprocal space" in parts and "Coulomb within the cutoff" in parts
    # Compressed springs change the virial, but not the pressure.
    text = read("pressed.system.xml").decode()
    pushing = text.replace('d="0.11" k="50000"', 'd="0.12" k="50000"')
    assert pushing != text
    write("pressed.system.xml", pushing)
    other = result_of("energy", *fluid, "--virial")
    assert other["virial"][0][0] > result["virial"][0][0] + 100
    for one, another in zip(sum(result["pressure_tensor"], []), sum(other["pressure_tensor"], [])):
        close(one, another, 1e-9)


def test_numbers_carry_seventeen_digits():
    text = good("energy", *write_fluid(), "--platform", "reference")
    number = text.split('"potential_energy": ')[1].split(",")[0]
    assert format(float(number), ".17g") == number, number


def test_virtual_sites_stay_unless_asked_for():
    site = '<Particle mass="0"><TwoParticleAverageSite p1="0" p2="1" w1=".5" w2=".5"/></Particle>'
    text = system_xml([1, 1], [bonds_xml([(0, 2, 0.1, 100)])])
    system = write("site.xml", text.replace("</Particles>", site + "</Particles>"))
    state = write("site.state.xml", state_xml([(0, 0, 0), (0.4, 0, 0), (0.3, 0, 0)]))
    close(result_of("energy", "--system", system, "--state", state)["potential_energy"], 2.0, 1e-6)
    placed = result_of("energy", "--system", system, "--state", state, "--place-virtual-sites", "--inline")
    close(placed["potential_energy"], 0.5, 1e-6)
    close(placed["forces"][0][0], 10 - 5, 1e-5)  # the site's -10 goes half to each parent
    close(placed["forces"][1][0], -5, 1e-5)


def test_context_parameters_come_from_the_command_line_last():
    offsets = ('<GlobalParameters><Parameter default="1" name="strength"/></GlobalParameters>'
               '<ParticleOffsets><Offset eps="0" parameter="strength" particle="0" q="1" sig="0"/></ParticleOffsets>')
    force = nonbonded_xml([(0, 1, 0), (1, 1, 0)], method=0).replace("<GlobalParameters/><ParticleOffsets/>", offsets)
    system = write("offset.xml", system_xml([1, 1], [force]))
    state = write("offset.state.xml", state_xml([(0, 0, 0), (1, 0, 0)]))
    coulomb = 138.935457644382
    options = ["energy", "--system", system, "--state", state, "--precision", "double"]
    close(result_of(*options)["potential_energy"], coulomb, 1e-12)
    close(result_of(*options, "--set", "strength=0.5")["potential_energy"], coulomb / 2, 1e-12)
    refused(2, "--set", "weakness", "strength", arguments=[*options, "--set", "weakness=1"])


def test_two_particles_at_one_point_are_refused():
    system = write("point.xml", system_xml([1, 1], [nonbonded_xml([(0, 0.3, 1)] * 2)]))
    state = write("point.state.xml", state_xml([(1, 1, 1)] * 2))
    refused(2, "point.state.xml", "NonbondedForce", arguments=["energy", "--system", system, "--state", state])
    write("point.integrator.xml", INTEGRATORS["verlet"])
    options = ["step", "--system", system, "--state", state, "--integrator", "point.integrator.xml"]
    refused(3, "particle", "step", arguments=[*options, "--steps", 5])


def test_steps_of_leapfrog():
    options = ["--platform", "reference", "--inline"]
    result = result_of("step", *spring, "--steps", 1, *options, "--out-state", "after.xml.gz")
    velocity = 50 * 0.004
    close(result["velocities"][0][0], velocity, 1e-13)
    close(result["positions"][0][0], velocity * 0.004, 1e-13)
    assert result["steps"] == 1 and result["seconds"] > 0 and result["ns_per_day"] > 0
    close(result["time"], 0.004, 1e-15)
    again = result_of("step", *spring[:2], "--state", "after.xml.gz", *spring[4:], "--steps", 0, *options)
    for key in ("positions", "velocities", "time", "potential_energy"):
        assert again[key] == result[key], key


def test_steps_have_the_same_bits_for_any_number_of_threads():
    fluid = write_fluid(more_forces=(CMM, BAROSTAT))
    results = [result_of("step", *fluid, "--steps", 40, "--seed", 11, "--inline", "--threads", n) for n in (1, 2, 3)]
    assert results[0]["positions"] == results[1]["positions"] == results[2]["positions"]
    assert results[0]["seed"] == 11


def test_instruction_sets_agree_and_repeat_their_bits():
    fluid = write_fluid(more_forces=(CMM, BAROSTAT))
    options = ["--platform", "cpu", "--steps", 10, "--seed", 11, "--inline", "--instruction-set"]
    refused = run("step", *fluid, *options, "i386")
    refusal = refused.stderr
    assert refused.returncode == 4 and "'i386'" in refusal and "it has " in refusal, refusal
    default = result_of("step", *fluid, *options[:-1])
    for n, name in enumerate(refusal.strip().split("it has ")[1].split(", ")):
        first, second = (result_of("step", *fluid, *options, name) for _ in range(2))
        assert first["positions"] == second["positions"], name
        assert n > 0 or first["positions"] == default["positions"]
        close(first["positions"][0][0], default["positions"][0][0], 1e-5)


def test_fresh_seeds_differ_and_are_reported():
    fluid = write_fluid()
    first, second = (result_of("step", *fluid, "--steps", 2, "--inline") for _ in range(2))
    assert first["seed"] != second["seed"] and first["positions"] != second["positions"]
    repeated = result_of("step", *fluid, "--steps", 2, "--inline", "--seed", first["seed"])
    assert repeated["positions"] == first["positions"]


def test_minimization_ends_at_the_tolerance():
    fluid = write_fluid()
    before = result_of("energy", *fluid)["potential_energy"]
    result = result_of("minimize", *fluid, "--tolerance", 0.5, "--out-state", "minimum.xml")
    after = result_of("energy", *fluid[:2], "--state", "minimum.xml")["potential_energy"]
    assert after < before and result["rms_force"] <= 0.5 and result["converged"]
    close(after, result["potential_energy"], 1e-6)
    refused(2, "--out-state", arguments=["minimize", *fluid])


def test_benchmark_reports_speed():
    result = result_of("benchmark", *write_fluid(), "--seconds", 0.2)
    assert result["steps"] > 0 and result["context_seconds"] > 0
    close(result["ns_per_day"], 0.004e-3 * 86400e3 / result["ms_per_step"], 1e-6)


def test_benchmark_reports_what_the_start_took():
    fluid = write_fluid()
    for platform in usable_platforms():
        for options in ([], ["--replicas", 2]):
            result = result_of("benchmark", *fluid, "--platform", platform, "--seconds", 0.01, *options)
            if platform in ("opencl", "cuda"):
                assert 0 < result["device_seconds"] < result["context_seconds"], result
            else:
                assert "device_seconds" not in result, result
            assert options or result["first_energy_seconds"] > 0, result


def test_benchmark_reports_where_the_time_goes():
    fluid = write_fluid()
    for platform in ("reference", "cpu"):
        result = result_of("benchmark", *fluid, "--platform", platform, "--seconds", 0.2, "--profile")
        parts = {part["part"]: part for part in result["profile"]}
        assert len(parts) == len(result["profile"])
        assert {"NonbondedForce", "motion", "rest"} <= set(parts)
        times = [part["us_per_step"] for part in result["profile"]]
        assert times == sorted(times, reverse=True)
        # two measurements of the same work at different times on a shared machine
        assert 0.3 < sum(times) / (1000 * result["ms_per_step"]) < 3
        assert all(0 <= part["waiting_us_per_step"] <= part["us_per_step"] for part in result["profile"])
    assert 0.99 < parts["NonbondedForce/pairs"]["calls_per_step"] < 1.01
    refused(2, "--profile", arguments=["benchmark", *fluid, "--profile", "--replicas", 2])


def test_benchmark_of_replicas_reports_the_speed_of_all():
    result = result_of("benchmark", *write_fluid(), "--seconds", 0.2, "--replicas", 3)
    assert result["steps"] > 0 and result["replicas"] == 3
    close(result["ns_per_day"], 3 * 0.004e-3 * 86400e6 / result["us_per_round"], 1e-6)
    refused(2, "--replicas", arguments=["benchmark", *write_fluid(), "--replicas", 0])


all_tests(globals())
