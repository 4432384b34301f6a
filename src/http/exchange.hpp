#pragma once

#include "domain/token.hpp"
#include "http/answer.hpp"
#include "http/request_head.hpp"
#include "http/route.hpp"
#include "http/server_state.hpp"
#include "http/target.hpp"

#include <boost/asio/ip/address.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// One request on its way to its answer. A session reuses one for all its requests.
struct exchange
{
    server_state& state;
    boost::asio::ip::address peer{};  // of the connection
    std::uint64_t number{};           // of the request, for its id
    request_head head{};
    route const* matched{};  // null: none was found
    path_values path{};
    query_values query{};
    named_values more_query{};
    std::shared_ptr<principal const> who{};  // null where no token is asked for
    series_entry const* series{};            // null where the path names none
    std::string_view body{};
    answer out{};

    numbering& service() const noexcept { return state.service; }

    /// Forgets the request before.
    void begin()
    {
        head = {};
        matched = nullptr;
        who.reset();
        series = nullptr;
        body = {};
        out.clear();
    }

    /// Who asks, for what is changed.
    request_actor actor() const
    {
        return {"token:" + who->name, who->token_id, who->hash, to_request_id(number)};
    }
};

}  // namespace gapless
