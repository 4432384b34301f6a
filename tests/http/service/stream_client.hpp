#pragma once

#include "harness/http_client.hpp"
#include "harness/json_value.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace gapless::test {

/// A client of GET /v1/notices as a stream, for one thread.
class stream_client
{
public:
    static constexpr std::chrono::seconds patience{20};

    /// `query` begins with a question mark, or is empty; `last` is Last-Event-ID, if it is not
    /// empty.
    stream_client(
        std::string const& address,
        std::string const& token,
        std::string const& query = {},
        std::string const& last = {}
    )
        : client_{address}
    {
        http_request wanted{.target = "/v1/notices" + query};
        wanted.fields = {{"Authorization", "Bearer " + token}, {"Accept", "text/event-stream"}};
        if (!last.empty())
            wanted.fields.emplace_back("Last-Event-ID", last);
        if (client_.connect() && client_.send(client_.to_bytes(wanted)))
            if (auto const begun = client_.receive())
                status_ = begun->status;
    }

    /// 200, or what else it is answered with; 0: nothing.
    int status() const noexcept { return status_; }

    /// "17 block.opened s" of the next event, "-" for no series; "reset 17"; "" when it does not
    /// come in time, or the stream has ended. Comments are passed over.
    std::string next(std::chrono::milliseconds limit = patience)
    {
        auto const text = client_.receive_until("\n\n", limit);
        if (!text)
            return {};
        if (text->starts_with(':'))
            return next(limit);
        constexpr std::string_view mark{"\ndata: "};
        auto const data = text->find(mark);
        record = json_value::parse(text->substr(data + mark.size()));
        if (text->starts_with("event: reset"))
            return "reset " + record.at("seq").text();
        auto const line = text->find('\n');
        auto const seq = text->substr(4, line - 4);
        auto const kind = text->substr(line + 8, data - line - 8);
        auto const series = record.at("series");
        return seq + ' ' + kind + ' ' + (series.is_null() ? "-" : series.text());
    }

    /// True when the server ends the stream in time; events that still come are passed over.
    bool ends(std::chrono::milliseconds limit = patience)
    {
        auto const end = std::chrono::steady_clock::now() + limit;
        while (client_.receive_until("\n\n", limit))
            if (std::chrono::steady_clock::now() > end)
                return false;
        return std::chrono::steady_clock::now() < end;
    }

    json_value record{};  // the data of the last event

private:
    http_client client_;
    int status_{};
};

}  // namespace gapless::test
