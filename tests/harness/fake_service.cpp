#include "harness/fake_service.hpp"

#include "formats/catalogue.hpp"

#include <boost/asio/post.hpp>

#include <stdexcept>

namespace gapless::test {

namespace asio = boost::asio;

namespace {

constexpr std::int64_t first_serial = 4'901'214'213'405'250'000;
constexpr std::int64_t first_short_serial = 331'881'002;  // where the format has no room for it

refusal no_series()
{
    return {refusal_kind::unknown_series, "there is no such series"};
}

}  // namespace

fake_service::fake_service(asio::io_context& io) : io_{io}
{
    answer_reads();
    answer_acts();
    answer_access();
    answer_operations();
    answer_notices();
    ready = {
        .database = true,
        .schema = true,
        .primary = true,
        .lane = true,
        .safe = true,
        .epoch = 1,
        .detail = {}};
}

void fake_service::add_token(
    std::string text,
    unsigned scopes,
    std::optional<std::vector<std::string>> names,
    token_limits limits
)
{
    auto const id = static_cast<std::int32_t>(tokens.size() + 1);
    principal const who{
        .token_id = id,
        .owner_id = id,
        .name = text,
        .scopes = scopes,
        .series = std::move(names),
        .limits = limits};
    tokens[text] = std::make_shared<principal const>(who);
}

void fake_service::add_series(std::string name, std::string_view format)
{
    auto const id = static_cast<std::int32_t>(series.size() + 1);
    auto bound = bound_format::bind(*find_format(format), {}).value();
    auto const first = bound.serial_max() > first_serial ? first_serial : first_short_serial;
    series.insert_or_assign(name, series_entry{id, name, std::move(bound)});
    firsts.push_back(first);
}

result<void> fake_service::behave() const
{
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    if (refuses)
        return *refuses;
    return {};
}

std::shared_ptr<principal const> fake_service::known_principal(std::string_view token)
{
    auto const found = tokens.find(token);
    return remembers && found != tokens.end() ? found->second : nullptr;
}

asio::awaitable<result<std::shared_ptr<principal const>>> fake_service::identify(std::string token)
{
    co_await asio::post(io_, asio::use_awaitable);
    auto const found = tokens.find(token);
    if (found == tokens.end())
        co_return refusal{refusal_kind::unauthenticated, "not a token"};
    co_return found->second;
}

result<void> fake_service::count_request(principal const&)
{
    return refuses_rate ? result<void>{*refuses_rate} : result<void>{};
}

asio::awaitable<result<quota_share>> fake_service::take_quota(
    std::shared_ptr<principal const> who, issue_request request
)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (refuses_quota)
        co_return *refuses_quota;
    quota_taken.push_back(request.count);
    co_return quota_share{who->token_id, 0, request.count};
}

void fake_service::give_back(quota_share const& share)
{
    if (share.count > 0)
        quota_given_back.push_back(share.count);
}

series_entry const* fake_service::known_series(std::string_view name) const
{
    auto const found = series.find(name);
    return remembers && found != series.end() ? &found->second : nullptr;
}

asio::awaitable<result<series_entry const*>> fake_service::find_series(std::string name)
{
    co_await asio::post(io_, asio::use_awaitable);
    auto const found = series.find(name);
    if (found == series.end())
        co_return no_series();
    co_return &found->second;
}

std::int64_t fake_service::first_serial_of(std::int32_t series_id) const
{
    return firsts.at(static_cast<std::size_t>(series_id - 1));
}

result<issuance> fake_service::take_numbers(issue_request const& request)
{
    if (auto const behaved = behave(); behaved.has_error())
        return behaved.error();
    if (auto const found = by_key_.find(request.key.bytes); found != by_key_.end())
    {
        auto again = as_it_stands(found->second);
        again.replayed = true;
        return again;
    }
    using namespace std::chrono;
    issuance made{
        .series_id = request.series_id,
        .epoch = 1,
        .issued_at = sys_days{2026y / 11 / 20} + 22h + 5min + 11s + 123'456us,
        .ranges = {},
        .reference = request.reference,
        .hold_seconds = request.hold_seconds};
    made.ranges.push_back(
        {.block_id = 1,
         .count = request.count,
         .serial = first_serial_of(request.series_id) + next_ordinal_ - 1,
         .ordinal = next_ordinal_}
    );
    next_ordinal_ += request.count;
    by_key_[request.key.bytes] = made;
    return made;
}

void fake_service::answer_soon(issue_request request, std::unique_ptr<issue_listener> listener)
{
    asio::post(io_, [this, asked = std::move(request), told = std::move(listener)] {
        told->ended(take_numbers(asked));
    });
}

void fake_service::issue(issue_request request, std::unique_ptr<issue_listener> listener)
{
    issued.push_back(request);
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    if (keeps_waiting)
        waiting_.emplace_back(std::move(request), std::move(listener));
    else
        answer_soon(std::move(request), std::move(listener));
}

void fake_service::answer_waiting()
{
    for (auto& [request, listener] : std::exchange(waiting_, {}))
        answer_soon(std::move(request), std::move(listener));
}

std::unique_ptr<issue_listener> fake_service::take_waiting()
{
    auto listener = std::move(waiting_.front().second);
    waiting_.pop_front();
    return listener;
}

bool fake_service::reserve_serves(std::string_view name) const
{
    return std::ranges::find(reserved, name) != reserved.end();
}

readiness fake_service::known_readiness() const
{
    if (throws)
        throw std::runtime_error{"the fake was told to fail with secret details"};
    return ready;
}

}  // namespace gapless::test
