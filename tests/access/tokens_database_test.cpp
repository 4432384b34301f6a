#include "access/token.hpp"
#include "base/moment.hpp"
#include "base/written_value.hpp"
#include "record/read.hpp"

#include <doctest/doctest.h>

namespace gapless::tokens::test {

namespace {

token_draft read(std::string const& body)
{
    auto const& type = input_of<token_draft>;
    std::vector<raw_value> values(type.fields.size());
    read_object(body, type.fields, values);
    return *std::static_pointer_cast<token_draft const>(make_record(type, values, word_for_body));
}

/// A token that reads, and this.
std::string reading(std::string const& more)
{
    return R"({"name":"x","scopes":["read"],)" + more + '}';
}

std::string refusal_of(std::string const& body)
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

}  // namespace

TEST_SUITE("access/tokens_database")
{
    TEST_CASE("a draft says what a token is to allow, each scope and series once")
    {
        auto const draft =
            read(R"({"name":"office","scopes":["read","load","read"],"series":["s","s"],)"
                 R"("expires_at":"2099-12-31","rate":5,"burst":"10","daily_quota":0})");
        CHECK(draft.scopes == distinct<std::string>{"read", "load"});
        CHECK(draft.series == distinct<std::string>{"s"});
        CHECK(draft.expires_at->text == "2099-12-31");
        CHECK(*draft.rate == 5);
        CHECK(*draft.burst == 10);
        CHECK(*draft.daily_quota == 0);
        auto const plain = read(reading(R"("series":null,"expires_at":null,"rate":null)"));
        CHECK_FALSE(plain.series);
        CHECK_FALSE(plain.expires_at);
        CHECK_FALSE(plain.rate);
    }

    TEST_CASE("what a token cannot be is refused, and says the field")
    {
        auto const malformed = [](std::string const& body, std::string const& why) {
            CHECK(refusal_of(body) == "malformed-request: " + why);
        };
        malformed("{}", R"(The field "name" is missing.)");
        malformed(R"({"name":"x","scopes":null})", R"(The field "scopes" is missing.)");
        malformed(
            reading(R"("expires_at":"soon")"),
            R"(The field "expires_at" has to be a date (2026-12-31) or an RFC 3339 moment.)"
        );

        auto const beyond = [](std::string const& body, std::string const& field) {
            CAPTURE(body);
            CHECK(refusal_of(body).starts_with("out-of-range: The field \"" + field + '"'));
        };
        for (auto const& name : {std::string{}, std::string(101, 'x')})
            beyond(R"({"scopes":["read"],"name":")" + name + R"("})", "name");
        CHECK(read(R"({"scopes":["read"],"name":")" + std::string(100, 'x') + R"("})").name[99]);
        for (std::string const unseen : {"\u200b", "x\u00a0", "a\u202eb", "a\u2028b", "a\u00adb"})
            beyond(R"({"scopes":["read"],"name":")" + unseen + R"("})", "name");
        for (std::string const name : {"Kasse 2", "Büro 東京 \\"})
            CHECK(written::is_visible(name));
        beyond(R"({"name":"x","scopes":[]})", "scopes");
        beyond(R"({"name":"x","scopes":["root"]})", "scopes");
        beyond(reading(R"("series":[])"), "series");
        beyond(reading(R"("rate":1000001)"), "rate");
        beyond(reading(R"("rate":"9223372036854775808")"), "rate");
        beyond(reading(R"("rate":5,"burst":0)"), "burst");
        beyond(reading(R"("rate":5,"burst":1000001)"), "burst");
        beyond(reading(R"("burst":5)"), "burst");
        beyond(reading(R"("rate":0,"burst":5)"), "burst");
        beyond(reading(R"("daily_quota":"1000000000001")"), "daily_quota");
        for (std::string const moment : {"9999-12-31T23:30:00-01:00", "0000-12-31"})
            CHECK(
                refusal_of(reading(R"("expires_at":")" + moment + '"')).starts_with("out-of-range")
            );
    }
}

}  // namespace gapless::tokens::test
