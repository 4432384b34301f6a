#pragma once

#include "reserve/answered_keys.hpp"
#include "reserve/lease.hpp"
#include "reserve/lease_journal.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace gapless {

/// Two clocks at one moment. They part when the clock is set, or when the machine was paused in a
/// way that one of them did not see.
struct reserve_time
{
    std::chrono::nanoseconds boot{};  // CLOCK_BOOTTIME
    std::chrono::nanoseconds real{};  // CLOCK_REALTIME
};

/// What the database said of a lease when it was renewed.
struct lease_word
{
    lease_id lease;
    lease_status status{};
    std::chrono::nanoseconds draw_for{};  // from the moment the question was sent
    bool paused{};
    bool fenced{};
};

/// A draw: the answer may leave once `note` is on the disk.
struct drawn_answer
{
    issuance answer;
    lease_note::left note;
    std::uint64_t sequence{};
};

/// What decides in the reserve: whether a series may be drawn on, what a request gets, and what the
/// database has to learn. Facts and the time go in, decisions come out; no I/O, no clock. I/O
/// thread only.
///
/// A series has one lease that is drawn on at a time, from its lowest number on. Drawing needs: the
/// lease was confirmed by this process (keep(), which follows a claim), it is open and neither
/// paused nor fenced, its time is not over by CLOCK_BOOTTIME since before the last renewal was
/// sent, the two clocks have not parted by more than a second since then, the journal is healthy,
/// the request is plain (no hold, not contiguous) and fits into the rest, and its key is neither
/// known nor in doubt.
class reserve_core
{
public:
    explicit reserve_core(std::size_t keys_max) : keys_{keys_max} {}

    // What the database said.

    /// Numbers may be drawn from this lease, which this process was granted or has claimed. `sent`:
    /// before the question that this answers. Drawing begins behind the highest ordinal of it that
    /// is not settled; a lease that is kept already goes on where it was.
    void keep(lease_grant const& grant, reserve_time sent, std::chrono::nanoseconds draw_for);

    /// Contact: all leases not named end. `now` is the database's at the answer.
    void renew(std::vector<lease_word> const& words, database_time now, reserve_time sent);

    /// Nothing of the lease is drawn any more; what was stays until it is settled.
    void close(lease_id const& id);

    /// Records up to this sequence are in the database.
    void settled(std::uint64_t sequence);

    // What happened here.

    /// The records of draws up to this sequence are on the disk. Before, a repeated key is
    /// outcome_unknown: its answer may be lost yet.
    void flushed(std::uint64_t sequence) noexcept;

    /// The journal cannot be written: nothing is drawn any more. Empty: it can again (a new file).
    void note_journal(std::string trouble);

    /// A request was handed to the database; until end_doubt() nothing is drawn for its key.
    void begin_doubt(issue_request const& asked);

    /// How it ended: answered, refused, or nobody knows (then its key stays in doubt until
    /// clear_doubts()).
    void end_doubt(issue_request const& asked, result<issuance> const& outcome);

    /// The database can be asked again: what is in doubt it knows.
    void clear_doubts() { doubtful_.clear(); }

    // What is wanted.

    /// Why nothing can be drawn for that series now; none: it can.
    std::optional<refusal> obstacle(std::int32_t series_id, reserve_time now) const;

    /// Draws, repeats or refuses. Refuses with outcome_unknown while the key is in doubt, with
    /// database_unavailable where only the database can answer, with idempotency_key_reused. A draw
    /// counts as left at once: when its record cannot be flushed it is outcome_unknown, and is
    /// settled like the others.
    std::variant<drawn_answer, issuance, refusal> draw(
        issue_request const& asked, reserve_time now
    );

    /// What the database has to learn, oldest first.
    std::deque<unsettled_answer> const& unsettled() const noexcept { return unsettled_; }

    /// Takes over what an earlier process left in the journal; sequences go on behind it. Nothing
    /// is unsettled here.
    void take_over(std::vector<unsettled_answer> left, std::uint64_t next_sequence);

    /// Numbers of the series that can still be drawn, whether or not it may be at this moment.
    std::int64_t rest(std::int32_t series_id) const;

    /// The lease that the series draws on; none: it has none.
    lease_grant const* lease_of(std::int32_t series_id) const;

    /// What is known of the key without asking the database: an answer that was drawn here, or that
    /// such a key was spent on another request. None: the database is to be asked.
    std::optional<result<issuance>> find_drawn(issue_request const& asked) const;

    /// The series with a lease that was not closed, and the leases that are kept, closed ones
    /// included.
    std::vector<std::int32_t> series() const;
    std::vector<lease_grant> grants() const;

    /// The series of a lease that is kept; 0: it is not.
    std::int32_t series_of(lease_id const& id) const noexcept;

    /// Forgets leases and what is unsettled: the journal has it, and somebody else settles it.
    void forget_leases();

    std::string const& journal_trouble() const noexcept { return journal_trouble_; }

    /// The moment by the database's clock, from its last word and CLOCK_BOOTTIME; never before an
    /// earlier one that was told.
    database_time database_now(reserve_time now) const;

private:
    struct lease
    {
        lease_grant grant;
        std::int64_t drawn{};
        reserve_time sent;                    // before the question that was answered last
        std::chrono::nanoseconds draw_for{};  // from then on, by CLOCK_BOOTTIME
        lease_status status{lease_status::open};
        bool paused{};
        bool fenced{};
    };

    struct key_name
    {
        std::int32_t owner_id{};
        idempotency_key key;

        friend bool operator==(key_name const&, key_name const&) = default;
    };
    struct hash_of_key
    {
        std::size_t operator()(key_name const& one) const noexcept;
    };
    using keys = std::unordered_set<key_name, hash_of_key>;

    /// The lease of the series that was not closed; null: there is none.
    lease const* open_lease(std::int32_t series_id) const noexcept;

    /// Why only the database can answer this request, or nobody; none: a draw may.
    std::optional<refusal> key_obstacle(issue_request const& asked) const;

    /// Whether the answer that was drawn for that key is on the disk, or settled.
    bool is_on_disk(issue_request const& asked) const noexcept;

    drawn_answer take(lease& from, issue_request const& asked, reserve_time now);

    answered_keys keys_;
    std::unordered_map<std::int32_t, lease> leases_;            // by series
    std::unordered_map<key_name, int, hash_of_key> under_way_;  // requests with the database
    keys doubtful_;
    keys earlier_;  // of unsettled answers that were taken over, or that no file got
    std::deque<unsettled_answer> unsettled_;
    std::uint64_t next_sequence_{1};
    std::uint64_t flushed_{};
    std::string journal_trouble_;
    std::optional<reserve_time> contact_;  // when the last question that was answered was sent
    database_time contact_moment_{};       // what the database's clock said then
    mutable database_time told_{};
};

}  // namespace gapless
