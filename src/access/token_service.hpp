#pragma once

#include "access/token_text.hpp"
#include "base/refusal.hpp"
#include "issuing/issuance.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>

namespace gapless {

/// What the handlers of tokens and of numbers ask beyond whose a token is. I/O thread; nothing
/// blocks it.
class token_service
{
public:
    virtual ~token_service() = default;

    /// Believes a token no longer without asking: it was revoked. From memory.
    virtual void forget_token(std::int32_t token_id) = 0;

    /// Takes the numbers of a request out of the day's quota of a token that has one. Refuses with
    /// too_many_requests, unless the key was spent: such a request gets what it got.
    virtual boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) = 0;

    /// Gives a share back of which no number was issued.
    virtual void give_back(quota_share const& share) = 0;
};

}  // namespace gapless
