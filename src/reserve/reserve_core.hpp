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

/// Two clocks at one moment. They diverge when the clock is set, or when the machine was suspended
/// in a way that one of them did not notice.
struct reserve_time
{
    std::chrono::nanoseconds boot{};  // CLOCK_BOOTTIME
    std::chrono::nanoseconds real{};  // CLOCK_REALTIME
};

/// What the database reported of a lease when it was renewed.
struct lease_word
{
    lease_id lease;
    lease_status status{};
    std::chrono::nanoseconds draw_for{};  // from when the request was sent
    bool paused{};
    bool fenced{};
};

/// A draw: the answer may be sent once `note` is on the disk.
struct drawn_answer
{
    issuance answer;
    lease_note::left note;
    std::uint64_t sequence{};
};

/// Decides for the reserve: whether a series may be drawn on, what a request gets, and what the
/// database has to record. Facts and the time go in, decisions come out; no I/O, no clock. I/O
/// thread only.
///
/// A series draws on one lease at a time, from its lowest number on. Drawing requires that this
/// process has confirmed the lease (keep(), after a claim), that it is open and neither paused nor
/// fenced, that its time, counted by CLOCK_BOOTTIME from before the last renewal was sent, is not
/// over, that the two clocks have not diverged by more than a second since then, that the journal
/// is healthy, that no key in doubt had to be forgotten, and that the request is plain (no hold,
/// not contiguous), fits into the rest and has a key that is neither known nor in doubt.
class reserve_core
{
public:
    /// Remembers so many answered keys, and as many that are in doubt.
    explicit reserve_core(std::size_t keys_max) : keys_max_{keys_max}, keys_{keys_max} {}

    // What the database reported.

    /// Allows drawing from a lease that this process was granted or has claimed. `sent`: before the
    /// request that this answers was sent. Drawing starts after its highest unsettled ordinal; a
    /// lease that is already kept continues where it was.
    void keep(lease_grant const& grant, reserve_time sent, std::chrono::nanoseconds draw_for);

    /// Contact with the database: leases not named end. `now` is the database's time of the answer.
    void renew(std::vector<lease_word> const& words, database_time now, reserve_time sent);

    /// Stops drawing on the lease; answers already drawn stay until they are settled.
    void close(lease_id const& id);

    /// Records up to this sequence are in the database; with a lease, only those of it.
    void settled(std::uint64_t sequence);
    void settled(lease_id const& id, std::uint64_t sequence);

    // What happened here.

    /// The records of draws up to this sequence are on the disk. Until then a repeated key is
    /// outcome_unknown, because its answer may still be lost.
    void flushed(std::uint64_t sequence) noexcept;

    /// The journal cannot be written: drawing stops. Empty: it can again (a new file).
    void note_journal(std::string trouble);

    /// A request was handed to the database; nothing is drawn for its key until end_doubt().
    void begin_doubt(issue_request const& asked);

    /// Reports how it ended: answered, refused, or unknown. A key whose outcome is unknown stays in
    /// doubt, in later outages as well, until the database answers it with an issuance: a refusal
    /// does not say that an earlier COMMIT with the key never comes.
    void end_doubt(issue_request const& asked, result<issuance> const& outcome);

    // Queries and draws.

    /// Why nothing can be drawn for that series now; nullopt: drawing is possible.
    std::optional<refusal> obstacle(std::int32_t series_id, reserve_time now) const;

    /// Draws, repeats or refuses. Refuses with outcome_unknown while the key is in doubt, with
    /// database_unavailable if only the database can answer, with idempotency_key_reused. A draw
    /// counts as issued at once: if its record cannot be flushed, it is outcome_unknown and is
    /// settled like the others.
    std::variant<drawn_answer, issuance, refusal> draw(
        issue_request const& asked, reserve_time now
    );

    /// What the database has to record, oldest first.
    std::deque<unsettled_answer> const& unsettled() const noexcept { return unsettled_; }

    /// The sequence of the latest draw; 0: there was none.
    std::uint64_t drawn() const noexcept { return next_sequence_ - 1; }

    /// Takes over the answers that an earlier process left in the journal; sequences continue after
    /// them. Nothing may be unsettled here.
    void take_over(std::vector<unsettled_answer> left, std::uint64_t next_sequence);

    /// Numbers of the series still left to draw, whether or not drawing is allowed right now.
    std::int64_t rest(std::int32_t series_id) const;

    /// The lease that the series draws on; null: none.
    lease_grant const* lease_of(std::int32_t series_id) const;

    /// The answer to the key without asking the database: one that was drawn here, or that the key
    /// was spent on another request. Nullopt: ask the database.
    std::optional<result<issuance>> find_drawn(issue_request const& asked) const;

    /// The series with a lease that was not closed, and the leases that are kept, closed ones
    /// included.
    std::vector<std::int32_t> series() const;
    std::vector<lease_grant> grants() const;

    /// The series of a lease that is kept; 0: the lease is not kept.
    std::int32_t series_of(lease_id const& id) const noexcept;

    /// Forgets leases and unsettled answers: the journal has them, and is settled separately.
    void forget_leases();

    std::string const& journal_trouble() const noexcept { return journal_trouble_; }

    /// The database's time, from its last answer and CLOCK_BOOTTIME; never before one that was
    /// returned earlier.
    database_time database_now(reserve_time now) const;

private:
    struct lease
    {
        lease_grant grant;
        std::int64_t drawn{};
        reserve_time sent;                    // before the last answered request was sent
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

    /// The series' lease that was not closed; null: none.
    lease const* open_lease(std::int32_t series_id) const noexcept;

    /// Why a request may not be drawn, for its key; nullopt: it may.
    std::optional<refusal> key_obstacle(issue_request const& asked) const;

    /// Whether the answer that was drawn for that key is on the disk, or settled.
    bool is_on_disk(issue_request const& asked) const noexcept;

    void note_settled(lease_left const& left);
    drawn_answer take(lease& from, issue_request const& asked, reserve_time now);

    std::size_t keys_max_;
    answered_keys keys_;
    std::unordered_map<std::int32_t, lease> leases_;            // by series
    std::unordered_map<key_name, int, hash_of_key> under_way_;  // requests with the database
    keys doubtful_;
    bool forgot_doubts_{};  // there were more; nothing is drawn any more
    keys earlier_;          // of unsettled answers taken over, or that no file got
    std::deque<unsettled_answer> unsettled_;
    std::uint64_t next_sequence_{1};
    std::uint64_t flushed_{};
    std::string journal_trouble_;
    std::optional<reserve_time> contact_;  // when the last answered request was sent
    database_time contact_moment_{};       // the database's time then
    mutable database_time told_{};
};

}  // namespace gapless
