#include "service/database_access.hpp"

#include "store/token_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

refusal unauthenticated()
{
    return {
        refusal_kind::unauthenticated, "Send Authorization: Bearer and a token that is in force."};
}

/// For whoever knows the secret: why it opens nothing any more.
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

asio::awaitable<void> database_access::renew(std::shared_ptr<principal const> who)
{
    auto const found = co_await read_record(who->token_id, who->hash);
    if (found.has_error())
        co_return;
    if (*found)
        tokens_.keep(**found, who->hash, token_cache::clock::now());
    else
        tokens_.forget(who->token_id);
}

asio::awaitable<result<std::shared_ptr<principal const>>> database_access::identify(
    std::string token
)
{
    auto const parts = read_token(token);
    if (!parts)
        co_return unauthenticated();
    auto const hash = hash_token_secret(parts->secret);
    auto const found = co_await read_record(parts->token_id, hash);
    if (found.has_error())
        co_return found.error();
    if (!*found)  // what is kept of that id stays: it belongs to whoever knows the secret
        co_return unauthenticated();
    tokens_.keep(**found, hash, token_cache::clock::now());
    if (!(*found)->in_force)
        co_return no_longer_in_force(**found);
    auto who = tokens_.find(*parts, token_cache::clock::now()).who;
    if (!who)
        co_return unauthenticated();
    co_return who;
}

result<void> database_access::count_request(principal const& who)
{
    auto const wait = rates_.count(who.token_id, who.limits, request_rates::clock::now());
    if (wait == request_rates::clock::duration::zero())
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
    return quotas_.take(std::move(who), std::move(request));
}

}  // namespace gapless
