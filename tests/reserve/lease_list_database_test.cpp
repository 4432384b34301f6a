#include "harness/json_value.hpp"
#include "harness/leasing.hpp"
#include "postgres/run_operation.hpp"
#include "series/operations.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_list_database")
{
    TEST_CASE_FIXTURE(leasing, "leases are listed by age, of a series and in pages")
    {
        create_series("t", {{900, 999}}, "other");
        take(20);
        auto const first = lease;
        lease = make_lease_id();
        take(10);
        auto const read_all = [&](std::optional<std::string> const& of) {
            return done([&](auto& transaction) { return leases::read_all(transaction, of); });
        };
        auto const all = read_all(std::nullopt);
        REQUIRE(all.size() == 2);
        CHECK(all[0].lease == to_text(first));
        CHECK(all[0].first == "100");
        CHECK(all[0].last == "119");
        CHECK(all[0].host == "packing-1");
        CHECK(all[0].instance == to_text(instance));
        CHECK(all[0].series == "s");
        CHECK_FALSE(all[0].overdue);
        CHECK(all[0].draw_until > all[0].granted_at + 7h);
        CHECK(all[0].contact >= all[0].granted_at - 1min);
        CHECK(all[1].lease == to_text(lease));
        CHECK(read_all("s").size() == 2);
        CHECK(read_all("t").empty());
        auto const page = [&](std::string const& after) {
            std::vector<raw_value> values{"s", after, "1"};
            auto const& list = leases::administration.operations[0];
            run_operation const runs{&list, make_record(*list.input, values, word_for_query)};
            return json_value::parse(done([&](auto& transaction) { return runs.run(transaction); }
            ).json);
        };
        auto const one = page("0");
        CHECK(one["items"].size() == 1);
        CHECK(one["items"][0]["lease"] == to_text(first));
        auto const other = page(one["next"].text());
        CHECK(other["items"][0]["lease"] == to_text(lease));
        CHECK(other["next"] == nullptr);
        auto const known =
            done([](auto& transaction) { return series::read_known(transaction, "s"); }).at(0);
        CHECK(known.on_lease == 30);
        CHECK(known.overdue == 0);
    }

    TEST_CASE_FIXTURE(leasing, "a lease is recalled by an operator, once")
    {
        take(20);
        auto const recall = [&](lease_id const& which) {
            return tried([&](auto& transaction) {
                return leases::recall(transaction, {.lease = which}, {"me"}).at(0).status;
            });
        };
        CHECK(recall(make_lease_id()).error().kind == refusal_kind::not_found);
        CHECK(recall(lease).value() == lease_status::recalled);
        CHECK(recall(lease).value() == lease_status::recalled);
        CHECK(standing() == "20: 20 held, 0 settled, 0 returned, 0 written off, recalled");
        lease = make_lease_id();
        take(5);
        auto const recall_all = [&](std::optional<std::string> const& of) {
            return done([&](auto& transaction) {
                return leases::recall(transaction, {.all = true, .series = of}, {"me"});
            });
        };
        CHECK(recall_all("s").size() == 2);
        CHECK(standing() == "5: 5 held, 0 settled, 0 returned, 0 written off, recalled");
        CHECK(recall_all(std::nullopt).size() == 2);
    }

    TEST_CASE_FIXTURE(leasing, "a lease is written off when nothing can be drawn from it any more")
    {
        take(20, 1h);
        auto const write_off = [&](std::string const& reason) {
            return tried([&](auto& transaction) {
                return leases::write_off(transaction, {{lease}, reason}, {"me"}).written_off;
            });
        };
        CHECK(write_off("burnt").error().kind == refusal_kind::state_conflict);
        run("update gapless.lease set draw_until = now() - interval '1 second'");
        CHECK(listed().overdue);
        CHECK(
            done([](auto& transaction) { return series::read_known(transaction, "s"); })
                .at(0)
                .overdue == 20
        );
        CHECK(write_off(" ").error().kind == refusal_kind::out_of_range);
        CHECK(write_off("burnt").value() == 20);
        CHECK(write_off("burnt").value() == 20);
        CHECK(standing() == "20: 0 held, 0 settled, 0 returned, 20 written off, lost");
        CHECK(settle({left(7, 1, 'a')}).at(0).outcome == settle_outcome::settled);
        CHECK(standing() == "20: 0 held, 1 settled, 0 returned, 19 written off, lost");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "a drill is for series with a reserve, and ends by itself")
    {
        auto const drill = [&](std::chrono::seconds time) {
            return tried([&](auto& transaction) {
                return leases::drill(transaction, "s", time, "me");
            });
        };
        auto const drills = [&] {
            return done([&](auto& transaction) {
                       return read_wanted_reserves(transaction, at(incarnation));
                   })
                .at(0)
                .drill;
        };
        CHECK(drill(60s).value() > database_time{1'700'000'000s});
        CHECK(drills());
        CHECK(drill(0s).has_value());
        CHECK_FALSE(drills());
        CHECK(drill(601s).error().kind == refusal_kind::out_of_range);
        CHECK(drill(-1s).error().kind == refusal_kind::out_of_range);
        run("select gapless.series_change('s', '{\"reserve_numbers\": null}', null, 'me')");
        CHECK(drill(60s).error().kind == refusal_kind::state_conflict);
        CHECK(
            run("select subject from gapless.audit_log where action = 'lease.drill' limit 1") == "s"
        );
    }
}
