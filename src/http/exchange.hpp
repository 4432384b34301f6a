#pragma once

#include "domain/token.hpp"
#include "http/answer.hpp"
#include "http/request_head.hpp"
#include "http/route.hpp"
#include "http/server_state.hpp"
#include "http/target.hpp"

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gapless {

/// One request on its way to its answer. A session reuses one for all its requests.
struct exchange
{
    server_state& state;
    boost::asio::ip::address peer{};  // of the connection
    request_head head{};
    route const* matched{};  // null: none was found
    path_values path{};
    query_values query{};
    named_values more_query{};
    std::shared_ptr<principal const> who{};  // null where no token is asked for
    series_entry const* series{};            // null where the path names none
    std::string_view body{};
    std::shared_ptr<void> room{};  // of a long body, given back with it; null: it needs none
    std::unique_ptr<notice_waiter> waiter{};  // null: it does not wait for notices
    answer out{};

    services const& service() const noexcept { return state.service; }

    /// Forgets the request before.
    void begin()
    {
        head = {};
        matched = nullptr;
        who.reset();
        series = nullptr;
        body = {};
        room.reset();
        waiter.reset();
        out.clear();
    }

    /// Who asks, for what is changed; none: the request has no key.
    acting by(std::optional<request_identity> identity) const
    {
        return {
            {"token:" + who->name, who->token_id, who->hash, out.request_id},
            std::move(identity),
            series ? series->series_id : 0};
    }
};

/// Counts a request that was answered, and logs it where requests are logged. `began`: its first
/// byte.
void note_answer(exchange const& current, std::chrono::steady_clock::time_point began);

}  // namespace gapless
