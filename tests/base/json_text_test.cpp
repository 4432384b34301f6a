#include "base/json_text.hpp"
#include "base/text.hpp"

#include <doctest/doctest.h>

namespace json_text_test {

using namespace gapless;

std::string quoted(std::string_view text)
{
    std::string json;
    append_json_string(json, text);
    return json;
}

TEST_SUITE("base/json_text")
{
    TEST_CASE("a text becomes a JSON string")
    {
        CHECK(quoted("") == R"("")");
        CHECK(quoted("order 4711") == R"("order 4711")");
        CHECK(
            quoted("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") ==
            "\"a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""
        );
    }

    TEST_CASE("characters are counted, not bytes")
    {
        CHECK(count_characters("") == 0);
        CHECK(count_characters("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == 4);
    }

    TEST_CASE("quotes, backslashes and control characters are escaped")
    {
        using namespace std::string_view_literals;
        CHECK(quoted(R"("\)") == R"("\"\\")");
        CHECK(quoted("\n\r\t") == R"("\n\r\t")");
        CHECK(quoted("\0\x01\x1f\x7f"sv) == R"("\u0000\u0001\u001f\u007f")");
    }

    TEST_CASE("bytes that are not UTF-8 are replaced one by one")
    {
        constexpr std::string_view replaced{"\xef\xbf\xbd"};
        for (std::string_view const byte : {"\xff", "\x80", "\xc3", "\xc0"})
            CHECK(quoted(byte) == '"' + std::string{replaced} + '"');
        CHECK(quoted("a\xc3") == "\"a" + std::string{replaced} + '"');
        CHECK(quoted("\xe2\x82x") == '"' + std::string{replaced} + std::string{replaced} + "x\"");
    }

    TEST_CASE("only the shortest form of a character up to U+10FFFF is UTF-8")
    {
        CHECK(is_utf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"));
        for (std::string_view const text :
             {"\xc0\x80",
              "\xc1\xbf",
              "\xe0\x80\x80",
              "\xed\xa0\x80",
              "\xf0\x80\x80\x80",
              "\xf4\x90\x80\x80",
              "\xf5\x80\x80\x80",
              "\xe2\x82",
              "\xc3",
              "\x80"})
            CHECK_FALSE(is_utf8(text));
    }
}

}  // namespace json_text_test
