#include "service/database_numbering.hpp"
#include "store/token_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

/// Whose a token is, and how much it may take.
namespace gapless {

namespace asio = boost::asio;

namespace {

refusal unauthenticated()
{
    return {
        refusal_kind::unauthenticated, "present a token in force: Authorization: Bearer gapless_…"};
}

}  // namespace

std::shared_ptr<principal const> database_numbering::known_principal(std::string_view token)
{
    auto const parts = read_token(token);
    if (!parts)
        return nullptr;
    auto known = tokens_.find(*parts, token_cache::clock::now());
    if (known.due)
        asio::co_spawn(io_, renew_token(parts->token_id), asio::detached);
    return std::move(known.who);
}

asio::awaitable<result<std::vector<token_record>>> database_numbering::read_token_record(
    std::int32_t token_id
)
{
    auto look = [token_id](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_tokens(transaction, token_id);
        });
    };
    co_return co_await threads_.run(std::move(look));
}

asio::awaitable<void> database_numbering::renew_token(std::int32_t token_id)
{
    auto const found = co_await read_token_record(token_id);
    if (found && found->size() == 1)
        tokens_.keep(found->front(), token_cache::clock::now());
    else if (found)
        tokens_.forget(token_id);
}

asio::awaitable<result<std::shared_ptr<principal const>>> database_numbering::identify(
    std::string token
)
{
    auto const parts = read_token(token);
    if (!parts)
        co_return unauthenticated();
    auto const found = co_await read_token_record(parts->token_id);
    if (found.has_error())
        co_return found.error();
    if (found->size() == 1)
        tokens_.keep(found->front(), token_cache::clock::now());
    auto who = tokens_.find(*parts, token_cache::clock::now()).who;
    if (!who)
        co_return unauthenticated();
    co_return who;
}

result<void> database_numbering::count_request(principal const& who)
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

asio::awaitable<result<quota_share>> database_numbering::take_quota(
    std::shared_ptr<principal const> who, issue_request request
)
{
    return quotas_.take(std::move(who), std::move(request));
}

}  // namespace gapless
