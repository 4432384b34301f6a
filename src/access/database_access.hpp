#pragma once

#include "access/quota_cache.hpp"
#include "access/token_cache.hpp"
#include "access/token_service.hpp"
#include "base/rate_limit.hpp"
#include "http/access_service.hpp"
#include "postgres/database_threads.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>

namespace gapless {

/// Tells which tokens to trust while the database cannot be asked, for reserves. I/O thread only.
class outage_tokens
{
public:
    virtual ~outage_tokens() = default;

    /// True if the database cannot be asked and there are trusted tokens.
    virtual bool is_trusting() const = 0;

    /// True if writes wait for a database that cannot answer: it is down, or its COMMITs wait for
    /// the standby.
    virtual bool is_cut() const = 0;

    /// Whether the key of a request is answered from memory and takes no new numbers: they were
    /// issued, with their share of the quota, while the database was away. By default: no key.
    virtual bool knows_key(issue_request const& /*asked*/) const { return false; }

    /// The principal of a token. Refuses with unauthenticated, or with database_unavailable if only
    /// the database can tell.
    virtual result<std::shared_ptr<principal const>> trust(token_text const& token) = 0;

    /// The database has just confirmed a token that is in use.
    virtual void note_used(std::int32_t token_id) = 0;
};

/// Tokens from the database, cached for a while, with their rates and quotas. I/O thread only.
class database_access : public access_service, public token_service
{
public:
    /// `token_life`: how long a token is trusted before asking again. `limits`: for tokens without
    /// limits of their own. The threads must outlive it.
    database_access(
        boost::asio::io_context& io,
        database_threads& threads,
        std::chrono::milliseconds token_life,
        token_limits const& limits
    );

    std::shared_ptr<principal const> known_principal(std::string_view token) override;
    boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(std::string token
    ) override;
    void forget_token(std::int32_t token_id) override { tokens_.forget(token_id); }
    result<void> count_request(principal const& who) override;
    boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) override;
    void give_back(quota_share const& share) override { quotas_.give_back(share); }

    /// Sets what to trust in an outage; it must outlive us.
    void trust_in_outages(outage_tokens& tokens) noexcept { outage_ = &tokens; }

    /// The numbers set aside from quotas and not used yet.
    quota_cache& quotas() noexcept { return quotas_; }

private:
    boost::asio::awaitable<result<std::optional<token_record>>> read_record(
        std::int32_t token_id, secret_hash hash
    );
    boost::asio::awaitable<result<std::optional<token_record>>> read_unless_away(
        std::int32_t token_id, secret_hash hash
    );
    boost::asio::awaitable<void> renew(std::shared_ptr<principal const> who);
    std::shared_ptr<principal const> keep(
        token_record const& record, secret_hash const& hash, token_cache::clock::time_point asked
    );
    bool is_trusting() const { return outage_ != nullptr && outage_->is_trusting(); }

    boost::asio::io_context& io_;
    database_threads& threads_;
    token_cache tokens_;
    rate_limit<std::int32_t> rates_;  // by token
    quota_cache quotas_;
    outage_tokens* outage_{};  // null: no token is trusted
};

}  // namespace gapless
