// XML: strict reading, error messages with position and reason, and exact round trips.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

constexpr auto infinity = std::numeric_limits<double>::infinity();

std::string refusal(std::string const& text) {
    return message_of<InputError>([&] { parse_xml(text, "f.xml"); });
}

std::string const sample = R"(<?xml version="1.0" ?>
<System type="System" version="1">
	<Particles>
		<Particle mass="1.008"/>
		<Particle mass="-.5" n="-7" flag="1" big="9223372036854775807"/>
		<!-- three lines
		-->
		<Particle
			mass="1abc" limit="Infinity" odd="NaN" n="2147483648" flag="true"/>
	</Particles>
	<Name of="a&lt;b&#x0A;é"/>
</System>
)";

}  // namespace

TEST_CASE("values are read from the elements and attributes that hold them", "[io]") {
    auto const document = parse_xml(sample, "s.xml");
    auto const root = document.root("System");
    CHECK(root.version(1) == 1);
    CHECK(root.child("Name").text("of") == "a<b\né");
    CHECK(root.children().size() == 2);
    CHECK_FALSE(root.find("Forces"));

    auto const particles = root.child("Particles").children("Particle");
    REQUIRE(particles.size() == 3);
    std::vector<XmlNode> const p(particles.begin(), particles.end());
    CHECK(p[0].number("mass") == 1.008);
    CHECK(p[1].number("mass") == -0.5);
    CHECK(p[1].integer("n") == -7);
    CHECK(p[1].boolean("flag"));
    CHECK(p[1].integer<std::int64_t>("big") == std::numeric_limits<std::int64_t>::max());
    CHECK(p[2].number("limit", Allow::Infinite) == infinity);
    CHECK(std::isnan(p[2].number("odd", Allow::Any)));
    CHECK(p[0].number_or("none", 3.0) == 3.0);
    CHECK(p[0].integer_or("none", 4) == 4);
    CHECK(p[0].text_or("none", "x") == "x");
    CHECK(p[1].attributes() == std::vector<std::string_view>{"mass", "n", "flag", "big"});
}

TEST_CASE("a wrong value is refused with file, line, path, value and expectation", "[io]") {
    auto const document = parse_xml(sample, "s.xml");
    auto const particles = document.root().child("Particles").children();
    std::vector<XmlNode> const p(particles.begin(), particles.end());
    auto const said = [](auto&& action) { return message_of<InputError>(action); };
    std::string const second = "s.xml, line 5, /System/Particles/Particle[1]: ";
    std::string const third = "s.xml, line 8, /System/Particles/Particle[2]: ";

    CHECK(said([&] { p[2].number("mass"); }) == third + "mass is \"1abc\", expected a finite number");
    CHECK(said([&] { p[2].number("limit"); }) == third + "limit is \"Infinity\", expected a finite number");
    CHECK(said([&] { p[2].number("odd", Allow::Infinite); }) == third + "odd is \"NaN\", expected a number or Infinity");
    CHECK(said([&] { p[2].boolean("flag"); }) == third + "flag is \"true\", expected 0 or 1");
    CHECK(said([&] { p[2].integer("n"); }) == third + "n is \"2147483648\", expected an integer from -2147483648 to 2147483647");
    CHECK(said([&] { p[1].integer("n", 0, 2); }) == second + "n is \"-7\", expected an integer from 0 to 2");
    CHECK(said([&] { p[1].text("charge"); }) == second + "the attribute charge is missing");
    CHECK(said([&] { p[1].only({"mass", "n", "big"}); }) == second + "unknown attribute \"flag\" (known: mass, n, big)");
    CHECK(said([&] { document.root().only({"type", "version"}, {"Particles"}); }) ==
          "s.xml, line 11, /System/Name: unknown element (known here: Particles)");
    CHECK(said([&] { document.root().child("Box"); }) == "s.xml, line 2, /System: the element <Box> is missing");
    CHECK(said([&] { document.root().child("Particles").child("Particle"); }) == second + "expected only one <Particle> here");
    CHECK(said([&] { document.root().version(0); }) ==
          "s.xml, line 2, /System: version 1 is newer than 0, the newest that is known here");
    CHECK(document.root("State").name() == "System");  // its type attribute is decisive
    CHECK(said([&] { parse_xml("<a/>", "s.xml").root("State"); }) == "s.xml: the root element is <a>, expected <State>");
}

TEST_CASE("text between tags is refused unless a reader asks for it", "[io]") {
    auto const document = parse_xml("<a>one<b/>two<![CDATA[<&]]></a>", "f.xml");
    CHECK(document.root().content() == "onetwo<&");
    CHECK(message_of<InputError>([&] { document.root().only({}, {"b"}); }) == "f.xml, line 1, /a: unexpected text \"one\"");
}

