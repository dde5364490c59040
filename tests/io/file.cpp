// Files are read whole, replaced atomically and continued at a known length.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <csignal>
#include <filesystem>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;
namespace fs = std::filesystem;

namespace {

std::string noise(std::size_t count) {
    std::mt19937_64 random{count};
    std::string text(count, '\0');
    for (auto& c : text) c = static_cast<char>(random());
    return text;
}

}  // namespace

TEST_CASE("a file is read back as it was written, plain and compressed", "[io]") {
    ScratchFolder const folder;
    for (std::size_t size : {0u, 1u, 262143u, 262144u, 262145u, 1000000u}) {
        auto const text = noise(size);
        for (std::string const name : {"plain", "packed.gz"}) {
            write_file(folder / name, text);
            CHECK(read_file(folder / name) == text);
        }
        CHECK(bytes_of(folder / "packed.gz").starts_with("\x1f\x8b"));
        CHECK(bytes_of(folder / "plain") == text);
    }
    CHECK(std::distance(fs::directory_iterator{folder.path()}, {}) == 2);
}

TEST_CASE("gzip is recognized by content and may consist of several members", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "a.gz", "first ");
    write_file(folder / "b.gz", "second");
    put_bytes(folder / "both.xml", bytes_of(folder / "a.gz") + bytes_of(folder / "b.gz"));
    CHECK(read_file(folder / "both.xml") == "first second");
}

TEST_CASE("damaged, truncated and oversized input is refused by name", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "big.gz", std::string(1 << 20, 'x'));
    auto const packed = bytes_of(folder / "big.gz");
    REQUIRE(packed.size() < 4096);

    CHECK(read_file(folder / "big.gz", 1 << 20).size() == 1 << 20);
    auto const message = message_of<InputError>([&] { read_file(folder / "big.gz", (1 << 20) - 1); });
    CHECK(message == folder / "big.gz" + ": holds more than the limit of 1048575 bytes");

    for (std::size_t kept = 2; kept < packed.size(); ++kept) {
        put_bytes(folder / "cut.gz", packed.substr(0, kept));
        CHECK_THROWS_AS(read_file(folder / "cut.gz"), InputError);
    }
    write_file(folder / "noise.gz", noise(1000));
    auto damaged = bytes_of(folder / "noise.gz");
    damaged[500] = static_cast<char>(damaged[500] ^ 16);
    put_bytes(folder / "bad.gz", damaged);
    CHECK_THROWS_AS(read_file(folder / "bad.gz"), InputError);
    put_bytes(folder / "tail.gz", packed + "garbage");
    CHECK_THROWS_AS(read_file(folder / "tail.gz"), InputError);

    put_bytes(folder / "plain", "12345");
    CHECK(read_file(folder / "plain", 5) == "12345");
    CHECK_THROWS_AS(read_file(folder / "plain", 4), InputError);
    CHECK(message_of<InputError>([&] { read_file(folder / "none"); }) ==
          folder / "none" + ": cannot be opened: No such file or directory");
    CHECK(message_of<InputError>([&] { read_file(folder.path().string()); }).ends_with("is a folder, expected a file"));
}

TEST_CASE("a file that is not committed leaves the earlier one as it was", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "kept", "old");
    {
        OutputFile file{folder / "kept"};
        file.write("new");
        CHECK_THROWS_AS(OutputFile{folder / "kept"}, OutputError);
    }
    CHECK(bytes_of(folder / "kept") == "old");
    CHECK_FALSE(fs::exists(folder / "kept.partial"));

    OutputFile second{folder / "kept"};
    second.write("newer");
    second.commit_and_keep(folder / "kept.previous");
    CHECK(bytes_of(folder / "kept") == "newer");
    CHECK(bytes_of(folder / "kept.previous") == "old");
}

TEST_CASE("what a killed program left behind is overwritten", "[io]") {
    ScratchFolder const folder;
    put_bytes(folder / "out.partial", "left over from a longer file");
    write_file(folder / "out", "short");
    CHECK(bytes_of(folder / "out") == "short");
    CHECK_FALSE(fs::exists(folder / "out.partial"));
}

TEST_CASE("links stay links and permissions stay", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "real", "1");
    fs::permissions(folder / "real", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", folder / "link");
    write_file(folder / "link", "2");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(bytes_of(folder / "real") == "2");
    CHECK(fs::status(folder / "real").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("write errors name the file and the reason", "[io]") {
    auto const full = message_of<OutputError>([] { write_file("/dev/full", "text"); });
    CHECK(full == "/dev/full: cannot be written: No space left on device");
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(message_of<OutputError>([] { write_file("/no/such/folder/x", ""); }) ==
          "/no/such/folder/x: cannot be created: No such file or directory");
    CHECK(message_of<OutputError>([] { AppendFile{"/dev/full"}.append("text"); }) ==
          "/dev/full: cannot be written: No space left on device");
}

TEST_CASE("a record that does not fit is taken back whole", "[io]") {
    ScratchFolder const folder;
    auto const child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit const limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        AppendFile file{folder / "log"};
        int failures = 0;
        for (int record = 0; record < 5; ++record) try {
                file.append(std::string(300, 'r'));
            } catch (OutputError const&) {
                ++failures;
            }
        ::_exit(failures == 2 && file.offset() == 900 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(bytes_of(folder / "log").size() == 900);
}

TEST_CASE("appending goes on where it is told to", "[io]") {
    ScratchFolder const folder;
    {
        AppendFile file{folder / "log"};
        file.append("one\n");
        file.append("two\n");
        CHECK(file.offset() == 8);
    }
    {
        AppendFile file{folder / "log", 4};
        file.append("2\n");
        file.overwrite(0, "ONE");
        file.sync();
        CHECK(file.offset() == 6);
    }
    CHECK(bytes_of(folder / "log") == "ONE\n2\n");
    CHECK(message_of<InputError>([&] { AppendFile{folder / "log", 7}; }) ==
          folder / "log" + ": holds 6 bytes, expected at least the 7 that were complete at the checkpoint");
    CHECK(bytes_of(folder / "log").size() == 6);
    CHECK_THROWS_AS((AppendFile{folder / "missing", 0}), OutputError);
}

TEST_CASE("a program killed while it writes leaves a whole file", "[io]") {
    ScratchFolder const folder;
    std::string const old_text(200'000, 'a'), new_text(200'000, 'b');
    std::mt19937 random{1};
    for (int round = 0; round < 40; ++round) {
        write_file(folder / "file", old_text);
        auto const child = ::fork();
        if (child == 0) {
            write_file(folder / "file", new_text);
            ::_exit(0);
        }
        ::usleep(static_cast<useconds_t>(random() % 3000));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        auto const found = bytes_of(folder / "file");
        REQUIRE((found == old_text || found == new_text));
    }
    write_file(folder / "file", new_text);
    CHECK(std::distance(fs::directory_iterator{folder.path()}, {}) == 1);
}
