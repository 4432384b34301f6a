#include "cli/argument.hpp"

#include <doctest/doctest.h>

namespace gapless::cli::cli_argument_test {

std::string text(result<std::int64_t> const& outcome)
{
    return outcome.has_value() ? std::to_string(*outcome)
                               : std::string{name_of(outcome.error().kind)};
}

constexpr database_time noon{std::chrono::seconds{1'800'000'000}};

TEST_SUITE("cli/argument")
{
    TEST_CASE("a serial is digits, leading zeros allowed")
    {
        CHECK(text(read_serial("0")) == "0");
        CHECK(text(read_serial("00042")) == "42");
        CHECK(text(read_serial("4901214213405250000")) == "4901214213405250000");
    }

    TEST_CASE("the largest serial is taken, one more is refused with the limit")
    {
        CHECK(text(read_serial("9223372036854775806")) == "9223372036854775806");
        auto const beyond = read_serial("9223372036854775807");
        CHECK(text(beyond) == "out-of-range");
        CHECK(beyond.error().detail.find("9223372036854775806") != std::string::npos);
        CHECK(text(read_serial("99999999999999999999999999")) == "out-of-range");
    }

    TEST_CASE("signs, exponents and foreign digits are no serial")
    {
        for (auto const* wrong : {"", "-1", "+1", "1e9", "1.0", "0x1", "1_000", "٣"})
            CHECK_MESSAGE(text(read_serial(wrong)) == "malformed-request", std::string{wrong});
    }

    TEST_CASE("a stated count may be larger than any block, but not endless")
    {
        CHECK(read_stated_count("000250001").value() == "250001");
        CHECK(read_stated_count("0").value() == "0");
        CHECK(read_stated_count("99999999999999999999").value() == "99999999999999999999");
        CHECK(read_stated_count("100000000000000000000").has_error());
        CHECK(read_stated_count("-5").has_error());
    }

    TEST_CASE("a reference has up to 255 characters, however many bytes they take")
    {
        std::string longest;
        for (int n = 0; n < 255; ++n)
            longest += "ü";
        CHECK(read_reference(longest).value() == longest);
        CHECK(read_reference(longest + "x").error().kind == refusal_kind::out_of_range);
        CHECK(read_reference("").value() == std::nullopt);
    }

    TEST_CASE("a reference is text without control characters")
    {
        CHECK(read_reference("a\tb").has_error());
        CHECK(read_reference("a\x1b[2J").has_error());
        CHECK(read_reference("a\xc2\x9b").has_error());
        CHECK(read_reference("\xff").has_error());
    }

    TEST_CASE("UTF-8 is told from what only looks like it")
    {
        CHECK(is_text("Größe € 🏷"));
        CHECK_FALSE(is_text("\xc0\x80"));          // overlong
        CHECK_FALSE(is_text("\xed\xa0\x80"));      // a surrogate
        CHECK_FALSE(is_text("\xf4\x90\x80\x80"));  // beyond U+10FFFF
        CHECK_FALSE(is_text("\xe2\x82"));          // cut short
        CHECK_FALSE(is_text(std::string_view{"a\0b", 3}));
    }

    TEST_CASE("an expiry is a span, a date or a moment")
    {
        CHECK(read_expiry("30d", noon).value() == to_rfc3339(noon + std::chrono::days{30}));
        CHECK(read_expiry("12h", noon).value() == to_rfc3339(noon + std::chrono::hours{12}));
        CHECK(read_expiry("2099-12-31", noon).value() == "2099-12-31");
        CHECK(read_expiry("2099-12-31T12:00:00Z", noon).has_value());
        for (auto const* wrong : {"", "d", "0d", "-1d", "1w", "soon", "2099-13-01"})
            CHECK_MESSAGE(read_expiry(wrong, noon).has_error(), wrong);
    }

    TEST_CASE("quoted text is shown without control characters and cut")
    {
        CHECK(to_quoted("a\nb") == "'a\\x0ab'");
        CHECK(to_quoted(std::string(100, 'x')) == "'" + std::string(60, 'x') + "…'");
    }
}

}  // namespace gapless::cli::cli_argument_test
