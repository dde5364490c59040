// Checkpoints: exact round trip; one changed bit, one missing or one additional byte is detected.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <csignal>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trotter/io/checkpoint.hpp>
#include <trotter/io/file.hpp>
#include <trotter/vec3.hpp>

#include "../../src/io/files/checksum.hpp"
#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

CheckpointWriter sample(std::int64_t step) {
    CheckpointWriter checkpoint;
    checkpoint.section("clock").put(step);
    auto& state = checkpoint.section("state");
    state.put(std::vector<Vec3<double>>{{1, 2, 3}, {-0.0, 1e-308, 5}});
    state.put("a text");
    checkpoint.section("empty");
    return checkpoint;
}

std::int64_t step_of(CheckpointReader const& checkpoint) { return checkpoint.section("clock").get<std::int64_t>(); }

}  // namespace

TEST_CASE("an archive gives back what was put, in order and by type", "[io]") {
    Archive out;
    out.put(1.5);
    out.put(true);
    out.put(std::uint32_t{7});
    out.put(std::vector<float>{1, 2});
    out.put(std::span<double>{});
    out.put(std::string{"text"});
    out.put(Vec3<double>{1, 2, 3});

    Archive in{out.bytes(), "section x"};
    CHECK(in.get<double>() == 1.5);
    CHECK(in.get<bool>());
    CHECK(in.get<std::uint32_t>() == 7);
    CHECK(in.get_vector<float>() == std::vector<float>{1, 2});
    CHECK(in.get_vector<double>().empty());
    CHECK(in.get_string() == "text");
    CHECK_THROWS_AS(in.expect_end(), InputError);
    CHECK(in.get<Vec3<double>>() == Vec3<double>{1, 2, 3});
    CHECK(in.at_end());
    in.expect_end();
    CHECK(message_of<InputError>([&] { in.get<int>(); }).starts_with("section x: ends at byte "));
}

TEST_CASE("an archive refuses to be read as something else", "[io]") {
    Archive out;
    out.put(std::int32_t{1});
    auto const reread = [&] { return Archive{out.bytes(), "s"}; };
    CHECK(message_of<InputError>([&] { reread().get<float>(); }) == "s: holds another kind of value than expected at byte 0");
    CHECK_THROWS_AS(reread().get<std::uint32_t>(), InputError);
    CHECK_THROWS_AS(reread().get<std::int64_t>(), InputError);
    CHECK_THROWS_AS(reread().get_vector<std::int32_t>(), InputError);
    CHECK_THROWS_AS(reread().get_string(), InputError);

    Archive list;
    list.put(std::vector<double>{1});
    auto bytes = list.bytes();
    for (int i = 4; i < 12; ++i) bytes[static_cast<std::size_t>(i)] = '\x7f';
    CHECK_THROWS_AS(Archive(bytes).get_vector<double>(), InputError);
}

TEST_CASE("the checksum is CRC-64/XZ", "[io]") {
    CHECK(detail::checksum("123456789") == 0x995DC9BBDF1939FAu);
    CHECK(detail::checksum("") == 0);
}

TEST_CASE("a checkpoint reads back as it was written, and the previous one is kept", "[io]") {
    ScratchFolder const folder;
    sample(1).write(folder / "checkpoint");
    sample(2).write(folder / "checkpoint");

    auto const newest = read_checkpoint(folder / "checkpoint");
    CHECK(step_of(newest) == 2);
    CHECK(newest.note().empty());
    CHECK(newest.names() == std::vector<std::string>{"clock", "state", "empty"});
    auto state = newest.section("state");
    CHECK(state.get_vector<Vec3<double>>().at(1).y == 1e-308);
    CHECK(state.get_string() == "a text");
    CHECK(newest.section("empty").at_end());
    CHECK_FALSE(newest.has("barostat"));
    CHECK(message_of<InputError>([&] { newest.section("barostat"); }) ==
          folder / "checkpoint" + ": the checkpoint has no section barostat");
    CHECK(step_of(read_checkpoint(folder / "checkpoint.previous")) == 1);
    CHECK_THROWS_AS(sample(1).section("clock"), Error);
}