TEST_CASE("numbers are read strictly in all forms that OpenMM writes", "[io]") {
    for (auto const& [text, value] : std::initializer_list<std::pair<char const*, double>>{
             {".002", 0.002}, {"-.5", -0.5}, {"1e-308", 1e-308}, {"5e-324", 5e-324}, {"1e+06", 1e6}, {"1E5", 1e5}, {"7", 7}, {"5.", 5},
             {" 1", 1}, {"1\n", 1}, {"+1", 1}, {"+.5", .5}, {"1e-999", 0}})
        CHECK(parse_number(text) == value);
    for (auto const* text : {"-0", "-1e-999"}) CHECK(std::signbit(parse_number(text).value()));
    for (auto const* text : {"Infinity", "inf", "INF"}) {
        CHECK(parse_number(text, Allow::Infinite) == infinity);
        CHECK_FALSE(parse_number(text));
    }
    CHECK(parse_number("-Infinity", Allow::Any) == -infinity);
    for (auto const* text : {"NaN", "nan"}) {
        CHECK(std::isnan(parse_number(text, Allow::Any).value()));
        CHECK_FALSE(parse_number(text, Allow::Infinite));
    }
    for (auto const* text : {"", " ", "1 2", "+", "++1", "+-1", "+inf", "1abc", "1,5", "0x10", "1e", ".", "-", "1e999", "-1e999", "nan(1)", "--1", "1.2.3", "infinit"})
        CHECK_FALSE(parse_number(text, Allow::Any));
    CHECK((parse_integer(" 1\t") == 1 && parse_integer("+1") == 1));
    for (auto const* text : {"", "1.0", "+ 1", "1e3", "99999999999999999999", "0x1", "-"}) CHECK_FALSE(parse_integer(text));
}

TEST_CASE("written numbers read back as the same bits", "[io]") {
    std::mt19937_64 random{7};
    for (int i = 0; i < 200'000; ++i) {
        auto const value = std::bit_cast<double>(random());
        if (!std::isfinite(value)) continue;
        REQUIRE(std::bit_cast<std::uint64_t>(parse_number(format_number(value)).value()) == std::bit_cast<std::uint64_t>(value));
        REQUIRE(std::bit_cast<std::uint64_t>(parse_number(format_xml_number(value)).value()) == std::bit_cast<std::uint64_t>(value));
    }
}

