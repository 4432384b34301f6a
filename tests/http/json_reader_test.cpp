#include "base/text.hpp"
#include "http/json_reader.hpp"

#include <doctest/doctest.h>

#include <array>

namespace json_reader_test {

using namespace gapless;

struct object
{
    std::optional<std::int64_t> integer;
    std::optional<bool> truth;
    std::optional<std::string> text;
    decimal_text decimal;
    removable_integer removable;
    std::map<std::string, std::string> map;
};

/// "ok", or the detail of the refusal.
std::string read(std::string_view json, object& into)
{
    std::array<json_field, 6> const fields{
        {{"integer", &into.integer},
         {"truth", &into.truth},
         {"text", &into.text},
         {"decimal", &into.decimal},
         {"removable", &into.removable},
         {"map", &into.map}}};
    auto const outcome = read_json_object(json, fields);
    if (!outcome.has_error())
        return "ok";
    CHECK(outcome.error().kind == refusal_kind::malformed_request);
    return outcome.error().detail;
}

std::string read(std::string_view json)
{
    object ignored;
    return read(json, ignored);
}

TEST_SUITE("http/json_reader")
{
    TEST_CASE("values go where their fields say")
    {
        object values;
        CHECK(
            read(
                R"({"integer":-9223372036854775808,"truth":true,"text":"a\u00e4\ud83d\ude00",)"
                R"("decimal":9007199254740991,"removable":"9223372036854775807",)"
                R"("map":{"k":"v","":""}})",
                values
            ) == "ok"
        );
        CHECK(values.integer == std::numeric_limits<std::int64_t>::min());
        CHECK(values.truth == true);
        CHECK(values.text == "a\xc3\xa4\xf0\x9f\x98\x80");
        CHECK(values.decimal.digits == "9007199254740991");
        CHECK(values.removable.value == std::numeric_limits<std::int64_t>::max());
        CHECK(values.map == std::map<std::string, std::string>{{"k", "v"}, {"", ""}});
    }

    TEST_CASE("digits of a number are its decimal, without zeros before it")
    {
        object values;
        CHECK(read(R"({"decimal":"0"})", values) == "ok");
        CHECK(values.decimal.digits == "0");
        for (auto const* json :
             {R"({"decimal":"007"})", R"({"decimal":"00"})", R"({"removable":"01"})"})
            CHECK(read(json, values) != "ok");
    }

    TEST_CASE("a field that is not there leaves its place alone")
    {
        object values;
        values.text = "before";
        CHECK(read(" {\t\r\n} ", values) == "ok");
        CHECK(values.text == "before");
        CHECK_FALSE(values.removable.given);
        CHECK(
            read(
                R"({"text":null,"truth":null,"decimal":null,"map":null,"removable":null})", values
            ) == "ok"
        );
        CHECK(values.text == "before");
        CHECK(values.removable.given);
    }

    TEST_CASE("what is not exactly one JSON object is refused")
    {
        using namespace std::string_view_literals;
        for (auto const json :
             {""sv,
              " "sv,
              "{"sv,
              "}"sv,
              "{}{}"sv,
              "{} x"sv,
              "{},"sv,
              "[]"sv,
              "[{}]"sv,
              "1"sv,
              "\"a\""sv,
              "null"sv,
              "true"sv,
              "{\"text\"}"sv,
              "{\"text\":}"sv,
              "{\"text\":\"a\",}"sv,
              "{text:\"a\"}"sv,
              "{'text':'a'}"sv,
              "{\"text\":\"a\"\"b\"}"sv,
              "{/**/}"sv,
              "//\n{}"sv,
              "\xef\xbb\xbf{}"sv,
              "{}\0"sv,
              "{}\0{}"sv,
              "\0{}"sv,
              "{\"text\":\"\xff\"}"sv,
              "{\"text\":\"\xc0\x80\"}"sv,
              "{\"text\":\"\xed\xa0\x80\"}"sv,
              "{\"text\":\"\xf4\x90\x80\x80\"}"sv,
              "{\"text\":\"\\ud800\"}"sv,
              "{\"text\":\"\\udc00\\ud800\"}"sv,
              "{\"text\":\"\\x41\"}"sv,
              "{\"text\":\"\n\"}"sv,
              "{\"integer\":NaN}"sv,
              "{\"integer\":Infinity}"sv,
              "{\"integer\":01}"sv,
              "{\"integer\":+1}"sv,
              "{\"integer\":.5}"sv,
              "{\"integer\":1.}"sv,
              "{\"integer\":-}"sv,
              "{\"truth\":True}"sv,
              "{\"truth\":tru}"sv,
              "\xff\xfe{\0}\0"sv})
        {
            CAPTURE(json);
            CHECK(read(json) != "ok");
        }
    }

    TEST_CASE("a value of another kind is refused by the name of its field")
    {
        CHECK(read(R"({"integer":1.5})") == R"(The field "integer" has to be an integer.)");
        CHECK(read(R"({"integer":1e0})") == R"(The field "integer" has to be an integer.)");
        CHECK(read(R"({"integer":"1"})") == R"(The field "integer" has to be an integer.)");
        CHECK(
            read(R"({"integer":9223372036854775808})") ==
            R"(The field "integer" has to be an integer.)"
        );
        CHECK(read(R"({"truth":1})") == R"(The field "truth" has to be true or false.)");
        CHECK(read(R"({"text":1})") == R"(The field "text" has to be a string.)");
        CHECK(read(R"({"text":{}})") == R"(The field "text" has to be a string.)");
        CHECK(read(R"({"text":["a"]})") == R"(The field "text" has to be a string.)");
        CHECK(read(R"({"map":"a"})") == R"(The field "map" has to be an object of strings.)");
        CHECK(read(R"({"map":{"a":1}})") == R"(The field "map" has to be an object of strings.)");
        CHECK(
            read(R"({"map":{"a":null}})") == R"(The field "map" has to be an object of strings.)"
        );
        CHECK(read(R"({"map":{"a":{}}})") == R"(The field "map" has to be an object of strings.)");
        CHECK(read(R"({"map":[]})") == R"(The field "map" has to be an object of strings.)");
        for (std::string_view const value :
             {"-1", "\"-1\"", "\"01\"", "\"\"", "\"1.0\"", "1.0", "1e3", "true", "{}"})
        {
            CAPTURE(value);
            CHECK(read(R"({"decimal":)" + std::string{value} + '}') != "ok");
        }
        CHECK(read(R"({"removable":-1})") != "ok");
        CHECK(read(R"({"removable":"9223372036854775808"})") != "ok");
    }

    TEST_CASE("fields that are unknown or given twice are refused by their names")
    {
        CHECK(read(R"({"other":1})") == R"(The field "other" is unknown.)");
        CHECK(read(R"({"Text":"a"})") == R"(The field "Text" is unknown.)");
        CHECK(read(R"({"":1})") == R"(The field "" is unknown.)");
        CHECK(read(R"({"text":"a","text":"a"})") == R"(The field "text" is given twice.)");
        CHECK(read(R"({"text":"a","te\u0078t":"a"})") == R"(The field "text" is given twice.)");
        CHECK(read(R"({"text":null,"text":null})") == R"(The field "text" is given twice.)");
        CHECK(read(R"({"map":{"a":"","a":""}})") == R"(The field "map" has a key twice.)");
        CHECK(read(R"({"map":{},"map":{}})") == R"(The field "map" is given twice.)");
    }

    TEST_CASE("a text holds no control characters")
    {
        for (std::string_view const text :
             {"\\u0000", "\\n", "\\u001f", "\\u007f", "\\u0080", "\\u009f"})
        {
            CAPTURE(text);
            CHECK(
                read(R"({"text":"a)" + std::string{text} + R"("})") ==
                R"(The field "text" holds a control character.)"
            );
        }
        CHECK(read("{\"text\":\"\\u00a0 ~\"}") == "ok");
    }

    TEST_CASE("deep nesting is refused and costs nothing")
    {
        CHECK(read(std::string(100'000, '[')) != "ok");
        std::string nested;
        for (int depth = 0; depth < 50'000; ++depth)
            nested += R"({"map":)";
        CHECK(read(nested) != "ok");
    }

    TEST_CASE("decimal text becomes an integer within its bound")
    {
        CHECK(
            *read_decimal("f", "9223372036854775806", 9'223'372'036'854'775'806) ==
            9'223'372'036'854'775'806
        );
        CHECK(
            read_decimal("f", "9223372036854775807", 9'223'372'036'854'775'806).error().detail ==
            R"(The field "f" has to be at most 9223372036854775806.)"
        );
        CHECK(
            read_decimal("f", std::string(40, '9'), 5).error().kind == refusal_kind::out_of_range
        );
    }

    TEST_CASE("characters are counted, not bytes")
    {
        CHECK(count_characters("") == 0);
        CHECK(count_characters("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == 4);
    }
}

}  // namespace json_reader_test
