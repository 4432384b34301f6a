#include "harness/database.hpp"
#include "harness/json_value.hpp"
#include "notices/notice.hpp"
#include "postgres/run_operation.hpp"
#include "postgres/transaction.hpp"
#include "webhooks/operations.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::webhooks::test {

namespace {

using gapless::test::json_value;
using texts = std::vector<std::string>;

constexpr auto receiver = "https://receiver.invalid/in";

/// A database with the series s. Operations run as they do in the service, for cli:anna.
struct webhook_bench : gapless::test::database
{
    webhook_bench()
    {
        create_series("s", {{100, 199}});
        gapless::test::database::run("set timezone = 'UTC'; set datestyle = 'ISO, YMD'");
    }

    /// Runs the operation of that method and path. Throws refused for an input that cannot be read.
    result<answered> run(http_method method, std::string_view path, std::vector<raw_value> values)
    {
        auto const wanted =
            std::ranges::find_if(administration.operations, [&](operation const& each) {
                return each.method == method && each.path == path;
            });
        REQUIRE(wanted != administration.operations.end());
        run_operation const runs{&*wanted, make_record(*wanted->input, values, word_for_body)};
        return run_serializable(connection(), {}, [&](pqxx::transaction_base& transaction) {
            return runs.run(transaction, "cli:anna");
        });
    }

    result<answered> create(raw_value kinds = {}, raw_value series = {}, raw_value to = receiver)
    {
        return run(http_method::post, "/v1/webhooks", {to, kinds, series, {}});
    }

    result<answered> create_with(raw_value authorization)
    {
        return run(http_method::post, "/v1/webhooks", {receiver, {}, {}, authorization});
    }

    result<answered> list(std::string const& after, std::string const& limit)
    {
        return run(http_method::get, "/v1/webhooks", {after, limit});
    }

    /// What is done to a webhook: "rotate", "retry", "test".
    result<answered> act(std::string const& what, std::string const& id)
    {
        if (what == "retry")
            return retry(id, {});
        return run(http_method::post, "/v1/webhooks/{id}/" + what, {id});
    }

    result<answered> retry(std::string const& id, raw_value after)
    {
        return run(http_method::post, "/v1/webhooks/{id}/retry", {id, after});
    }

    result<answered> show(std::string const& id)
    {
        return run(http_method::get, "/v1/webhooks/{id}", {id});
    }

    result<answered> remove(std::string const& id)
    {
        return run(http_method::delete_, "/v1/webhooks/{id}", {id});
    }
};

json_value json_of(result<answered> const& made)
{
    REQUIRE(made.has_value());
    return json_value::parse(made->json);
}

std::string outcome(result<answered> const& made)
{
    return made.has_error() ? std::string{name_of(made.error().kind)} : "done";
}

}  // namespace

