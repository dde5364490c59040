// Carries out the stages one after the other; stages.json tells at any time how far they are.
// SPDX-License-Identifier: MIT
#include "staged_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <system_error>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "program/exit_status.hpp"
#include "program/output/messages.hpp"
#include "program/output/report.hpp"
#include "program/output/run_folder.hpp"
#include "program/signals.hpp"
#include "preparation.hpp"
#include "run.hpp"
#include "stage_checks.hpp"
#include "stage_table.hpp"
#include "timing.hpp"

namespace trotter::program {
namespace {

using Clock = std::chrono::steady_clock;

/// The options of a stage that goes on: those that its own run.toml holds, as for any run.
Options resumed_options(std::string const& folder, Options const& options) {
    auto const argv = std::array{"trotter", "run", "--resume", "--output", folder.c_str()};
    auto resumed = *parse_options(static_cast<int>(argv.size()), argv.data(), "");
    if (options.threads > 0) resumed.threads = options.threads;
    return resumed;
}

class StagedRun {
public:
    StagedRun(Options options, KnownForces const& forces, Signals& signals)
        : options_(std::move(options)), forces_(forces), signals_(signals), file_(read_stages_file(options_.input)) {}

    int carry_out();

private:
    void read_earlier();
    void check_stage_names() const;
    void claim();
    int run_stages();
    RunEnd take(PlannedStage& stage);
    void prepare(PlannedStage& stage);
    RunEnd simulate(PlannedStage& stage);
    void finish(PlannedStage& stage);
    void tell_of_all();
    void fail(PlannedStage& stage, std::string const& message);
    std::string why_left_out(app::Stage const& stage);
    StageStart start_of(PlannedStage const& stage) const;
    void go_on_until_flat(std::size_t index);
    Prepared const& prepared();
    std::filesystem::path folder_of(PlannedStage const& stage) const { return folder_ / stage.record.folder; }
    void write_manifest() const { table_.manifest().write(folder_); }

