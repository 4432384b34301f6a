#pragma once

#include "postgres/database_threads.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <optional>

namespace gapless {

/// Seals new records in their hash chains, in small links with rests between them, so that issuing
/// lacks a core for some milliseconds at most, which p99 would show. I/O thread only.
class sealer
{
public:
    /// `interval`: from start to start; 0: never. The threads must outlive it.
    sealer(
        boost::asio::io_context& io, database_threads& threads, std::chrono::milliseconds interval
    );

    /// Starts to seal, unless it is already sealing or it is too early.
    void seal_when_due();

    void stop();

    /// Every record older than this is sealed; nullopt until this instance has seen that once.
    std::optional<std::chrono::system_clock::time_point> sealed() const { return sealed_; }

private:
    using clock = std::chrono::steady_clock;

    boost::asio::awaitable<void> seal();
    boost::asio::awaitable<bool> seal_all();
    boost::asio::awaitable<std::optional<bool>> seal_series(std::int32_t series_id);
    boost::asio::awaitable<bool> rest(clock::duration after);

    boost::asio::io_context& io_;
    database_threads& threads_;
    std::chrono::milliseconds interval_;
    clock::time_point due_{};
    boost::asio::steady_timer rest_;
    bool sealing_{};
    bool stopped_{};
    std::optional<std::chrono::system_clock::time_point> sealed_;
};

}  // namespace gapless
