#pragma once

#include "base/refusal.hpp"
#include "record/principal.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// Whose a token is, and how many requests it may send. I/O thread; nothing blocks it.
class access_service
{
public:
    virtual ~access_service() = default;

    /// Who presents this token, if that is known without asking the database; else null. Never null
    /// for a token that identify() accepted a moment ago. Constant time in the secret.
    virtual std::shared_ptr<principal const> known_principal(std::string_view token) = 0;

    /// Who presents this token. Refuses with unauthenticated.
    virtual boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(
        std::string token
    ) = 0;

    /// Counts one request of a token that has a rate. Refuses with too_many_requests. From memory.
    virtual result<void> count_request(principal const& who) = 0;
};

}  // namespace gapless
