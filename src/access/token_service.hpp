#pragma once

#include "access/token_text.hpp"
#include "base/refusal.hpp"
#include "issuing/issuance.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>

namespace gapless {

/// What the handlers of tokens and numbers need beyond a token's principal. I/O thread; nothing
/// blocks it.
class token_service
{
public:
    virtual ~token_service() = default;

    /// Drops a revoked token from memory, so that it is not trusted any more.
    virtual void forget_token(std::int32_t token_id) = 0;

    /// Takes the numbers of a request out of the daily quota of its token. Refuses with
    /// too_many_requests, unless the key was spent: such a request gets its numbers again.
    virtual boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) = 0;

    /// Returns a share that no number was issued from.
    virtual void give_back(quota_share const& share) = 0;
};

}  // namespace gapless
