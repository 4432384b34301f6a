#pragma once

#include "http/answer.hpp"
#include "http/pending_request.hpp"
#include "http/request_head.hpp"
#include "http/route.hpp"
#include "http/server_state.hpp"
#include "http/target.hpp"
#include "postgres/record_service.hpp"
#include "record/principal.hpp"

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gapless {

struct series_entry;

/// One request on its way to its answer. A connection reuses one for all its requests.
struct exchange
{
    server_state& state;
    boost::asio::ip::address peer{};  // of the connection
    request_head head{};
    route const* matched{};  // null: none was found
    path_values path{};
    query_values query{};
    named_values more_query{};
    std::shared_ptr<principal const> who{};  // null if the route needs no token
    series_entry const* series{};            // null if the path names none
    std::int32_t series_id{};                // id of `series`, or 0
    std::string_view body{};
    std::shared_ptr<void> room{};  // of a long body, given back with it; null: it needs none
    std::unique_ptr<pending_request> waiting{};  // null: it waits for nothing
    answer out{};

    template <class Interface>
    Interface& service() const
    {
        return state.services.get<Interface>();
    }

    /// Resets everything but the connection's own for the next request.
    void begin()
    {
        head = {};
        matched = nullptr;
        who.reset();
        series = nullptr;
        series_id = 0;
        body = {};
        room.reset();
        waiting.reset();
        out.clear();
    }

    /// On whose behalf a change is made; without an identity the request has no key.
    acting by(std::optional<request_identity> identity) const
    {
        return {
            {"token:" + who->name, who->token_id, who->hash, out.request_id}, identity, series_id};
    }
};

/// Counts an answered request, and logs it if requests are logged. `began`: when its first byte
/// came.
void note_answer(exchange const& current, std::chrono::steady_clock::time_point began);

}  // namespace gapless
