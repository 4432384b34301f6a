#include "harness/database.hpp"
#include "harness/json_value.hpp"
#include "postgres/transaction.hpp"
#include "webhooks/delivery_store.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

namespace delivery_store_test {

using namespace gapless;
using test::json_value;

/// A database with a webhook; its owner sends.
struct deliveries : test::database
{
    deliveries()
    {
        run("select from gapless.webhook_create('https://a.example/x', null, null, 'Basic x:y', "
            "'anna')");
    }

    template <class Work>
    auto at_once(Work work)
    {
        return run_read_committed(connection(), std::move(work)).value();
    }

    void publish() { run("select gapless.notices_publish()"); }

    std::vector<delivery> due(std::int32_t due_max = 10, std::vector<std::int32_t> const& busy = {})
    {
        return at_once([&](auto& transaction) {
            return read_due_deliveries(transaction, due_max, busy);
        });
    }

    /// The webhooks whose results were recorded.
    std::vector<std::int32_t> report(std::vector<delivery_report> const& reports)
    {
        return at_once([&](auto& transaction) { return report_deliveries(transaction, reports); });
    }
};

/// The notice in what is sent.
json_value notice_of(delivery const& sent)
{
    return json_value::parse(sent.body)["data"];
}

/// How the delivery of what was due ended.
delivery_report ended(delivery const& was, std::string error = {})
{
    return {
        .webhook_id = was.webhook_id,
        .notice_id = was.notice_id,
        .attempt = was.attempt,
        .error = std::move(error)};
}

TEST_SUITE("webhooks/delivery_store_database")
{
    TEST_CASE_FIXTURE(deliveries, "what is due comes with its notice, its key and what is sent")
    {
        create_series("s", {{100, 199}});
        publish();
        auto const found = due();
        REQUIRE(found.size() == 1);
        auto const& first = found.front();
        CHECK(first.webhook_id == 1);
        CHECK(first.url == "https://a.example/x");
        CHECK(first.authorization == "Basic x:y");
        CHECK(first.attempt == 1);
        CHECK_FALSE(json_value::parse(first.body).contains("missed"));
        REQUIRE(first.keys.size() == 1);
        CHECK(first.keys[0].size() == 32);
        CHECK(first.notice_id.size() == 36);
        auto const notice = notice_of(first);
        CHECK(notice["id"] == first.notice_id);
        CHECK(notice["kind"] == "block.loaded");
        CHECK(notice["seq"] == "1");
        CHECK(notice["series"] == "s");
        CHECK(due(10, {1}).empty());
        CHECK(due(0).empty());
    }

    TEST_CASE_FIXTURE(deliveries, "days are those of the database's time zone")
    {
        run("select gapless.time_zone_set('Etc/GMT-14', 'me'), gapless.notice_add('lease.overdue', "
            "null, null, '{\"contact\": \"2026-12-03T10:00:00.5Z\"}')");
        publish();
        auto const text = notice_of(due().at(0))["text"]["en"].text();
        CHECK(text.find("last contact on 4 December") != text.npos);
    }

    TEST_CASE_FIXTURE(deliveries, "each report is noted as it ended")
    {
        for (std::string const url : {"https://b.example/", "https://c.example/"})
            run("select from gapless.webhook_create('" + url + "', null, null, null, 'anna')");
        create_series("s", {{100, 199}, {300, 399}});
        publish();
        auto const first = due();
        REQUIRE(first.size() == 3);
        auto failed = ended(first[1], "it answered 500, \"{x}\"");
        failed.pause_seconds = 600;
        auto gone = ended(first[2], "it answered 410");
        gone.gone = true;
        report({gone, ended(first[0]), failed});
        CHECK(
            run("select string_agg(concat_ws('|', state, last_error, pending, date_trunc('minute', "
                "next_attempt_at - now() + interval '1 s')), ' ' order by webhook_id) "
                "from gapless.webhook_page()") ==
            "active|1|00:00:00 failing|it answered 500, \"{x}\"|2|00:10:00 dead|it answered 410|2"
        );
        auto const second = due();
        REQUIRE(second.size() == 1);
        CHECK(notice_of(second[0])["seq"] == "2");
        // Its next attempt was settled while the clock was ahead.
        run("update gapless.webhook set next_attempt_at = now() + interval '1 year', "
            "first_failed_at = now() + interval '1 year' where webhook_id = 2");
        CHECK(due().size() == 2);
        run("select gapless.webhook_retry(2, null, 'anna'), gapless.notices_expire('0 s', 1)");
        CHECK(json_value::parse(due().at(1).body).contains("missed"));
    }

    TEST_CASE_FIXTURE(deliveries, "a webhook that is locked keeps no other from being recorded")
    {
        auto const create = "select from gapless.webhook_create('https://b.example/', null, null, "
                            "null, 'anna')";
        run(create);
        run(create);
        create_series("s", {{100, 199}, {300, 399}});
        publish();
        auto const first = due();
        REQUIRE(first.size() == 3);
        using ids = std::vector<std::int32_t>;
        pqxx::connection other{url()};
        pqxx::work open{other};
        open.exec("select gapless.webhook_retry(1, null, 'bob'), gapless.webhook_delete(3, 'bob')");
        open.exec(create);
        run("set lock_timeout = '100ms'");
        CHECK(report({ended(first[0]), ended(first[1]), ended(first[2])}) == ids{2});
        auto const second = due(10, {1, 3});
        REQUIRE(second.size() == 1);
        CHECK(second[0].webhook_id == 2);
        CHECK(notice_of(second[0])["seq"] == "2");
        open.commit();
        // The retry left the cursor where it was; the result of a deleted webhook is done with.
        CHECK(report({ended(first[0]), ended(first[2])}) == ids{1, 3});
        CHECK(notice_of(due(10, {2}).at(0))["seq"] == "2");
        CHECK(report({ended(first[0])}) == ids{1});  // said twice, it moves nothing
        CHECK(notice_of(due(10, {2}).at(0))["seq"] == "2");
    }

    TEST_CASE_FIXTURE(deliveries, "after a rotation two keys sign, the newest first")
    {
        run("select gapless.webhook_test(1, 'anna')");
        auto const before = due().at(0).keys;
        run("select gapless.webhook_rotate(1, 'anna')");
        auto const after = due().at(0).keys;
        REQUIRE(after.size() == 2);
        CHECK(after[1] == before[0]);
        CHECK(after[0] != before[0]);
        CHECK(after[0].size() == 32);
    }

    TEST_CASE_FIXTURE(deliveries, "a test is a delivery of its own, without a number")
    {
        run("select gapless.webhook_test(1, 'anna')");
        auto const found = due();
        REQUIRE(found.size() == 1);
        auto const notice = notice_of(found[0]);
        CHECK(notice["kind"] == "webhook.test");
        CHECK(notice["seq"].is_null());
        CHECK(notice["series"].is_null());
        auto const outcome = "select state, test_status, tested_at is not null, last_error "
                             "from gapless.webhook_page()";
        CHECK(run(outcome) == "active|null|f|null");
        auto failed = ended(found[0], "it answered 418");
        failed.status = 418;
        report({failed});
        CHECK(due().empty());
        CHECK(run(outcome) == "active|418|t|it answered 418");
        run("select gapless.webhook_test(1, 'anna')");
        report({ended(due().at(0), "it has no address")});
        CHECK(run(outcome) == "active|null|t|it has no address");
    }
}

}  // namespace delivery_store_test
