#include "formats/any_number.hpp"
#include "formats/make_and_check.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

#include <rapidcheck.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("formats/number_properties")
{
    TEST_CASE("what was made is read again, in every format")
    {
        for_each_format([](bound_format const& format) {
            auto const serial = any_serial(format);
            auto const number = format.to_number(serial);
            RC_ASSERT(number.size() <= format.length_max());
            RC_ASSERT(text(format.read_number(number)) == std::to_string(serial));
        });
    }

    TEST_CASE("a series and the format tool make the same number")
    {
        for_each_format([](bound_format const& format) {
            auto const serial = any_serial(format);
            auto const made =
                make_number(format.format(), digits_of(serial, format.base()), format.parameters());
            RC_ASSERT(text(made) == format.to_number(serial));
        });
    }

    TEST_CASE("what was made is valid to the format tool")
    {
        for_each_format([](bound_format const& format) {
            auto const number = format.to_number(any_serial(format));
            auto const verdict = check_number(format.format(), number, format.parameters());
            RC_ASSERT(verdict.valid || verdict.reason.starts_with("serial "));
        });
    }

    TEST_CASE("a list is the same as its numbers one by one, in every format")
    {
        for_each_format([](bound_format const& format) {
            auto const first = any_serial(format);
            auto const count =
                std::min<std::int64_t>(*rc::gen::inRange(1, 120), format.serial_max() - first + 1);
            std::string list;
            format.append_numbers(first, count, {"'", "'", ","}, list);
            std::string expected;
            for (std::int64_t made = 0; made < count; ++made)
                expected += (made == 0 ? "'" : ",'") + format.to_number(first + made) + "'";
            RC_ASSERT(list == expected);
        });
    }

    TEST_CASE("blanks and small letters change nothing, in every format")
    {
        for_each_format([](bound_format const& format) {
            auto const serial = any_serial(format);
            std::string printed;
            for (auto const character : format.to_number(serial))
            {
                printed += static_cast<char>(std::tolower(character));
                if (*rc::gen::inRange(0, 4) == 0)
                    printed += *rc::gen::element(' ', '\t');
            }
            RC_ASSERT(text(format.read_number(printed)) == std::to_string(serial));
        });
    }

    TEST_CASE("no text makes the reader stumble")
    {
        for_each_format([](bound_format const& format) {
            auto const junk = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
            auto const verdict = check_number(format.format(), junk, {});
            RC_ASSERT(verdict.valid || !verdict.reason.empty());
            for (auto const character : verdict.reason)
                RC_ASSERT(' ' <= character && character <= '~');
        });
    }

    TEST_CASE("no template makes the compiler stumble")
    {
        CHECK(rc::check("templates of template characters", [] {
            auto const number = *rc::gen::container<std::string>(rc::gen::elementOf(std::string{
                "{}[]{n:8}{c}{a:N4-12}AZ09*:-. {number@2-5}#"}));
            auto declaration = declared(number, *rc::gen::element<std::string>("none", "gs1"));
            declaration.hrt = number;
            RC_ASSERT(!outcome_of(declaration).empty());
        }));
    }
}
