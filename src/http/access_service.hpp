#pragma once

#include "base/refusal.hpp"
#include "record/principal.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// Maps tokens to principals and limits their requests. I/O thread; nothing blocks it.
class access_service
{
public:
    virtual ~access_service() = default;

    /// The principal of this token, if it is known without asking the database; else null. Never
    /// null for a token that identify() accepted a moment ago. Constant time in the secret.
    virtual std::shared_ptr<principal const> known_principal(std::string_view token) = 0;

    /// The principal of this token. Refuses with unauthenticated.
    virtual boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(
        std::string token
    ) = 0;

    /// Counts one request of a token that has a rate. Refuses with too_many_requests. In memory.
    virtual result<void> count_request(principal const& who) = 0;
};

}  // namespace gapless