TEST_CASE("every flipped bit, every truncation and every added byte is refused", "[io]") {
    auto const good = sample(5).bytes();
    CHECK(step_of(CheckpointReader{good, "c"}) == 5);
    for (std::size_t byte = 0; byte < good.size(); ++byte)
        for (int bit = 0; bit < 8; ++bit) {
            auto bad = good;
            bad[byte] = static_cast<char>(bad[byte] ^ (1 << bit));
            INFO("byte " << byte << ", bit " << bit);
            CHECK_THROWS_AS(CheckpointReader(bad, "c"), InputError);
        }
    for (std::size_t kept = 0; kept < good.size(); ++kept) CHECK_THROWS_AS(CheckpointReader(good.substr(0, kept), "c"), InputError);
    CHECK_THROWS_AS(CheckpointReader(good + '\0', "c"), InputError);
    CHECK_THROWS_AS(CheckpointReader(good + good, "c"), InputError);

    auto bad = good;
    bad[good.size() - 1] = static_cast<char>(bad.back() ^ 1);
    CHECK(message_of<InputError>([&] { CheckpointReader(bad, "c"); }) == "c: the section state of the checkpoint is damaged");
    CHECK(message_of<InputError>([&] { CheckpointReader(good.substr(0, good.size() - 1), "c"); }).ends_with("(truncated?)"));
}

TEST_CASE("random damage is refused", "[io]") {
    auto const good = sample(5).bytes();
    std::mt19937 random{3};
    for (int round = 0; round < 20'000; ++round) {
        auto bad = good;
        for (auto changes = 1 + random() % 20; changes > 0; --changes) bad[random() % bad.size()] = static_cast<char>(random());
        if (bad != good) REQUIRE_THROWS_AS(CheckpointReader(bad, "c"), InputError);
    }
}

TEST_CASE("a damaged or missing checkpoint is replaced by the previous one, with a note", "[io]") {
    ScratchFolder const folder;
    sample(1).write(folder / "c");
    sample(2).write(folder / "c");
    auto bytes = bytes_of(folder / "c");
    bytes.back() = static_cast<char>(bytes.back() ^ 4);
    put_bytes(folder / "c", bytes);

    auto const fallback = read_checkpoint(folder / "c");
    CHECK(step_of(fallback) == 1);
    CHECK(fallback.note() ==
          folder / "c" + ": the section state of the checkpoint is damaged; going on from " + folder / "c.previous");

    std::filesystem::remove(folder / "c");
    CHECK(step_of(read_checkpoint(folder / "c")) == 1);
    put_bytes(folder / "c.previous", "TROTTER");
    CHECK(message_of<InputError>([&] { read_checkpoint(folder / "c"); }) ==
          folder / "c" + ": cannot be opened: No such file or directory; nor can the previous one be used: " + folder / "c.previous" +
              ": the checkpoint is truncated: it holds only 7 bytes");
}

TEST_CASE("a program killed at any moment leaves a checkpoint that can be read", "[io]") {
    ScratchFolder const folder;
    sample(0).write(folder / "c");
    std::mt19937 random{11};
    std::int64_t last = 0;
    for (int round = 0; round < 100; ++round) {
        auto const child = ::fork();
        if (child == 0)
            for (auto step = last + 1;; ++step) sample(step).write(folder / "c");
        ::usleep(static_cast<useconds_t>(random() % 8000));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        auto const found = step_of(read_checkpoint(folder / "c"));
        REQUIRE(found >= last);
        last = found;
    }
    CHECK(last > 0);
}

TEST_CASE("a checkpoint that does not fit on the disk leaves the earlier one as it was", "[io]") {
    ScratchFolder const folder;
    sample(1).write(folder / "c");
    auto const child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit const limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto large = sample(2);
        large.section("large").put(std::vector<double>(1000));
        auto const message = message_of<OutputError>([&] { large.write(folder / "c"); });
        ::_exit(message == folder / "c" + ": cannot be written: File too large" ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(step_of(read_checkpoint(folder / "c")) == 1);
    CHECK(std::distance(std::filesystem::directory_iterator{folder.path()}, {}) == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "c.previous"));
}