    Options options_;
    KnownForces const& forces_;
    Signals& signals_;
    StagesFile file_;
    std::filesystem::path folder_ = options_.output;
    StageManifest earlier_;
    StageTable table_;
    std::optional<ClaimedFolder> claimed_;
    std::optional<Prepared> prepared_;
    Clock::time_point begin_ = Clock::now();
};

int StagedRun::carry_out() {
    if (options_.resume && options_.overwrite) throw InputError("--resume and --overwrite exclude each other");
    if (!options_.from.empty() && !options_.resume) throw InputError("--from needs --resume");
    if (!options_.seed) options_.seed = std::random_device()() | 1u;
    if (options_.resume) read_earlier();
    table_ = planned(file_, options_, earlier_);
    check_stage_names();
    take_over(table_, earlier_, options_.from);
    if (options_.dry_run) {
        print(table_.text());
        return done;
    }
    claim();
    return run_stages();
}

void StagedRun::read_earlier() {
    RunFiles const files{folder_};
    check_folder(files, Folder::resumed);
    if (auto found = StageManifest::read(folder_)) earlier_ = std::move(*found);
}

void StagedRun::check_stage_names() const {
    for (auto const& [option, name] : {std::pair{"--from", options_.from}, {"--until", options_.until}})
        if (!name.empty() && !table_.has(name)) {
            std::string known;
            for (auto const& stage : table_.stages) known += (known.empty() ? "" : ", ") + stage.record.name;
            throw InputError(std::string(option) + " " + name + " is no stage, expected one of " + known);
        }
}

/// Makes and locks the folder, and removes what is done anew.
void StagedRun::claim() {
    RunFiles const files{folder_};
    auto const expected = options_.resume ? Folder::resumed : options_.overwrite ? Folder::overwritten : Folder::empty;
    check_folder(files, expected);
    if (options_.overwrite)
        if (auto found = StageManifest::read(folder_)) earlier_ = std::move(*found);
    claimed_.emplace(files, expected);
    auto const kept = table_.manifest();
    write_manifest();  // before files vanish
    for (auto const& old : earlier_.stages) {
        bool const is_kept = std::any_of(kept.stages.begin(), kept.stages.end(), [&](auto const& stage) {
            return stage.folder == old.folder && stage.status != StageStatus::waiting;
        });
        if (!is_kept) remove_stage(folder_ / old.folder);
    }
    bool const is_own_file = options_.resume && options_.input == files.input();
    if (!is_own_file) write_file(files.input(), effective_stages(file_, options_));
}

int StagedRun::run_stages() {
    bool is_last = false;
    for (std::size_t n = 0; n < table_.stages.size() && !is_last; ++n) {
        bool const ends_here = !options_.until.empty() && is_named(table_.stages[n], options_.until);
        if (table_.stages[n].record.status != StageStatus::done) {
            auto const ended = take(table_.stages[n]);
            if (ended != RunEnd::finished) tell_of_all();
            if (ended == RunEnd::interrupted) return signals_.status();
            if (ended == RunEnd::out_of_time) return done;
        }
        go_on_until_flat(n);
        bool const goes_on = n + 1 < table_.stages.size() && is_named(table_.stages[n + 1], options_.until);
        is_last = ends_here && !goes_on;
    }
    tell(fmt::format("done: all stages{}, results in {}\n", is_last ? " until " + options_.until : "",
                     presentable(folder_.string())));
    return done;
}

RunEnd StagedRun::take(PlannedStage& stage) {
    if (signals_.token().stop_requested()) return RunEnd::interrupted;
    tell(presentable("stage " + stage.record.name + " in " + folder_of(stage).string()) + '\n');
    auto const begin = Clock::now();
    auto ended = RunEnd::finished;
    auto const failing = [&]<class Failure>(Failure const& error) {
        stage.record.seconds += seconds_since(begin);
        auto const message = "stage " + stage.record.name + ": " + error.what();
        fail(stage, message);
        throw Failure(message);
    };
    try {
        if (stage.record.kind == "prepare")
            prepare(stage);
        else
            ended = simulate(stage);
    } catch (InputError const& error) {
        failing(error);
    } catch (SimulationError const& error) {
        failing(SimulationError(error.what()));
    } catch (UnsupportedError const& error) {
        failing(error);
    } catch (OutputError const& error) {
        failing(error);
    }
    stage.record.seconds += seconds_since(begin);
    if (ended == RunEnd::finished) finish(stage);
    return ended;
}

void StagedRun::prepare(PlannedStage& stage) {
    PreparedFiles const files{folder_of(stage)};
    remove_stage(files.folder);
    std::filesystem::create_directories(files.folder);
    stage.record.status = StageStatus::running;
    write_manifest();
    write_prepared(file_, options_, files, table_.inputs);
}

RunEnd StagedRun::simulate(PlannedStage& stage) {
    auto const folder = folder_of(stage);
    bool const has_begun = stage.record.status != StageStatus::waiting && RunFiles{folder}.has_checkpoint();
    Options run;
    if (has_begun) {
        run = resumed_options(folder.string(), options_);
    } else {
        remove_stage(folder);
        stage.record.message = why_left_out(stage.unit.stage);
        if (!stage.record.message.empty()) return RunEnd::finished;
        std::filesystem::create_directories(folder);
        auto const& begin = prepared();  // which start_of looks at
        run = write_stage_inputs(stage.unit, file_.plan, begin, start_of(stage), options_, folder_);
    }
    stage.record.status = StageStatus::running;
    write_manifest();
    run.whole_run = folder_.string();
    if (options_.max_hours) run.max_hours = std::max(0.0, *options_.max_hours - seconds_since(begin_) / 3600);
    return run_once(run, forces_, signals_);
}

/// A stage is done only when everything that belongs to it is written.
void StagedRun::finish(PlannedStage& stage) {
    stage.record.status = StageStatus::done;
    auto const log = RunFiles{folder_of(stage)}.log();
    if (std::error_code error; stage.unit.stage.is_guarded && std::filesystem::exists(log, error)) {
        StageLog lines;
        read_stage_log(log, lines);
        if (auto const problem = what_is_wrong(stage.unit.stage, lines); !problem.empty()) {
            auto const message = "stage " + stage.record.name + ": " + problem;
            fail(stage, message);
            throw SimulationError(message);
        }
    }
    write_manifest();
    tell_of_all();
}

/// What there is of all stages: the logs one after the other, and a page.
void StagedRun::tell_of_all() {
    join_logs(folder_, table_.manifest().stages);
    write_stage_report(folder_, data_folders(options_.force_field_folders));
}

void StagedRun::fail(PlannedStage& stage, std::string const& message) {
    stage.record.status = StageStatus::failed;
    stage.record.message = message;
    try {
        write_manifest();
    } catch (OutputError const&) {  // the disk is full: the first failure is what matters
    }
}

std::string StagedRun::why_left_out(app::Stage const& stage) {
    if (stage.needs_solute && !prepared().has_solute()) return "left out: there is nothing but water and ions";
    if (stage.needs_box && !is_periodic(prepared().system)) return "left out: the System is not periodic";
    return {};
}

/// The last stage before that was not left out.
StageStart StagedRun::start_of(PlannedStage const& stage) const {
    StageStart start;
    start.start_of = [this](std::string const& name) {
        for (auto const& other : table_.stages)
            if (other.record.name == name) return StageFiles{folder_of(other)}.state();
        throw InputError("there is no stage " + name + " to refer to");
    };
    std::error_code error;
    for (auto const& other : table_.stages) {
        if (&other == &stage) break;
        if (other.record.kind == "prepare") {
            start.state = PreparedFiles{folder_of(other)}.state();
            start.has_velocities = prepared_ && !prepared_->state.velocities.empty();
        } else if (auto const end = RunFiles{folder_of(other)}.final_state(); std::filesystem::exists(end, error)) {
            start.state = end;
            start.has_velocities = other.record.kind == "simulate";
        }
    }
    return start;
}

/// Adds a block to a stage that repeats, if it is the last one and the density is not flat yet.
void StagedRun::go_on_until_flat(std::size_t index) {
    auto& stage = table_.stages[index];
    auto const& unit = stage.unit;
    if (!unit.stage.until_plateau || (index + 1 < table_.stages.size() && is_named(table_.stages[index + 1], unit.stage.name)))
        return;
    StageLog lines;
    for (auto const& block : table_.stages)
        if (is_named(block, unit.stage.name)) read_stage_log(RunFiles{folder_of(block)}.log(), lines);
    auto const [is_flat, why] = flatness(lines);
    stage.record.message = why;
    write_manifest();
    tell(presentable("stage " + stage.record.name + ": " + why) + '\n');
    if (is_flat) return;
    if (unit.block < unit.stage.most_blocks) return table_.add_block(index, file_.plan, options_);
    if (!unit.stage.must_be_flat) return;
    auto const message = fmt::format("stage {}: after {} blocks {}; more `blocks` would go on", stage.record.name,
                                     unit.block, why);
    fail(stage, message);
    throw SimulationError(message);
}

Prepared const& StagedRun::prepared() {
    if (!prepared_) prepared_ = read_prepared(file_, options_, PreparedFiles{folder_of(table_.stages.front())});
    return *prepared_;
}

}  // namespace

int staged_run(Options const& options, KnownForces const& forces, Signals& signals) {
    return StagedRun(options, forces, signals).carry_out();
}

}  // namespace trotter::program
