#pragma once

#include "domain/refusal.hpp"
#include "service/event_stream.hpp"
#include "service/record_service.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gapless {

/// Which notices a stream is to have.
struct notice_wish
{
    std::int64_t after{};  // those with higher seq; 0: from the oldest on; below 0: nobody knows
    std::optional<std::string> series{};  // none: any, and those that concern no series
    std::optional<std::string> kind{};    // none: any
};

/// Notices as they are published.
class notice_service
{
public:
    virtual ~notice_service() = default;

    /// Notices as events (text/event-stream), as far as the token may see them, from those on that
    /// are there already. The first event is "reset" where notices behind `after` are missing, or
    /// `after` is none of this database. A comment every 15 s. Ends when the token is no longer in
    /// force, and when the service stops. Refuses with overloaded when too many streams are open,
    /// unknown_series, forbidden, unauthenticated.
    virtual boost::asio::awaitable<result<std::unique_ptr<event_stream>>> follow(
        notice_wish wish, acting by
    ) = 0;
};

}  // namespace gapless
