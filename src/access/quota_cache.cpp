#include "access/quota_cache.hpp"

#include "base/as_outcome.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The request exceeds a whole day's quota.
refusal never_enough(token_limits const& limits, std::int64_t count)
{
    return {
        refusal_kind::out_of_range,
        fmt::format(
            "The token may take {} numbers a day, and {} were requested: request fewer at once, or "
            "use a token with a larger --daily-quota.",
            limits.daily_quota,
            count
        )};
}

auto returning(std::int32_t token_id, std::int32_t day, std::int64_t count)
{
    return [=](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            return_quota(transaction, token_id, day, count);
            return true;
        });
    };
}

}  // namespace

std::shared_ptr<quota_cache::slice> quota_cache::slice_of(std::int32_t token_id)
{
    auto& kept = slices_[token_id];
    if (!kept)
        kept = std::make_shared<slice>();
    return kept;
}

asio::awaitable<result<quota_share>> quota_cache::take(
    std::shared_ptr<principal const> who, issue_request request
)
{
    auto const id = who->token_id;
    auto const quota = who->limits.daily_quota;
    std::int64_t const count = request.count;
    while (true)
    {
        auto const kept = slice_of(id);
        auto& mine = *kept;
        auto const now = now_();
        if (now >= mine.ends)
            mine.left = mine.refused = 0;
        if (mine.left >= count)
        {
            mine.left -= count;
            mine.used = now;
            co_return quota_share{id, mine.day, count};
        }
        if (mine.reserving)
        {
            auto const until = mine.reserving;
            co_await until->async_wait(as_outcome);
            continue;
        }
        if (mine.refused > 0 && count >= mine.refused && now < mine.refused_until)
            break;
        auto const reserved = co_await reserve(id, quota, count - mine.left);
        if (reserved.has_error())
            co_return reserved.error();
    }
    co_return co_await pass_replay(*who, request);
}

result<quota_share> quota_cache::take_at_hand(principal const& who, std::int64_t count)
{
    auto const found = slices_.find(who.token_id);
    auto const now = now_();
    if (found == slices_.end() || now >= found->second->ends || found->second->left < count)
        return unavailable(
            trouble_kind::disconnected,
            "what this instance has at hand of the token's daily quota is used up, and there is no "
            "database to ask for more"
        );
    found->second->left -= count;
    found->second->used = now;
    return quota_share{who.token_id, found->second->day, count};
}

/// Asks the database for more. Afterwards the slice has what was granted, or that nothing was.
asio::awaitable<result<void>> quota_cache::reserve(
    std::int32_t token_id, std::int64_t quota, std::int64_t count
)
{
    auto const kept = slice_of(token_id);
    auto& mine = *kept;
    struct reservation
    {
        std::shared_ptr<slice> kept;
        ~reservation()
        {
            kept->reserving->cancel();
            kept->reserving.reset();
        }
    };
    mine.reserving = std::make_shared<asio::steady_timer>(io_, clock::time_point::max());
    reservation const until_ended{kept};
    auto const asked_at = now_();
    auto work = [=](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            return reserve_quota(transaction, token_id, quota, count);
        });
    };
    auto const told = co_await threads_.run(std::move(work), write_order);
    // Whether or not they were set aside, no number was issued.
    if (told.has_error() && told.error().kind == refusal_kind::outcome_unknown)
        co_return refusal{
            refusal_kind::database_unavailable,
            "the connection to the database was lost; try again with the same key"};
    if (told.has_error())
        co_return told.error();
    if (mine.day != told->day)
        mine.left = 0;
    mine.day = told->day;
    mine.ends = asked_at + told->left_of_day;
    mine.left += told->granted;
    mine.reserved = told->reserved;
    mine.refused = told->granted > 0 ? 0 : count + mine.left;
    mine.refused_until = now_() + refused_for;
    co_return result<void>{};
}

/// The quota is used up: only a spent key may pass. `request` must outlive the call.
asio::awaitable<result<quota_share>> quota_cache::pass_replay(
    principal const& who, issue_request const& request
)
{
    auto const kept = slice_of(who.token_id);
    auto& mine = *kept;
    auto refused = request.count > who.limits.daily_quota
                       ? never_enough(who.limits, request.count)
                       : used_up(mine, who.limits, request.count);
    if (mine.look_ups >= look_ups_max)
    {
        refused.retry_after = std::chrono::seconds{1};
        co_return refused;
    }
    struct look_up
    {
        std::shared_ptr<slice> kept;
        ~look_up() { --kept->look_ups; }
    };
    ++mine.look_ups;
    look_up const until_ended{kept};
    auto look = [owner = request.owner_id, key = request.key](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return key_is_spent(transaction, owner, key);
        });
    };
    auto const spent = co_await threads_.run(std::move(look));
    if (spent.has_error())
        co_return spent.error();
    if (*spent)
        co_return quota_share{};
    co_return refused;
}

refusal quota_cache::used_up(slice const& seen, token_limits const& limits, std::int64_t count)
    const
{
    auto const until = std::chrono::ceil<std::chrono::seconds>(seen.ends - now_());
    return {
        refusal_kind::too_many_requests,
        fmt::format(
            "The token may take {} numbers a day; {} are taken or set aside, {} were asked "
            "for. Ask for fewer, wait for the next day, or use a token with a larger "
            "--daily-quota.",
            limits.daily_quota,
            seen.reserved - seen.left,
            count
        ),
        std::clamp<std::chrono::seconds>(until, std::chrono::seconds{1}, retry_max)};
}

void quota_cache::give_back(quota_share const& share)
{
    auto const found = slices_.find(share.token_id);
    if (share.count == 0 || found == slices_.end() || found->second->day != share.day)
        return;
    found->second->left += share.count;
    found->second->refused = 0;
}

void quota_cache::return_idle()
{
    auto const now = now_();
    for (auto const& [token_id, kept] : slices_)
    {
        auto& mine = *kept;
        if (mine.left > 0 && !mine.reserving && now < mine.ends && now > mine.used + idle_max)
        {
            // Even if the return fails, no more than the quota is given out.
            auto work = returning(token_id, mine.day, std::exchange(mine.left, 0));
            asio::co_spawn(io_, threads_.run(std::move(work), write_order), asio::detached);
        }
    }
    std::erase_if(slices_, [now](auto const& each) {
        auto const& mine = *each.second;
        return now >= mine.ends && !mine.reserving && mine.look_ups == 0;
    });
}

void quota_cache::return_all()
{
    auto const now = now_();
    for (auto const& [token_id, kept] : slices_)
        if (kept->left > 0 && now < kept->ends)
            threads_.leave_behind(returning(token_id, kept->day, std::exchange(kept->left, 0)));
}

}  // namespace gapless
