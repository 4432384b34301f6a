#pragma once

#include "cases/notices.hpp"
#include "service/notice_board.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// Notices in memory, read as a database would have them read.
class notice_memory : public record_service
{
public:
    explicit notice_memory(boost::asio::io_context& io) : io_{io} {}

    std::vector<notice_record> notices;
    std::int64_t oldest{1};  // those before have gone
    std::map<std::int32_t, notice_reach> tokens;
    std::optional<refusal> refuses;  // everything
    bool holds_reach{};              // what tokens may see is not told, as long as it is
    bool held_reach{};               // and somebody waits for it
    int looks{};                     // for all streams
    int pages{};                     // for one stream
    int reach_reads{};

    void publish(std::string kind = "series.low", std::optional<std::string> series = "s")
    {
        notice_record told;
        told.seq = bounds().last + 1;
        told.id = "id-" + std::to_string(told.seq);
        told.kind = std::move(kind);
        told.series = std::move(series);
        notices.push_back(std::move(told));
    }

    notice_bounds bounds() const
    {
        return {.oldest = oldest, .last = notices.empty() ? oldest - 1 : notices.back().seq};
    }

private:
    cases::notice_events read_events(notice_page const& page)
    {
        std::vector<notice_record> found;
        for (auto const& each : notices)
            if (each.seq > page.after && each.seq >= oldest &&
                (!page.series || each.series == page.series) &&
                (!page.kind || each.kind == *page.kind) &&
                found.size() < static_cast<std::size_t>(page.limit))
                found.push_back(each);
        auto const more = found.size() == static_cast<std::size_t>(page.limit);
        auto const through = more ? found.back().seq : bounds().last;
        return {bounds(), to_chunks(page.after, found, through), more};
    }

    std::optional<notice_reach> reach_of(std::int32_t token_id) const
    {
        auto const found = tokens.find(token_id);
        return found == tokens.end() ? std::nullopt : std::optional{found->second};
    }

    std::vector<notice_reach> read_reach(cases::read_reach const& wanted)
    {
        ++reach_reads;
        std::vector<notice_reach> found;
        for (auto const& token : wanted.tokens)
            if (auto reach = reach_of(token.token_id))
                found.push_back(*reach);
        return found;
    }

    boost::asio::awaitable<result<any_answer>> run(job work) override
    {
        co_await boost::asio::post(io_, boost::asio::use_awaitable);
        ++(work.by.actor.token_id > 0 ? pages : looks);
        if (refuses)
            co_return *refuses;
        while (holds_reach && work.wanted.type() == typeid(cases::read_reach))
        {
            held_reach = true;
            co_await boost::asio::post(io_, boost::asio::use_awaitable);
        }
        if (auto const* all = std::any_cast<cases::read_notice_events>(&work.wanted))
            co_return any_answer::of(read_events(all->page));
        if (auto const* begun = std::any_cast<cases::begin_notices>(&work.wanted))
            co_return any_answer::of(cases::notice_start{
                read_events(begun->page), reach_of(begun->token.token_id)});
        co_return any_answer::of(read_reach(std::any_cast<cases::read_reach const&>(work.wanted)));
    }

    boost::asio::io_context& io_;
};

/// What a client of a stream got.
struct heard_stream
{
    std::string text{};  // everything
    std::size_t pieces{};
    std::optional<refusal> refused{};  // the stream did not begin
    bool ended{};
    bool reads{true};  // false: asks for nothing more, as long as it is
    std::unique_ptr<event_stream> stream{};

    /// "1 2 3": the seq of each event; "reset 50" for that one, "#" for a comment.
    std::string events() const
    {
        std::string seen;
        for (std::size_t at = 0; at < text.size();)
        {
            auto const line = text.substr(at, text.find('\n', at) - at);
            at = text.find("\n\n", at) + 2;
            seen += seen.empty() ? "" : " ";
            if (line.starts_with("id: "))
                seen += line.substr(4);
            else if (line.starts_with(':'))
                seen += '#';
            else
                seen += "reset " + text.substr(text.rfind("seq\":\"", at) + 6, 2);
        }
        return seen;
    }
};

/// A board over such notices, and clients of it.
struct board_bench
{
    explicit board_bench(board_settings const& settings = quick()) : board{io, memory, settings}
    {
        memory.tokens[1] = {.token_id = 1, .series = std::nullopt, .whole = true};
    }

    /// Short intervals; comments come late.
    static board_settings quick()
    {
        using std::chrono::milliseconds;
        return {
            .streams_max = 3,
            .look_interval = milliseconds{2},
            .reach_interval = milliseconds{4},
            .comment_interval = milliseconds{60'000},
            .retry_interval = milliseconds{4}};
    }

    /// A client that reads what comes, with the token of that id.
    heard_stream& follow(notice_wish wish = {}, std::int32_t token_id = 1)
    {
        auto& heard = *clients.emplace_back(std::make_unique<heard_stream>());
        boost::asio::co_spawn(
            io, read(board, heard, std::move(wish), token_id), boost::asio::detached
        );
        return heard;
    }

    /// Lets it work until `condition` holds. False: it never did.
    template <class Condition>
    bool happens(Condition const& condition)
    {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{5};
        while (!condition() && std::chrono::steady_clock::now() < end)
        {
            io.restart();
            io.run_for(std::chrono::milliseconds{1});
        }
        return condition();
    }

    /// The same for a while, whatever happens.
    void go_on(std::chrono::milliseconds how_long = std::chrono::milliseconds{30})
    {
        io.restart();
        io.run_for(how_long);
    }

    boost::asio::io_context io;
    notice_memory memory{io};
    notice_board board;
    std::vector<std::unique_ptr<heard_stream>> clients;

private:
    static boost::asio::awaitable<void> read(
        notice_board& board, heard_stream& heard, notice_wish wish, std::int32_t token_id
    )
    {
        acting by;
        by.actor.token_id = token_id;
        auto begun = co_await board.follow(std::move(wish), std::move(by));
        if (begun.has_error())
        {
            heard.refused = begun.error();
            co_return;
        }
        heard.stream = std::move(*begun);
        auto const executor = co_await boost::asio::this_coro::executor;
        for (;;)
        {
            while (!heard.reads)
                co_await boost::asio::post(executor, boost::asio::use_awaitable);
            auto const piece = co_await heard.stream->next();
            if (piece.empty())
                break;
            ++heard.pieces;
            for (auto const& part : piece.parts)
                heard.text += part;
        }
        heard.ended = true;
        heard.stream.reset();
    }
};

}  // namespace gapless::test
