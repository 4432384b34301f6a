#include "record/json.hpp"
#include "record/read.hpp"
#include "record/refused.hpp"
#include "record/schema.hpp"
#include "record/table.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace gapless::test {

namespace {

/// A value with a spelling of its own: an even number of letters.
struct even_text
{
    std::string text;

    friend bool operator==(even_text const&, even_text const&) = default;
};

std::string_view text_of(even_text const& even)
{
    return even.text;
}

result<even_text> read_text(std::string_view text, std::type_identity<even_text>)
{
    if (text.size() % 2 != 0)
        return refusal{refusal_kind::out_of_range, std::string{text} + " is odd"};
    return even_text{std::string{text}};
}

enum class colour
{
    red = 1,
    green,
    blue,
};
BOOST_DESCRIBE_ENUM(colour, red, green, blue)

struct parcel
{
    record_id id;
    std::string name;
    quoted<std::int64_t> serial;
    std::optional<std::vector<std::string>> tags;
    colour paint{colour::red};
    std::optional<database_time> sent_at;
    bool open{};
};
GAPLESS_RECORD(
    parcel,
    (),
    (id, "Id of the parcel"),
    (name, "Whose it is"),
    (serial, "Where it stands in its series"),
    (tags, "Null: none"),
    (paint, "What it looks like"),
    (sent_at, "Null: not yet", .in_table = false),
    (open, "Whether it may still be changed")
)

struct new_parcel : parcel
{
    secret key;
    version changes;
};
GAPLESS_RECORD(
    new_parcel,
    (parcel),
    (key, "Opens it; shown once"),
    (changes, "How many there were", .is_column = false)
)

struct label_range
{
    std::string first;
    std::string last;
};
GAPLESS_RECORD(label_range, (), (first, "First label"), (last, "Last label"))

struct parcel_draft
{
    std::string name;
    bounded<0, 365> days;
    bounded<1, 1'000, 100> limit;
    quoted<std::int64_t> serial;
    distinct<even_text> marks;
    std::optional<std::string> reference;
    given<std::optional<quoted<std::int64_t>>> low_water;
    std::optional<colour> paint;
    std::optional<last_moment> until;
    given<bool> open;
    std::optional<first_moment> since;
    if_match version;
    texts_by_name params;
    std::optional<std::vector<label_range>> ranges;
    std::optional<label_range> range;
    std::optional<decimal_digits> count;
    std::optional<written_number> number;
};
GAPLESS_RECORD(
    parcel_draft,
    (),
    (name, "Whose it is", .option = "NAME"),
    (days, "Calendar days"),
    (limit, "Items of a page"),
    (serial, "Where it begins"),
    (marks, "Texts of even length", .option = "--mark"),
    (reference, "Of the client"),
    (low_water, "Null takes it away"),
    (paint, "What it looks like"),
    (until, "Its last day"),
    (open, "Whether it may still be changed"),
    (since, "Its first day"),
    (version, "Which one is meant"),
    (params, "Of the format"),
    (ranges, "Labels"),
    (range, "Labels"),
    (count, "However many"),
    (number, "As it is written")
)

void check(parcel_draft const& draft)
{
    if (draft.reference == draft.name)
        throw wrong(&parcel_draft::reference, "say something else than the name");
}

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

parcel some_parcel()
{
    return {
        .id = {7},
        .name = "Änne \"A\"",
        .serial = 9'007'199'254'740'993,
        .tags = {{"a", "b"}},
        .paint = colour::green,
        .sent_at = the_moment,
        .open = true};
}

std::string json_of(auto const& record)
{
    std::string json;
    append_json(json, record);
    return json;
}

parcel_draft read(std::string_view body)
{
    auto const& type = input_of<parcel_draft>;
    std::vector<raw_value> values(type.fields.size());
    read_object(body, type.fields, values);
    return *std::static_pointer_cast<parcel_draft const>(make_record(type, values, word_for_body));
}

/// "kind: detail" of what is refused; else empty.
std::string refusal_of(std::string_view body)
{
    try
    {
        read(body);
    }
    catch (refused const& no)
    {
        return std::string{name_of(no.why.kind)} + ": " + no.why.detail;
    }
    return {};
}

/// A good body in which one member is another one, or one more.
std::string with(std::string_view member)
{
    auto body = nlohmann::ordered_json::parse(
        R"({"name":"n","days":1,"serial":"5","marks":["aa"],"reference":null})"
    );
    body.update(nlohmann::ordered_json::parse("{" + std::string{member} + "}"));
    return body.dump();
}

}  // namespace

