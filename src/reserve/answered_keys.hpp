#pragma once

#include "issuing/issuance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gapless {

/// The keys that this instance answered most recently. In an outage a repeated key gets its numbers
/// again if they were drawn in this outage, since nothing can have happened to them; for others
/// only the database knows. The oldest key is forgotten first. I/O thread only.
class answered_keys
{
public:
    /// `keys_max`: 1..2^30. They take up to 100 bytes each.
    explicit answered_keys(std::size_t keys_max);

    /// Notes an answer that the database gave: known, but not repeated.
    void note(issue_request const& asked, issuance const& answer);

    /// Notes a drawn answer, of one range: repeated until settled() is called with its key.
    void note_drawn(issue_request const& asked, issuance const& answer);

    /// Tells that the database knows the key by now.
    void settled(std::int32_t owner_id, idempotency_key const& key) noexcept;

    struct unknown
    {
    };
    struct not_repeatable  // answered before; only the database knows with which numbers
    {
    };

    /// The answer to a request with this key: the same as before (replayed), a refusal
    /// (idempotency_key_reused if it asks for something else), or unknown.
    using verdict = std::variant<unknown, not_repeatable, issuance, refusal>;
    verdict find(issue_request const& asked) const;

    /// Whether the next new key would have a drawn answer forgotten that is not settled.
    bool is_full_of_drawn() const noexcept;

    std::size_t size() const noexcept { return answers_.size(); }

private:
    struct answer
    {
        idempotency_key key;
        std::int32_t owner_id{};
        std::int32_t series_id{};
        std::int64_t ordinal{};
        std::int64_t serial{};
        database_time issued_at;
        std::uint64_t reference{};  // hash of it; 0: none
        std::int32_t count{};       // of the issuance
        std::int32_t block_id{};
        std::int32_t epoch{};
        std::int32_t turn{};
        std::int32_t hold_seconds{};  // 0: none
        bool contiguous{};
        bool drawn{};  // and not settled yet
    };

    using place = std::uint32_t;  // in answers_, from 1; 0: none

    std::size_t hash_of(std::int32_t owner_id, idempotency_key const& key) const noexcept;
    std::uint64_t hash_of(std::optional<std::string> const& reference) const noexcept;

    /// The slot of index_ that holds the key, or would hold it.
    std::size_t slot_of(std::int32_t owner_id, idempotency_key const& key) const noexcept;

    /// The answer to fill in: the key's own, a new one, or the oldest one's.
    answer& answer_for(std::int32_t owner_id, idempotency_key const& key);

    void empty_slot(std::size_t slot) noexcept;

    answer& fill(issue_request const& asked, issuance const& answered);

    std::size_t keys_max_;
    std::uint64_t seed_;          // keeps clients from choosing keys that share a slot
    std::deque<answer> answers_;  // a ring once full: oldest_ is replaced next
    std::size_t oldest_{};
    std::vector<place> index_;  // open addressing; at most half full
};

}  // namespace gapless