// The texts on the right were written by OpenMM 8.6.1.
TEST_CASE("numbers look as OpenMM writes them", "[io]") {
    for (auto const& [value, text] : std::initializer_list<std::pair<double, char const*>>{
             {-0.0, "-0"}, {0, "0"}, {0.002, ".002"}, {1e-308, "1e-308"}, {0.1, ".1"}, {1e5, "100000"}, {1e6, "1e+06"},
             {123456, "123456"}, {1234567, "1234567"}, {1.5e-5, "1.5e-05"}, {1e-4, ".0001"}, {1e-5, "1e-05"},
             {0.00012345, ".00012345"}, {1e22, "1e+22"}, {1.5e10, "1.5e+10"}, {123456789012345680.0, "123456789012345680"},
             {-0.5, "-.5"}, {12300000, "12300000"}, {1230000, "1230000"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
             {5e-324, "5e-324"}, {infinity, "Infinity"}, {-infinity, "-Infinity"}, {std::nan(""), "NaN"}, {100000.5, "100000.5"}})
        CHECK(format_xml_number(value) == text);
    CHECK(format_number(0.002) == "0.002");
}

TEST_CASE("what is not one well-formed XML element is refused in one sentence", "[io]") {
    CHECK(refusal("") == "f.xml: is empty, expected XML");
    CHECK(refusal(" \n\t") == "f.xml: is empty, expected XML");
    CHECK(refusal("<!-- only this -->") == "f.xml: holds no XML element");
    CHECK(refusal(std::string("\x7f" "ELF\0\1", 6)).starts_with("f.xml: is not XML text"));
    CHECK(refusal(std::string("<a/>\0", 5)).starts_with("f.xml: is not XML text"));
    CHECK(refusal("# a comment\n").starts_with("f.xml: is not XML text"));
    CHECK(refusal("<a/>\n<b/>") == "f.xml, line 2: a second root element <b>");
    CHECK(refusal("<a/>\ntail") == "f.xml, line 2: text outside the root element: \"tail\"");
    CHECK(refusal("<a>\n<b x='1'\n x='2'/></a>") == "f.xml, line 2: <b> states the attribute x twice");
    CHECK(refusal("<a>\n</b>").starts_with("f.xml, line 2: is not well-formed XML: "));
    CHECK(refusal("<a x=1/>").starts_with("f.xml, line 1: is not well-formed XML: "));
    for (auto const* code : {"&#0;", "&#x0;", "&#x00;", "&#4294967296;", "&#;", "&#x110000;", "&#xD800;", "&#xdfff;", "&#55296;",
                             "&#1;", "&#x1b;", "&#xFFFE;", "&#xFFFF;"})
        CHECK(refusal("<a x=\"1" + std::string{code} + "abc\"/>").find("is no character") != std::string::npos);

    for (auto const* bytes : {"\x80", "\xc0\xaf", "\xe9", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xe2\x98"})
        for (std::size_t before : {0u, 4090u, 4094u, 10000u})  // at and about the ends of blocks
            CHECK(refusal("<a\nx=\"" + std::string(before, ' ') + bytes + "\"/>").starts_with("f.xml, line 2: is not UTF-8, as XML must be: unexpected byte 0x"));
    for (auto const* bytes : {"\x01", "\x1b", "\x0b"})
        CHECK(refusal("<a\nx=\"" + std::string{bytes} + "\"/>").starts_with("f.xml, line 2: is not well-formed XML: it holds the control character 0x"));
    for (std::size_t before : {0u, 4080u, 4081u, 4082u, 4083u, 4084u, 4085u})
        CHECK(refusal("<a x=\"" + std::string(before, ' ') + "\t\r\n é☃😀 &#9;&#x1F600;\"/>").empty());
    auto const long_name = "<" + std::string(100'000, 'x') + "/>";
    CHECK(message_of<InputError>([&] { parse_xml(long_name, "f.xml").root("State"); }).size() < 200);
    CHECK(refusal("<a>" + long_name.substr(0, long_name.size() - 2) + " y=\"1\" y=\"2\"/></a>").size() < 200);

    for (std::size_t size = 1; size < 200; ++size) CHECK(refusal("<" + std::string(size, 'b')).starts_with("f.xml, line 1: "));
    for (std::size_t kept = 0; kept < sample.size() - 2; ++kept) {
        INFO(kept);
        CHECK(refusal(sample.substr(0, kept)).starts_with("f.xml"));
    }
    CHECK(refusal(sample.substr(0, sample.size() - 10)).ends_with("the file ends inside an element (truncated?)"));
}

TEST_CASE("lines are right however they end", "[io]") {
    auto const document = parse_xml("<a>\r\n<b\r\n/>\r\n<c x='\n\n'/><d/></a>", "f.xml");
    CHECK(document.root().child("b").line() == 2);
    CHECK(document.root().child("c").line() == 4);
    CHECK(document.root().child("d").line() == 6);
}

TEST_CASE("nesting is bounded and deep input cannot overflow a stack", "[io]") {
    auto const nested = [](std::size_t depth) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += "<a>";
        for (std::size_t i = 0; i < depth; ++i) text += "</a>";
        return text;
    };
    CHECK(refusal(nested(128)).empty());
    CHECK(refusal(nested(129)) == "f.xml, line 1: more than 128 elements inside one another");
    CHECK(refusal(nested(1'000'000)) == "f.xml, line 1: more than 128 elements inside one another");
    CHECK(refusal(nested(1'000'000).substr(0, 3'000'000)) == "f.xml, line 1: the file ends inside an element (truncated?)");

    std::string attributes = "<a";
    for (int i = 0; i <= 1000; ++i) attributes += " x" + std::to_string(i) + "='0'";
    CHECK(refusal(attributes + "/>") == "f.xml, line 1: <a> has more than 1000 attributes");
}

TEST_CASE("the writer's layout is OpenMM's", "[io]") {
    XmlWriter xml;
    xml.open("System").attribute("openmmVersion", "8.6.1").attribute("version", 1);
    xml.open("Particles");
    xml.open("Particle").attribute("mass", .002).attribute("on", true).close();
    xml.close();
    xml.open("Constraints").close();
    xml.open("Force").attribute("energy", std::string{"a*x<3 & \"q\"\n\t'>"});
    CHECK(xml.finish() == R"(<?xml version="1.0" ?>
<System openmmVersion="8.6.1" version="1">
	<Particles>
		<Particle mass=".002" on="1"/>
	</Particles>
	<Constraints/>
	<Force energy="a*x&lt;3 &amp; &quot;q&quot;&#x0A;&#x09;&apos;&gt;"/>
</System>
)");
}

TEST_CASE("what is written is read back, through a file as well", "[io]") {
    ScratchFolder const folder;
    std::string const text = "all of \" ' < > & \r \n \t é ☃";
    {
        OutputFile file{folder / "a.xml.gz"};
        XmlWriter xml{file};
        xml.open("A").attribute("text", text);
        for (int i = 0; i < 20'000; ++i) xml.open("B").attribute("i", i).close();
        CHECK(xml.finish().empty());
        file.commit();
    }
    auto const document = parse_xml(read_file(folder / "a.xml.gz"), "a.xml.gz");
    CHECK(document.root("A").text("text") == text);
    int expected = 0;
    for (auto const child : document.root().children("B")) REQUIRE(child.integer("i") == expected++);
    CHECK(expected == 20'000);
    CHECK_THROWS_AS(XmlWriter{}.open("A").attribute("x", "\x01"), InputError);
}