TEST_SUITE("webhooks/webhooks_database")
{
    TEST_CASE_FIXTURE(
        webhook_bench, "a webhook is for everything unless kinds and series are named"
    )
    {
        auto const made = create();
        auto const plain = json_of(made);
        CHECK(plain["id"] == made->id);
        CHECK(plain["url"] == receiver);
        for (std::string const null :
             {"kinds",
              "series",
              "last_error",
              "next_attempt_at",
              "last_delivered_at",
              "old_secret_until"})
        {
            CAPTURE(null);
            CHECK(plain[null] == nullptr);
        }
        CHECK(plain["state"] == "active");
        CHECK(plain["after"] == "0");
        CHECK(plain["pending"] == "0");
        CHECK(plain["created_by"] == "cli:anna");

        auto const picky = json_of(create(
            texts{"series.low", "block.opened", "series.low"},
            texts{"s", "s"},
            "HTTPS://Receiver.invalid:8443/in?a=1"
        ));
        CHECK(picky["url"] == "https://receiver.invalid:8443/in?a=1");
        CHECK(picky["kinds"].dump() == R"(["series.low","block.opened"])");
        CHECK(picky["series"].dump() == R"(["s"])");
    }

    TEST_CASE_FIXTURE(webhook_bench, "a secret is in no answer but the one that made it")
    {
        auto const made = create();
        auto const secret = json_of(made)["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        CHECK(secret.size() == 6 + 44);
        CHECK(json_value::parse(made->kept)["id"] == made->id);
        auto const rotated = act("rotate", made->id);
        CHECK(json_of(rotated)["secret"] != secret);
        CHECK(json_of(rotated)["old_secret_until"] != nullptr);
        for (auto const& text :
             {made->kept,
              rotated->kept,
              show(made->id)->json,
              list("0", "9")->json,
              act("retry", made->id)->json,
              remove(made->id)->json})
        {
            CHECK(text.find(made->id) != std::string::npos);
            CHECK(text.find("secret\":") == std::string::npos);
            CHECK(text.find("whsec_") == std::string::npos);
        }
    }

    TEST_CASE_FIXTURE(webhook_bench, "an authorization is kept to be sent, and in no answer")
    {
        auto const made = create_with("Bearer s3cr3t");
        CHECK(outcome(made) == "done");
        CHECK(
            gapless::test::database::run("select credentials from gapless.webhook") ==
            "Bearer s3cr3t"
        );
        for (auto const& text : {made->json, made->kept, show(made->id)->json})
            CHECK(text.find("s3cr3t") == std::string::npos);
        for (std::string const odd : {"", " a", "a\r\nb", "a\u00e4"})
            CHECK_THROWS_AS(create_with(odd), refused);
        CHECK_THROWS_WITH_AS(
            create_with(std::string(1'001, 'a')),
            "The field \"authorization\": it has to be 1 to 1000 visible characters of ASCII, with "
            "blanks inside only.",
            refused
        );
        CHECK(outcome(create_with(std::string(1'000, 'a'))) == "done");
    }

    TEST_CASE_FIXTURE(webhook_bench, "a retry skips up to a seq, to none that is not there yet")
    {
        auto const id = create()->id;
        gapless::test::database::run("select gapless.notices_publish()");
        CHECK(json_of(retry(id, nullptr))["pending"] == "1");
        CHECK(outcome(retry(id, "2")) == "out-of-range");
        auto const skipped = json_of(retry(id, "1"));
        CHECK(skipped["after"] == "1");
        CHECK(skipped["pending"] == "0");
        CHECK(json_of(retry(id, "0"))["after"] == "1");
        CHECK_THROWS_AS(retry(id, "-1"), refused);
        CHECK_THROWS_AS(retry(id, "x"), refused);
    }

    TEST_CASE_FIXTURE(webhook_bench, "webhooks are listed by id, in pages")
    {
        CHECK(list("0", "1")->json == R"({"items":[],"next":null})");
        auto const first = create()->id;
        auto const second = create()->id;
        auto const page = json_of(list("0", "1"));
        REQUIRE(page["items"].size() == 1);
        CHECK(page["items"][0]["id"] == first);
        CHECK(page["next"] == first);
        auto const rest = json_of(list(first, "1"));
        CHECK(rest["items"][0]["id"] == second);
        CHECK(rest["next"] == nullptr);
        CHECK(json_of(list("9223372036854775807", "1"))["items"].empty());
        auto const every = run_read(connection(), [](pqxx::transaction_base& transaction) {
            return read_all(transaction);
        });
        CHECK(every->size() == 2);
    }

    TEST_CASE_FIXTURE(webhook_bench, "a webhook is deleted once, and answered as it was")
    {
        auto const id = create()->id;
        for (std::string const what : {"retry", "test", "rotate"})
            CHECK(outcome(act(what, id)) == "done");
        CHECK(json_of(remove(id))["url"] == receiver);
        CHECK(outcome(remove(id)) == "not-found");
        CHECK(outcome(show(id)) == "not-found");
        for (std::string const what : {"retry", "test", "rotate"})
            CHECK(outcome(act(what, id)) == "not-found");
    }

    TEST_CASE_FIXTURE(webhook_bench, "what a webhook cannot be is refused, and says the field")
    {
        auto const no = [&](raw_value to, raw_value kinds, raw_value series, std::string why) {
            CHECK_THROWS_WITH_AS(create(kinds, series, to), why.c_str(), refused);
        };
        no({}, {}, {}, R"(The field "url" is missing.)");
        no(nullptr, {}, {}, R"(The field "url" is missing.)");
        no(receiver,
           texts{},
           {},
           R"(The field "kinds": must not be empty; omit it to receive every kind.)");
        no(receiver,
           texts{"series.high"},
           {},
           R"(The field "kinds": )" + unknown_notice_kind("series.high") + '.');
        no(receiver,
           texts{"webhook.test"},
           {},
           R"(The field "kinds": )" + unknown_notice_kind("webhook.test") + '.');
        no(receiver,
           {},
           texts{},
           R"(The field "series": must not be empty; omit it to receive all series.)");
        for (std::string const to : {"", "a.example", "ftp://a.example/", "https://u:p@a.example/"})
            CHECK_THROWS_AS(create({}, {}, to), refused);
        CHECK(outcome(create({}, texts{"missing"})) == "unknown-series");
        CHECK(json_of(list("0", "1"))["items"].empty());
    }

    TEST_CASE_FIXTURE(
        webhook_bench, "one person's tokens have a share of the webhooks, roles have none"
    )
    {
        auto const sql = [this](std::string const& text) {
            return gapless::test::database::run(text);
        };
        std::string const shown{
            "select set_config('gapless.token_hash', encode(sha256('x'), 'hex'), true), "
            "set_config('gapless.token_id', '"};
        std::string const token{"select gapless.token_create('shop', sha256('x'), '{admin}', null, "
                                "null, 'anna')"};
        std::string const more{
            "select count(*) from generate_series(1, 50) n, "
            "gapless.webhook_create('https://a.example/' || n, null, null, null, 'x')"};
        auto const as = [&](std::string const& id, std::string const& text) {
            return sql(shown + id + "', true); " + text);
        };
        CHECK(sql(token) == "1");
        CHECK(as("1", token) == "2");
        CHECK(as("1", more) == "50");
        CHECK(as("2", more) == "50");
        for (std::string const id : {"1", "2"})
            CHECK(as(id, more) == "refused: out-of-range");
        CHECK(
            sql("select gapless.token_create('stall', sha256('x'), '{admin}', null, null, 'b')") ==
            "3"
        );
        CHECK(as("3", more) == "50");
        CHECK(sql(more) == "50");
        CHECK(sql(more) == "50");
        CHECK(sql(more) == "50");
        sql("select gapless.webhook_delete(1, 'anna')");
        CHECK(
            as("1",
               "select from gapless.webhook_create('https://a.example/', null, null, null, 'x')") ==
            ""
        );
    }
}

}  // namespace gapless::webhooks::test
