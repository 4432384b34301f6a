#pragma once

#include "issuing/issue_listener.hpp"
#include "issuing/queue_figures.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gapless {

using queue_clock = std::chrono::steady_clock;

/// The two connections of an instance on which numbers are issued.
enum class connection_kind : std::uint8_t
{
    quick,    // plain batches, of one series or several: nothing on it waits for a row
    patient,  // batches that may take long or block others, each of one series
};
inline constexpr std::array both_connections{connection_kind::quick, connection_kind::patient};

/// The first and the longest pause of a series that was found locked.
struct back_off
{
    std::chrono::milliseconds first{5};
    std::chrono::milliseconds most{100};
};

/// A request in the queue, or under way.
struct queue_entry
{
    issue_request request;
    std::unique_ptr<issue_listener> listener;  // null: already answered, at its deadline
    queue_clock::time_point arrived;
    std::uint64_t place{};  // a series' requests are sent in ascending order
    int conflicts{};
    bool look_up{};      // only the complete path can serve it
    bool alone{};        // its shared batch could not be issued as a whole
    bool apart{};        // not even with others of its series
    bool uncertain{};    // was in a batch whose outcome is unknown
    bool maybe_spent{};  // its batch was not plain: the key may have been spent before

    /// The request may not use the quick connection.
    bool special() const noexcept { return look_up || alone || request.hold_seconds.has_value(); }

    /// It did not happen, and a number from a reserve would serve it as well.
    bool may_be_drawn() const noexcept
    {
        return !uncertain && !maybe_spent && !request.contiguous && !request.hold_seconds;
    }
};
using queue_entries = std::vector<std::unique_ptr<queue_entry>>;

/// The waiting requests of one series, and what is known of the series.
struct series_line
{
    enum class state : std::uint8_t
    {
        idle,    // nothing waits, or batches on the other connection must end first
        queued,  // in the line of `connection`
        resting  // until `rests_until`
    };

    std::deque<std::unique_ptr<queue_entry>> entries;
    state now{};
    connection_kind connection{};  // of the line it is in, or of its batches under way
    std::size_t batches{};         // under way, all on `connection`
    std::size_t special{};         // entries not for the quick connection
    int look_ups{};                // keys repeat at present: batches left to look up at once
    queue_clock::time_point rests_until{};
    queue_clock::duration pause{};                // latest back-off; zero: not locked lately
    queue_clock::time_point shared_until{};       // another instance issues, too: lock until then
    queue_clock::time_point no_courtesy_until{};  // not released: do without it until then
    std::optional<queue_clock::time_point> locked_since{};  // its row; none: not known to be locked
    queue_clock::time_point locked_at{};                    // last found locked
    queue_clock::time_point ask_blocker_at{};               // when to ask who has locked it
    std::string blocker{};                                  // in words; empty: nobody was found
};

/// Whose turn it is: series with waiting requests, one place each, in the line of a connection. A
/// resting series blocks no other. Pure: no timers, no I/O.
class queue_lines
{
public:
    series_line& operator[](std::int32_t series_id) { return lines_[series_id]; }

    /// Queues a request behind the others of its series, or before them if it came back with a
    /// lower `place`.
    void add(std::unique_ptr<queue_entry> entry);

    /// Puts a series with waiting requests at the end of a connection's line.
    void enqueue(std::int32_t series_id, connection_kind connection);

    /// Takes a series out of the lines until the given time.
    void rest(std::int32_t series_id, queue_clock::time_point until);

    /// Takes the series whose rest is over; they are idle now.
    std::vector<std::int32_t> take_rested(queue_clock::time_point now);

    /// When the first resting series has rested long enough.
    std::optional<queue_clock::time_point> next_rested() const;

    /// Takes the next series out of a connection's line, now idle; none: the line is empty. With
    /// `smaller_than`, prefers the first series with fewer waiting requests, if there is one.
    std::optional<std::int32_t> dequeue(
        connection_kind connection, std::optional<std::size_t> smaller_than
    );

    /// Takes the first requests of a series out of its line; one that goes apart without others.
    void take(std::int32_t series_id, std::size_t at_most, queue_entries& taken);

    /// Takes out of their lines all requests for which `wanted(entry, line)` is true.
    template <class Condition>
    queue_entries take_if(Condition const& wanted);

    /// Takes every series out of the lines; they are idle now.
    std::vector<std::int32_t> dequeue_all();

    /// Waiting requests, including those of resting series.
    std::size_t waiting() const noexcept { return waiting_; }

    /// Waiting requests of the series in this connection's line.
    std::size_t waiting(connection_kind connection) const noexcept
    {
        return waiting_on_[index(connection)];
    }

    std::size_t ready(connection_kind connection) const noexcept
    {
        return ready_[index(connection)].size();
    }

    /// How many requests are sent before one more of this series, when series take turns: of each
    /// other series at most as many as wait in this one's line.
    std::size_t ahead_of(std::int32_t series_id) const;

    template <class Function>
    void for_each(Function const& use)
    {
        for (auto& [series_id, line] : lines_)
            use(series_id, line);
    }

private:
    static constexpr std::size_t index(connection_kind connection)
    {
        return static_cast<std::size_t>(connection);
    }

    void forget(series_line& line, queue_entry const& taken);

    std::unordered_map<std::int32_t, series_line> lines_;  // never shrinks: a series is for ever
    std::array<std::deque<std::int32_t>, 2> ready_;
    std::array<std::size_t, 2> waiting_on_{};
    std::multimap<queue_clock::time_point, std::int32_t> resting_;
    std::size_t waiting_{};
};

template <class Condition>
queue_entries queue_lines::take_if(Condition const& wanted)
{
    queue_entries taken;
    for (auto& [series_id, line] : lines_)
    {
        auto const before = taken.size();
        for (auto& waiting : line.entries)
            if (wanted(*waiting, line))
            {
                forget(line, *waiting);
                taken.push_back(std::move(waiting));
            }
        if (taken.size() > before)
            std::erase_if(line.entries, [](auto const& left) { return !left; });
    }
    return taken;
}

/// The series of a batch, whose requests are adjacent by series.
std::vector<std::int32_t> series_of(queue_entries const& entries);

}  // namespace gapless
