#include "access/database_access.hpp"

#include "access/token_store.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds look_interval{50};  // whether the database still answers

/// Judged by form and checksum only, so nobody learns anything about tokens.
refusal malformed_token()
{
    return {
        refusal_kind::unauthenticated,
        "The token is malformed: it is cut off or mistyped. A token is sent as it was shown, from "
        "gapless_ to its last character."};
}

/// Used for a wrong secret of a known token, too.
refusal unknown_token()
{
    return {
        refusal_kind::unauthenticated,
        "The token is unknown here: it was made for another database, or never."};
}

/// For clients that know the secret: why the token is not valid any more.
refusal no_longer_in_force(token_record const& token)
{
    return {
        refusal_kind::unauthenticated,
        token.revoked_at ? "The token was revoked." : "The token has expired."};
}

}  // namespace

database_access::database_access(
    asio::io_context& io,
    database_threads& threads,
    std::chrono::milliseconds token_life,
    token_limits const& limits
)
    : io_{io},
      threads_{threads},
      tokens_{token_life, limits},
      quotas_{io, threads}
{
}

std::shared_ptr<principal const> database_access::known_principal(std::string_view token)
{
    auto const parts = read_token(token);
    if (!parts)
        return nullptr;
    auto known = tokens_.find(*parts, token_cache::clock::now());
    if (!known.who && is_trusting())
        if (auto trusted = outage_->trust(*parts); trusted.has_value())
            return std::move(*trusted);
    if (known.due)
        asio::co_spawn(io_, renew(known.who), asio::detached);
    return std::move(known.who);
}

asio::awaitable<result<std::optional<token_record>>> database_access::read_record(
    std::int32_t token_id, secret_hash hash
)
{
    auto look = [token_id, hash](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return identify_token(transaction, token_id, hash);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

/// Asks the database, but stops waiting once it is found not to answer.
asio::awaitable<result<std::optional<token_record>>> database_access::read_unless_away(
    std::int32_t token_id, secret_hash hash
)
{
    struct answer
    {
        explicit answer(asio::io_context& io) : arrived{io} {}
        asio::steady_timer arrived;
        std::optional<result<std::optional<token_record>>> found;
    };
    auto const wanted = std::make_shared<answer>(io_);
    asio::co_spawn(io_, read_record(token_id, hash), [wanted](auto const& failure, auto found) {
        if (failure)
            found = unavailable(trouble_kind::disconnected, "the token could not be looked up");
        wanted->found = std::move(found);
        wanted->arrived.cancel();
    });
    while (!wanted->found && !is_trusting())
    {
        wanted->arrived.expires_after(look_interval);
        co_await wanted->arrived.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    if (!wanted->found)
        co_return unavailable(trouble_kind::disconnected, "the database does not answer");
    co_return std::move(*wanted->found);
}

std::shared_ptr<principal const> database_access::keep(
    token_record const& record, secret_hash const& hash, token_cache::clock::time_point asked
)
{
    auto who = tokens_.keep(record, hash, asked);
    if (outage_ != nullptr && who)
        outage_->note_used(record.token_id);
    return who;
}

asio::awaitable<void> database_access::renew(std::shared_ptr<principal const> who)
{
    auto const asked = token_cache::clock::now();
    auto const found = co_await read_record(who->token_id, who->hash);
    if (found.has_error())
        co_return;
    if (*found)
        keep(**found, who->hash, asked);
    else
        tokens_.forget(who->token_id);
}

asio::awaitable<result<std::shared_ptr<principal const>>> database_access::identify(
    std::string token
)
{
    auto const parts = read_token(token);
    if (!parts)
        co_return malformed_token();
    if (is_trusting())
        co_return outage_->trust(*parts);
    auto const hash = hash_token_secret(parts->secret);
    auto const asked = token_cache::clock::now();
    auto const found = co_await read_unless_away(parts->token_id, hash);
    // Only a database that cannot be asked extends trust, never one that has answered.
    if (found.has_error() && found.error().kind == refusal_kind::database_unavailable &&
        is_trusting())
        co_return outage_->trust(*parts);
    if (found.has_error())
        co_return found.error();
    if (!*found)  // keeps the entry of that id: it belongs to the owner of the secret
        co_return unknown_token();
    // The database alone decides whether a token is in force: the clock here may be ahead.
    auto who = keep(**found, hash, asked);
    if (!who)
        co_return no_longer_in_force(**found);
    co_return who;
}

result<void> database_access::count_request(principal const& who)
{
    rate const allowed{.count = who.limits.rate, .burst = who.limits.burst};
    auto const wait = rates_.take(who.token_id, allowed, std::chrono::steady_clock::now());
    if (wait == wait.zero())
        return {};
    return refusal{
        refusal_kind::too_many_requests,
        "The token may send " + std::to_string(who.limits.rate) +
            " requests a second; send them more slowly, or use a token with a higher --rate.",
        std::chrono::ceil<std::chrono::seconds>(wait)};
}

asio::awaitable<result<quota_share>> database_access::take_quota(
    std::shared_ptr<principal const> who, issue_request request
)
{
    if (outage_ != nullptr && outage_->knows_key(request))
        co_return quota_share{};
    if (outage_ != nullptr && outage_->is_cut())
        co_return quotas_.take_at_hand(*who, request.count);
    co_return co_await quotas_.take(std::move(who), std::move(request));
}

}  // namespace gapless
