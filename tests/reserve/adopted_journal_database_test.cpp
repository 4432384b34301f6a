#include "harness/leasing.hpp"
#include "issuing/journal.hpp"
#include "postgres/epoch_record.hpp"
#include "reserve/adopted_journal.hpp"
#include "reserve/leases.hpp"

namespace adopted_journal_test {

using namespace gapless;
using namespace gapless::test;

/// A journal that a process has left, with answers from its leases.
struct left_behind : leasing
{
    left_behind()
    {
        incarnation = claim(0, make_lease_id()).incarnation;
        append(encode(lease_note::claiming{make_lease_id(), secret}));
        append(encode(lease_note::claimed{incarnation}));
    }

    void append(std::string const& record) { file->append(record); }

    /// Takes numbers of a series; then answers are from there.
    lease_id take_from(std::int32_t series_id)
    {
        lease = make_lease_id();
        series = series_id;
        file->make_room(2'000);
        append(encode(lease_note::intent{lease, series, 10}));
        append(encode(lease_note::granted{take(10)}));
        return lease;
    }

    void answer(lease_id const& from, std::int64_t ordinal)
    {
        ++sequence;
        append(encode(
            lease_note::left{from, left(ordinal, 1, static_cast<unsigned char>(sequence))}, sequence
        ));
    }

    adopted_journal adopted()
    {
        auto const path = file->file();
        file->flush();
        file.reset();
        return adopted_journal{lease_journal::open(path)};
    }

    new_folder folder;
    std::unique_ptr<lease_journal> file{lease_journal::create(folder.path, "db-1", instance)};
    std::uint64_t sequence{};
};

TEST_SUITE("reserve/adopted_journal_database")
{
    TEST_CASE_FIXTURE(left_behind, "answers of several leases are settled in a transaction a lease")
    {
        auto const first = take_from(series);
        auto const other = take_from(create_series("t", {{1'000, 1'999}}));
        for (std::int64_t n = 1; n <= 10; ++n)
        {
            answer(first, n);
            answer(other, n);
        }
        auto left = adopted();
        auto const end = left.go_on(connection(), nullptr).value();
        CHECK(end.settled == 20);
        CHECK(end.done);
        CHECK(left.is_settled());
        CHECK(
            run("select count(*), count(distinct xmin::text) from gapless.lease_record") == "20|2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(left_behind, "a locked series keeps no other lease from being settled")
    {
        auto const first = take_from(series);
        auto const locked_series = std::to_string(series);
        auto const other = take_from(create_series("t", {{1'000, 1'999}}));
        for (std::int64_t n = 1; n <= 3; ++n)
        {
            answer(first, n);
            answer(other, n);
        }
        auto left = adopted();
        {
            open_transaction const locked{
                url(),
                "select from gapless.counter where series_id = " + locked_series + " for update"};
            run("set lock_timeout = '100ms'");
            auto const end = left.go_on(connection(), nullptr);
            CHECK(end.has_error());
            CHECK(
                run("select series_id, count(*) from gapless.lease_record group by 1") ==
                std::to_string(series) + "|3"
            );
            CHECK_FALSE(left.is_settled());
        }
        auto const end = left.go_on(connection(), nullptr).value();
        CHECK(end.settled == 3);
        CHECK(end.done);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(left_behind, "a lease that the database fails at keeps no other from it")
    {
        auto const first = take_from(series);
        run("alter table gapless.lease_record add constraint made_up check (series_id <> " +
            std::to_string(series) + ")");
        answer(first, 1);
        answer(take_from(create_series("t", {{1'000, 1'999}})), 1);
        auto left = adopted();
        CHECK(left.go_on(connection(), nullptr).error().detail.find("made_up") < 200);
        CHECK(run("select count(*) from gapless.lease_record") == "1");
        CHECK(left.unsettled() == 1);
        auto const recorded = left.take_recorded();
        CHECK(recorded.size() == 1);
        CHECK((recorded.front().second == this->left(1, 1, 2).key));
        run("alter table gapless.lease_record drop constraint made_up");
        CHECK(left.go_on(connection(), nullptr).value().done);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(left_behind, "a journal that could not be written is written again later")
    {
        auto const from = take_from(series);
        answer(from, 1);
        auto const full_at = file->size();
        auto left = adopted();
        {
            file_size_limit const full{full_at};
            CHECK_THROWS_AS(left.go_on(connection(), nullptr), lease_journal_failure);
        }
        auto const end = left.go_on(connection(), nullptr).value();
        CHECK(end.done);
        CHECK(left.take_recorded().size() == 1);
        CHECK(left.unsettled() == 0);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        left_behind, "a damaged journal stays, and its turns are noted where they belong"
    )
    {
        auto const begin = file->size();
        auto const from = take_from(series);
        auto const end_of_grant = file->size();
        answer(from, 1);
        answer(from, 2);
        auto const path = file->file();
        overwrite(path, begin, std::string(end_of_grant - begin, '\0'));
        journal marks{folder.path / "marks"};
        marks.judge(
            [&] { return done([](auto& transaction) { return read_epoch(transaction).life; }); },
            [] { return std::vector<series_mark>{}; }
        );
        auto left = adopted();
        for (int call = 0; call < 2; ++call)
        {
            auto const end = left.go_on(connection(), &marks).value();
            CHECK(end.settled == (call == 0 ? 2 : 0));
            CHECK_FALSE(end.done);
            CHECK(end.waits.find("damaged") != std::string::npos);
        }
        CHECK(left.is_settled());
        CHECK(std::filesystem::exists(path));
        CHECK(marks.noted(series, 1).turn > 0);
        CHECK(marks.noted(0, 1).ordinal == 0);
    }

    TEST_CASE_FIXTURE(
        left_behind, "a database whose rows were put back puts no number on lease again"
    )
    {
        journal marks{folder.path / "marks"};
        marks.judge(
            [&] { return done([](auto& transaction) { return read_epoch(transaction).life; }); },
            [] { return std::vector<series_mark>{}; }
        );
        journal_writer writer{std::move(file), [](std::uint64_t, std::string const&) {}};
        auto const new_taking = [&] {
            return taking{make_lease_id(), series, 10, 8h, marks.noted(series, 1).ordinal};
        };
        auto const take = [&](taking const& wanted) {
            return take_numbers(connection(), at(incarnation), wanted, &marks, writer);
        };
        // One for which there is no room is certainly not had: a smaller one can be next.
        auto too_large = new_taking();
        too_large.count = 30'000'000;
        CHECK(take(too_large).error().kind == refusal_kind::out_of_range);
        auto const first = new_taking();
        CHECK(take(first).value()->grant.ordinal == 1);
        std::vector<series_mark> none;
        auto const noted = journal::read(
            folder.path / "marks",
            done([](auto& transaction) { return read_epoch(transaction).life; }),
            [] { return std::vector<series_mark>{}; },
            none
        );
        CHECK(noted.at(0).next_serial == 110);
        CHECK(noted.at(0).ordinal_at != series_mark::moment{});
        marks.note({.series_id = series, .ordinal = 50});
        CHECK(take(first).value()->grant.ordinal == 1);  // as if its answer had been lost
        CHECK(run("select fenced from gapless.counter") == "f");
        CHECK(take(new_taking()).error().kind == refusal_kind::fenced);
        CHECK(run("select count(*) from gapless.lease") == "1");
        CHECK(run("select fenced from gapless.counter") == "t");
    }
}

}  // namespace adopted_journal_test