TEST_SUITE("record/record")
{
    TEST_CASE("a record is written in the order in which its fields are listed")
    {
        CHECK(
            json_of(some_parcel()) ==
            R"({"id":"7","name":"Änne \"A\"","serial":"9007199254740993","tags":["a","b"],)"
            R"("paint":"green","sent_at":"2026-11-20T22:05:11.123456Z","open":true})"
        );
        CHECK(
            json_of(parcel{}) ==
            R"({"id":"0","name":"","serial":"0","tags":null,"paint":"red","sent_at":null,)"
            R"("open":false})"
        );
        CHECK(json_of(std::vector<std::string>{}) == "[]");
    }

    TEST_CASE("a record has the fields of its base first, and an empty secret is left out")
    {
        new_parcel made{some_parcel(), {"k3y"}};
        CHECK(json_of(made).ends_with(R"("open":true,"key":"k3y"})"));
        leave_out_secrets(made);
        CHECK(json_of(made) == json_of(some_parcel()));
        static_assert(has_secret<new_parcel> && !has_secret<parcel> && !has_secret<int>);
        static_assert(has_version<new_parcel> && !has_version<parcel>);
    }

    TEST_CASE("a body is read into the fields that it names, the others keep what they are")
    {
        auto const draft =
            read(R"({"marks":["bb","aa","bb"],"serial":9007199254740991,"days":365,"name":"n",)"
                 R"("paint":"blue","until":"2026-12-31","low_water":null})");
        CHECK(draft.name == "n");
        CHECK(draft.days == 365);
        CHECK(draft.limit == 100);
        CHECK(draft.serial == 9'007'199'254'740'991);
        CHECK(draft.marks == distinct<even_text>{{"bb"}, {"aa"}});
        CHECK_FALSE(draft.reference);
        CHECK(draft.low_water.present);
        CHECK_FALSE(draft.low_water.value);
        CHECK(draft.paint == colour::blue);
        CHECK(draft.until->text == "2026-12-31");

        auto const other = read(with(R"("low_water":"12")"));
        CHECK(*other.low_water.value == 12);
        CHECK_FALSE(read(with("")).low_water.present);
        CHECK(read(with(R"("serial":-0)")).serial == 0);
    }

    TEST_CASE("days and moments are kept as they are written, within the years of the calendar")
    {
        auto const draft = read(with(R"("since":"2026-11-01","until":"2026-11-01")"));
        CHECK(draft.since->text == "2026-11-01");
        CHECK(draft.until->text == "2026-11-01");
        auto const moment = read(with(R"("since":"2026-11-01T12:00:00+01:00")"));
        CHECK(moment.since->text == "2026-11-01T11:00:00.000000Z");
        for (std::string_view const field : {"since", "until"})
            for (std::string_view const text : {"0000-12-31", "9999-12-31T23:30:00-01:00"})
                CHECK(
                    refusal_of(with('"' + std::string{field} + R"(":")" + std::string{text} + '"')
                    ) == "out-of-range: a moment has to be within the years 0001 to 9999, in UTC"
                );
    }

    TEST_CASE("what cannot be read is refused in words that name the field")
    {
        auto const no = [](std::string_view body, std::string_view why) {
            CAPTURE(body);
            CHECK(refusal_of(body) == "malformed-request: " + std::string{why});
        };
        no("[]", "The body has to be a JSON object, not a list.");
        no("7", "The body has to be a JSON object, not a number.");
        no(R"("{}")", "The body has to be a JSON object, not a string.");
        no(R"({"name":"a","name":"a"})", R"(The field "name" is given twice.)");
        no("{}", R"(The field "name" is missing.)");
        no(with(R"("name":null)"), R"(The field "name" is missing.)");
        no(with(R"("name":7)"), R"(The field "name" has to be a string, not a number.)");
        no(with(R"("name":{})"), R"(The field "name" has to be a string, not an object.)");
        no(with(R"("name":"a\u0007")"), R"(The field "name" holds a control character.)");
        no(with(R"("days":"7")"), R"(The field "days" has to be an integer, not a string.)");
        no(with(R"("days":7.5)"),
           R"(The field "days" has to be an integer, not a number with a fraction or an exponent.)"
        );
        no(R"({"days":99999999999999999999})",
           R"(The field "days" has to be an integer, not one of so many digits.)");
        no(with(R"("days":null)"), R"(The field "days" is missing.)");
        no(with(R"("serial":-1)"),
           R"(The field "serial" has to be an integer, or its decimal digits in a string, not a )"
           R"(negative number.)");
        no(with(R"("serial":"07")"),
           R"(The field "serial" has to be an integer, or its decimal digits in a string.)");
        no(with(R"("serial":9007199254740993)"),
           R"(The field "serial" is 9007199254740993: an integer above 9007199254740991 is )"
           R"(rounded by many programs before it is sent; write the digits in a string.)");
        no(with(R"("marks":"aa")"),
           R"(The field "marks" has to be a list of strings, not a string.)");
        no(with(R"("marks":[["aa"]])"), R"(The field "marks" has to be a list of strings.)");
        no(with(R"("low_water":true)"),
           R"(The field "low_water" has to be an integer from 0, its decimal digits in a string, )"
           R"(or null, not true.)");
        no(with(R"("until":"soon")"),
           R"(The field "until" has to be a date (2026-12-31) or an RFC 3339 moment.)");
    }

    TEST_CASE("a body that is no JSON is refused with the slip that it has")
    {
        using namespace std::string_literals;
        constexpr std::string_view cannot{"The body is not JSON: it cannot be read at byte "};
        constexpr std::string_view utf_16{"The body is UTF-16 or UTF-32: JSON is sent in UTF-8."};
        constexpr std::string_view no_object{": a JSON object begins with {."};
        constexpr std::string_view unquoted{
            ": names and strings stand in double quotes; true, false and null are written small."};
        constexpr std::string_view quotes{R"(: names and strings stand in double quotes (").)"};
        constexpr std::string_view behind{": something follows after its end."};
        struct
        {
            std::string body, at;
            std::string_view why;
        } const slips[]{
            {"", "", "The body is not JSON: it is empty."},
            {R"({"name":"a)", "", "The body is not JSON: it ends too early."},
            {"\xef\xbb\xbf{}",
             "",
             "The body begins with a byte order mark: send UTF-8 without one."},
            {"\x1f\x8b\x08\0"s, "", "The body is compressed (gzip): send it uncompressed."},
            {"\xff\xfe{\0}\0"s, "", utf_16},
            {"\0{\0}"s, "", utf_16},
            {"{\0}\0"s, "", utf_16},
            {"{\"a\":1}\0"s, "", "The body holds a NUL byte."},
            {"{\"name\":\"M\xfcller\"}",
             "",
             "The body is not UTF-8, as JSON has to be; Latin-1 or Windows-1252? It cannot be read "
             "at "
             "byte 11."},
            {"count=1", "1", no_object},
            {"<a/>", "1", no_object},
            {"{'name':1}", "2", quotes},
            {"{“name”:1}", "2", quotes},
            {"{days:1}", "2", unquoted},
            {R"({"name":None})", "9", unquoted},
            {R"({"days":1,})", "11", ": the comma before it is one too many."},
            {R"({"days":1 // one)", "11", ": JSON has no comments."},
            {"{\"name\":\"a\nb\"}",
             "11",
             R"(: in a string, a line break is written \n, a tab \t.)"},
            {R"({"name":"C:\d"})", "13", R"(: in a string, a backslash is written \\.)"},
            {R"({"name":"\ud800"})",
             "16",
             R"(: \ud800 to \udfff stand in pairs, as in \ud83d\ude00.)"},
            {R"({"days":1}{})", "11", behind},
            {R"({"days":01})", "10", ": a number has no plus sign and no zero in front."},
            {R"({"days":1;})", "10", "."},
        };
        for (auto const& [body, at, why] : slips)
        {
            CAPTURE(body);
            std::string const begin{at.empty() ? "" : cannot};
            CHECK(refusal_of(body) == "malformed-request: " + begin + at + std::string{why});
        }
    }

    TEST_CASE("an unknown field is told which there are, and how a list of objects looks")
    {
        std::string const why{refusal_of(R"({"colour":"red"})")};
        CHECK(why.starts_with(
            R"(malformed-request: The field "colour" is unknown: this body takes name, )"
        ));
        CHECK(why.find(R"(, ranges (a list of {"first","last"}, both strings), )") != why.npos);
        CHECK(why.find("version") == why.npos);
    }

    TEST_CASE("objects and lists of them are read into records of texts")
    {
        auto const draft =
            read(with(R"("params":{"b":"2","":"1"},"range":{"last":"9","first":"8"},)"
                      R"("ranges":[{"first":"1","last":"2"},{"last":"4","first":"3"}],)"
                      R"("count":"123456789012345678901234567890","number":"490 1")"));
        CHECK(draft.params == texts_by_name{{"b", "2"}, {"", "1"}});
        CHECK(json_of(draft.params) == R"({"":"1","b":"2"})");
        REQUIRE(draft.ranges->size() == 2);
        CHECK(draft.ranges->at(1).first == "3");
        CHECK(draft.range->last == "9");
        CHECK(draft.count->digits == "123456789012345678901234567890");
        CHECK(draft.number->text == "490 1");
        CHECK(read(with(R"("count":7,"number":7,"params":null)")).number->text == "7");
        CHECK(read(with(R"("params":{"a":12})")).params == texts_by_name{{"a", "12"}});

        auto const no = [](std::string_view member, std::string_view why) {
            CAPTURE(member);
            CHECK(refusal_of(with(member)) == "malformed-request: The field " + std::string{why});
        };
        for (std::string_view const value :
             {R"({"a":-1})", R"({"a":1.5})", R"({"a":null})", R"({"a":{}})", R"({"a":[]})"})
            no(R"("params":)" + std::string{value}, R"("params" has to be an object of strings.)");
        no(R"("params":[])", R"("params" has to be an object of strings, not a list.)");
        no(R"("ranges":{})",
           R"("ranges" has to be a list of {"first","last"}, both strings, not an object.)");
        no(R"("ranges":["1"])", R"("ranges" has to be a list of {"first","last"}, both strings.)");
        no(R"("ranges":[{"first":"1"}])", R"("ranges" has a range without "last".)");
        no(R"("ranges":[{"first":"1","last":"2","count":"2"}])",
           R"("ranges" holds ranges with "first" and "last" only.)");
        CHECK(
            refusal_of(R"({"params":{"a":"","a":""}})") ==
            R"(malformed-request: The field "params" has a key twice.)"
        );
        std::string many;
        for (int n = 0; n < 65; ++n)
            many += (n == 0 ? "\"" : ",\"") + std::to_string(n) + R"(":"")";
        CHECK(
            refusal_of(R"({"params":{)" + many + "}}") ==
            R"(malformed-request: The field "params" has too many keys.)"
        );
        CHECK(
            refusal_of(R"({"ranges":[{"first":"1","first":"1"}]})") ==
            R"(malformed-request: The field "ranges" has a key twice.)"
        );
        for (std::string_view const value : {"-1", "\"-1\"", "\"01\"", "\"\"", "1.0", "true", "{}"})
            CHECK_FALSE(refusal_of(with(R"("count":)" + std::string{value})).empty());
        no(R"("number":-1)",
           R"("number" has to be a string, or an integer from 0, not a negative number.)");
    }

    TEST_CASE("a version comes from the header alone")
    {
        CHECK(refusal_of(with(R"("version":"1")"))
                  .starts_with(R"(malformed-request: The field "version" is unknown: )"));
        CHECK(to_if_match("\"7\"").version == 7);
        CHECK_FALSE(to_if_match("*").version);
        for (auto const* header : {"7", "", "\"", "\"7\",\"8\"", "W/7"})
            CHECK_THROWS_WITH(
                to_if_match(header),
                R"(If-Match has to be one ETag in its quotes, such as "7", or *.)"
            );
        for (auto const* header : {"W/\"7\"", "\"\"", "\"7a\"", "\"9999999999\""})
            CHECK_THROWS_WITH(
                to_if_match(header),
                "If-Match names no version this record ever had: send the ETag of GET as it is."
            );
    }

    TEST_CASE("what is not exactly one JSON object is refused")
    {
        using namespace std::string_view_literals;
        for (auto const body :
             {" "sv,
              "{"sv,
              "}"sv,
              "{}{}"sv,
              "{} x"sv,
              "{},"sv,
              "[{}]"sv,
              "\"a\""sv,
              "null"sv,
              "true"sv,
              "{\"name\"}"sv,
              "{\"name\":\"a\",}"sv,
              "{name:\"a\"}"sv,
              "{'name':'a'}"sv,
              "{/**/}"sv,
              "//\n{}"sv,
              "{}\0"sv,
              "{}\0{}"sv,
              "\0{}"sv,
              "{\"name\":\"\xff\"}"sv,
              "{\"name\":\"\xc0\x80\"}"sv,
              "{\"name\":\"\xed\xa0\x80\"}"sv,
              "{\"name\":\"\xf4\x90\x80\x80\"}"sv,
              "{\"name\":\"\\ud800\"}"sv,
              "{\"name\":\"\\udc00\\ud800\"}"sv,
              "{\"name\":\"\n\"}"sv,
              "{\"days\":NaN}"sv,
              "{\"days\":01}"sv,
              "{\"days\":+1}"sv,
              "{\"days\":1.}"sv,
              "{\"open\":True}"sv,
              "\xff\xfe{\0}\0"sv})
        {
            CAPTURE(body);
            CHECK(refusal_of(body).starts_with("malformed-request: The body "));
        }
        CHECK(refusal_of(std::string(100'000, '[')) != "");
        std::string nested;
        for (int depth = 0; depth < 50'000; ++depth)
            nested += R"({"params":)";
        CHECK(refusal_of(nested) != "");
    }

    TEST_CASE("a text holds no control characters")
    {
        for (std::string_view const text :
             {"\\u0000", "\\n", "\\u001f", "\\u007f", "\\u0080", "\\u009f"})
            CHECK(
                refusal_of(with(R"("name":"a)" + std::string{text} + '"')) ==
                R"(malformed-request: The field "name" holds a control character.)"
            );
        CHECK(refusal_of("{\"name\":\"\\u00a0 ~\"}").ends_with("is missing."));
    }

    TEST_CASE("what is beyond its limits is refused, by the field's type or by the record's check")
    {
        auto const no = [](std::string_view body, std::string_view why) {
            CAPTURE(body);
            CHECK(refusal_of(body) == "out-of-range: " + std::string{why});
        };
        no(with(R"("days":366)"), R"(The field "days" has to be 0 to 365.)");
        no(with(R"("days":-1)"), R"(The field "days" has to be 0 to 365.)");
        no(with(R"("marks":["aa","b"])"), R"(The field "marks": b is odd.)");
        no(with(R"("open":null)"),
           R"(The field "open" cannot be removed: leave it out to keep it as it is.)");
        no(with(R"("paint":"black")"), R"(The field "paint" has to be red, green or blue.)");
        no(with(R"("reference":"n")"),
           R"(The field "reference": say something else than the name.)");
    }

    TEST_CASE("the texts of a query are read by the same types")
    {
        auto const& type = input_of<parcel_draft>;
        std::vector<raw_value> values(type.fields.size());
        values[0] = "n";
        values[1] = "12";
        values[3] = "4";
        values[4] = std::vector<std::string>{"aa"};
        auto const made = make_record(type, values, word_for_query);
        CHECK(std::static_pointer_cast<parcel_draft const>(made)->days == 12);
        auto const why_not = [&](std::string const& days) {
            values[1] = days;
            return result_of([&] { return make_record(type, values, word_for_query); }).error();
        };
        for (std::string const days : {"1x", "-", "--1", "-1x", "+1", "1.5", ""})
            CHECK(why_not(days).detail == "The query parameter days has to be an integer.");
        for (std::string const days : {"-1", "366", "-99999999999999999999"})
        {
            CHECK(why_not(days).kind == refusal_kind::out_of_range);
            CHECK(why_not(days).detail == "The query parameter days has to be 0 to 365.");
        }
    }

    TEST_CASE("columns and schema follow from the same list")
    {
        auto const& columns = columns_of<new_parcel>;
        REQUIRE(columns.size() == 8);
        CHECK(std::string{columns[0].key} == "id");
        CHECK(columns[0].number);
        CHECK_FALSE(columns[1].number);
        CHECK_FALSE(columns[5].in_table);
        CHECK(std::string{columns[7].key} == "key");

        std::string text;
        append_object_schema(text, input_of<parcel_draft>.fields);
        auto const schema = nlohmann::json::parse(text);
        CHECK(schema["required"].dump() == R"(["name","days","serial","marks"])");
        CHECK(
            schema["properties"]["limit"].dump() ==
            R"({"default":100,"description":"Items of a page","maximum":1000,"minimum":1,)"
            R"("type":"integer"})"
        );
        CHECK(schema["properties"]["until"]["type"].dump() == R"(["string","null"])");
    }

    TEST_CASE("some of the columns can be chosen, in any order")
    {
        constexpr auto chosen = chosen_columns<&new_parcel::key, &new_parcel::serial>;
        REQUIRE(chosen.size() == 2);
        CHECK(std::string{chosen[0].key} == "key");
        CHECK(std::string{chosen[1].key} == "serial");
        CHECK(chosen[1].number);
    }

    TEST_CASE("a member knows its name")
    {
        static_assert(name_of(&parcel_draft::reference) == "reference");
        static_assert(name_of(&parcel::tags) == "tags");
    }

    TEST_CASE("integers know their bounds")
    {
        static_assert(bounds_of<std::optional<bounded<0, 365>>>.most == 365);
        static_assert(bounds_of<record_id>.least == 1);
        CHECK(input_of<parcel_draft>.fields[2].bounds.most == 1'000);
    }
}

}  // namespace gapless::test
