#include "reserve/leases.hpp"

#include <rapidcheck.h>
#include <set>
#include <vector>

namespace reserve_properties_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::int32_t series_count = 2;

/// A core, and beside it what must hold, in other words than the core's.
struct model
{
    reserve_core core{50};
    reserve_time now{.boot = 100s, .real = 9'000s};
    std::vector<lease_grant> granted;
    std::set<lease_id> ended;
    std::set<std::int64_t> out;  // ordinals; each series has its own range of them
    std::map<lease_id, std::chrono::nanoseconds> until;
    std::uint32_t keys{};

    lease_grant* current(std::int32_t series_id)
    {
        for (auto grant = granted.rbegin(); grant != granted.rend(); ++grant)
            if (grant->series_id == series_id)
                return &*grant;
        return nullptr;
    }

    void grant(std::int32_t series_id)
    {
        auto const n = static_cast<std::int64_t>(granted.size());
        auto const next = lease_grant{
            .lease = id_of(static_cast<unsigned char>(n + 1)),
            .series_id = series_id,
            .block_id = 1,
            .epoch = 1,
            .ordinal = 1 + n * 1'000,
            .serial = n * 1'000,
            .count = *rc::gen::inRange(1, 30)};
        if (auto const* before = current(series_id))
            ended.insert(before->lease);
        granted.push_back(next);
        keep(next);
    }

    void keep(lease_grant const& grant)
    {
        auto const draw_for = std::chrono::seconds{*rc::gen::inRange(1, 60)};
        core.keep(grant, now, draw_for);
        until[grant.lease] = now.boot + draw_for;
    }

    void renew()
    {
        std::vector<lease_word> words;
        for (auto const& grant : granted)
        {
            auto const fate = *rc::gen::inRange(0, 12);
            if (fate == 0)
            {
                ended.insert(grant.lease);
                continue;
            }
            auto const status = fate == 1 ? lease_status::recalled : lease_status::open;
            if (fate == 1)
                ended.insert(grant.lease);
            auto const draw_for = std::chrono::seconds{*rc::gen::inRange(1, 60)};
            words.push_back({.lease = grant.lease, .status = status, .draw_for = draw_for});
            until[grant.lease] = now.boot + draw_for;
        }
        core.renew(words, database_time{1h}, now);
    }

    void draw(std::int32_t series_id)
    {
        auto const repeats = keys > 0 && *rc::gen::inRange(0, 4) == 0;
        auto const key = repeats ? *rc::gen::inRange(0U, keys) : keys++;
        auto const got = core.draw(request_of(key, *rc::gen::inRange(1, 8), series_id), now);
        auto const* drawn = std::get_if<drawn_answer>(&got);
        if (!drawn)
            return;
        auto const* lease = current(series_id);
        RC_ASSERT(lease != nullptr);
        RC_ASSERT(!ended.contains(lease->lease));
        RC_ASSERT(drawn->note.lease == lease->lease);
        RC_ASSERT(now.boot < until[lease->lease]);
        auto const& range = drawn->answer.ranges.front();
        RC_ASSERT(range.ordinal >= lease->ordinal);
        RC_ASSERT(range.ordinal + range.count <= lease->ordinal + lease->count);
        RC_ASSERT(range.serial - lease->serial == range.ordinal - lease->ordinal);
        RC_ASSERT(drawn->note.left.ordinal == range.ordinal);
        for (auto ordinal = range.ordinal; ordinal < range.ordinal + range.count; ++ordinal)
            RC_ASSERT(out.insert(ordinal).second);
    }

    void act()
    {
        auto const series_id = *rc::gen::inRange(1, series_count + 1);
        auto const* lease = current(series_id);
        switch (*rc::gen::inRange(0, 10))
        {
        case 0:
            if (granted.size() < 200)
                grant(series_id);
            break;
        case 1: renew(); break;
        case 2:
            if (lease)
                keep(*lease);
            break;
        case 3:
            if (lease && *rc::gen::inRange(0, 4) == 0)
            {
                ended.insert(lease->lease);
                core.close(lease->lease);
            }
            break;
        case 4: core.settled(static_cast<std::uint64_t>(*rc::gen::inRange(0U, keys + 1))); break;
        case 5: {
            auto const passed = std::chrono::seconds{*rc::gen::inRange(0, 40)};
            now.boot += passed;
            now.real += passed;
            break;
        }
        default: draw(series_id);
        }
    }
};

TEST_SUITE("reserve/reserve_properties")
{
    TEST_CASE("no number leaves twice, beyond its lease, after its time or after its end")
    {
        auto const holds = rc::check([] {
            model one;
            one.grant(1);
            one.renew();
            auto const acts = *rc::gen::inRange(1, 150);
            for (auto n = 0; n < acts; ++n)
                one.act();
        });
        CHECK(holds);
    }

    TEST_CASE("the next process draws behind whatever was not settled")
    {
        auto const holds = rc::check([] {
            model before;
            before.grant(1);
            before.renew();
            auto const acts = *rc::gen::inRange(1, 60);
            for (auto n = 0; n < acts; ++n)
                before.draw(1);
            std::vector<unsettled_answer> const left{
                before.core.unsettled().begin(), before.core.unsettled().end()};
            model after;
            after.granted = before.granted;
            after.out = before.out;
            after.keys = before.keys;
            after.core.take_over(left, left.size() + 1);
            after.keep(after.granted.front());
            after.core.renew(
                {{.lease = after.granted.front().lease,
                  .status = lease_status::open,
                  .draw_for = 60s}},
                database_time{1h},
                after.now
            );
            after.until[after.granted.front().lease] = after.now.boot + 60s;
            for (auto n = 0; n < acts; ++n)
                after.draw(1);
        });
        CHECK(holds);
    }
}

}  // namespace reserve_properties_test
