// Files: reading, atomic replacement, and appending at a known length.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include <sys/resource.h>
#include <sys/stat.h>
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
    }
    CHECK(bytes_of(folder / "kept") == "old");
    CHECK(std::distance(fs::directory_iterator{folder.path()}, {}) == 1);

    OutputFile second{folder / "kept"};
    second.write("newer");
    second.commit_and_keep_previous();
    CHECK(bytes_of(folder / "kept") == "newer");
    CHECK(bytes_of(folder / "kept.previous") == "old");
}

TEST_CASE("files beside an output belong to the user, whatever they are called", "[io]") {
    ScratchFolder const folder;
    put_bytes(folder / "precious", "precious");
    put_bytes(folder / "out.partial", "precious");
    fs::create_hard_link(folder / "precious", folder / "hard.partial");
    fs::create_symlink("precious", folder / "soft.partial");
    REQUIRE(::mkfifo((folder / "pipe.partial").c_str(), 0600) == 0);
    for (std::string const name : {"out", "hard", "soft", "pipe"}) {
        write_file(folder / name, name);
        CHECK(bytes_of(folder / name) == name);
    }
    CHECK(bytes_of(folder / "precious") == "precious");
    CHECK(bytes_of(folder / "out.partial") == "precious");
    CHECK(fs::hard_link_count(folder / "precious") == 2);
    CHECK(fs::is_symlink(folder / "soft.partial"));
    CHECK(fs::is_fifo(folder / "pipe.partial"));
    CHECK(std::distance(fs::directory_iterator{folder.path()}, {}) == 9);
}

TEST_CASE("a pipe without anybody at its other end is refused at once", "[io]") {
    ScratchFolder const folder;
    auto const pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(message_of<OutputError>([&] { OutputFile{pipe}; }) ==
          pipe + ": is no file but a pipe or device, and nobody reads from it");
    CHECK(message_of<OutputError>([&] { AppendFile{pipe}; }) ==
          pipe + ": is a pipe or device, expected a file that can grow");
    CHECK(message_of<OutputError>([&] { AppendFile(pipe, FileMark{}); }) ==
          pipe + ": is a pipe or device, expected a file that can grow");
    CHECK(message_of<InputError>([&] { read_file(pipe, 100, FileKind::regular); }) ==
          pipe + ": is a pipe or device, expected a file");
    CHECK(message_of<InputError>([&] { read_file(pipe); }) == pipe + ": is a pipe into which nobody writes, expected a file");
    CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a pipe is read as a file where somebody writes into it, be it late and slow", "[io]") {
    ScratchFolder const folder;
    auto const pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    auto const child = ::fork();
    if (child == 0) {
        ::usleep(50'000);
        std::ofstream out{pipe};
        ::usleep(50'000);
        out << "first " << std::flush;
        ::usleep(50'000);
        out << "second";
        out.close();
        ::_exit(0);
    }
    CHECK(read_file(pipe) == "first second");
    ::waitpid(child, nullptr, 0);
}

TEST_CASE("what is no XML is refused before it fills the memory", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "blanks.gz", std::string(4 << 20, ' ') + "<System/>");
    auto const expected = ": is not XML text: expected it to begin with '<' and to hold no zero bytes";
    for (auto const& name : {folder / "blanks.gz", std::string("/dev/zero")})
        CHECK(message_of<InputError>([&] { read_file(name, std::uint64_t{1} << 40, FileKind::xml); }) == name + expected);
    CHECK(read_file(folder / "blanks.gz").size() == (4 << 20) + 9);
    put_bytes(folder / "few", "\xef\xbb\xbf \n <System/>");
    CHECK(read_file(folder / "few", 100, FileKind::xml).ends_with("<System/>"));
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

    fs::create_directory(folder / "other");
    fs::create_symlink("other/none", folder / "ahead");
    write_file(folder / "ahead", "1");
    CHECK(bytes_of(folder / "other/none") == "1");
    OutputFile second{folder / "ahead"};
    second.write("2");
    second.commit_and_keep_previous();
    CHECK(fs::is_symlink(folder / "ahead"));
    CHECK(bytes_of(folder / "other/none") == "2");
    CHECK(bytes_of(folder / "other/none.previous") == "1");
}

TEST_CASE("write errors name the file and the reason", "[io]") {
    auto const full = message_of<OutputError>([] { write_file("/dev/full", "text"); });
    CHECK(full == "/dev/full: cannot be written: No space left on device");
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(message_of<OutputError>([] { write_file("/no/such/folder/x", ""); }) ==
          "/no/such/folder/x: cannot be created: No such file or directory");
    CHECK(message_of<OutputError>([] { AppendFile{"/dev/full"}; }) ==
          "/dev/full: is a pipe or device, expected a file that can grow");
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
        ::_exit(failures == 2 && file.mark().bytes == 900 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(bytes_of(folder / "log").size() == 900);
}

TEST_CASE("appending goes on where it is told to", "[io]") {
    ScratchFolder const folder;
    FileMark one;
    {
        AppendFile file{folder / "log"};
        file.append("one\n");
        one = file.mark();
        file.append("two\n");
        CHECK(file.mark().bytes == 8);
    }
    FileMark last;
    {
        AppendFile file{folder / "log", one};
        file.append("2\n");
        file.sync();
        last = file.mark();
        CHECK(last.bytes == 6);
    }
    CHECK(bytes_of(folder / "log") == "one\n2\n");
    auto longer = last;
    ++longer.bytes;
    CHECK(message_of<InputError>([&] { AppendFile(folder / "log", longer); }) ==
          folder / "log" + ": holds 6 bytes, expected at least the 7 that were complete at the checkpoint");
    CHECK(bytes_of(folder / "log").size() == 6);
    CHECK_THROWS_AS((AppendFile{folder / "missing", FileMark{}}), OutputError);
}

TEST_CASE("what is appended to is known to the last bit, but for its head", "[io]") {
    ScratchFolder const folder;
    FileMark mark;
    {
        AppendFile file{folder / "t", 5};
        file.append("head ");
        for (int n = 0; n < 3; ++n) file.append(noise(1000));
        file.overwrite(0, "HEAD");
        mark = file.mark();
        file.append("more");
    }
    auto const good = bytes_of(folder / "t");
    for (std::size_t bit = 5 * 8; bit < mark.bytes * 8; bit += 97) {
        auto bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        put_bytes(folder / "t", bad);
        REQUIRE(message_of<InputError>([&] { AppendFile(folder / "t", mark, 5); }) ==
                folder / "t" + ": cannot be continued: its first 3005 bytes are not those that the run wrote (they were "
                               "damaged or edited since)");
        REQUIRE(bytes_of(folder / "t") == bad);
    }
    put_bytes(folder / "t", good);
    AppendFile file{folder / "t", mark, 5};
    CHECK(file.mark().checksum == mark.checksum);
    CHECK(bytes_of(folder / "t") == good.substr(0, 3005));
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
    // Only temporary files of killed writers are left.
    for (auto const& entry : fs::directory_iterator{folder.path()}) {
        auto const name = entry.path().filename().string();
        CHECK((name == "file" || name.starts_with(".trotter-")));
    }
}
