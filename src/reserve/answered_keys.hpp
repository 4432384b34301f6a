#pragma once

#include "domain/issuance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <variant>

namespace gapless {

/// The keys that this instance answered last, with what it answered: in an outage a repeated key
/// gets the same numbers. The oldest is forgotten first. I/O thread only.
class answered_keys
{
public:
    explicit answered_keys(std::size_t keys_max) : keys_max_{keys_max} {}

    /// Notes an answer with numbers, drawn or issued by the database. An issuance of several ranges
    /// or on hold is known, but not repeated.
    void note(issue_request const& asked, issuance const& answer);

    struct unknown
    {
    };
    struct not_repeatable  // it was answered; only the database can say with what
    {
    };

    /// What a request with this key gets: the same answer (replayed), a refusal
    /// (idempotency_key_reused, when it asks for something else), or nothing is known.
    using verdict = std::variant<unknown, not_repeatable, issuance, refusal>;
    verdict find(issue_request const& asked) const;

    std::size_t size() const noexcept { return known_.size(); }

private:
    struct name
    {
        std::int32_t owner_id{};
        idempotency_key key;

        friend bool operator==(name const&, name const&) = default;
    };
    struct hash_of_name
    {
        std::size_t operator()(name const& one) const noexcept;
    };
    struct answer
    {
        std::int32_t series_id{};
        std::int32_t epoch{};
        database_time issued_at;
        issued_range range;
        std::uint64_t reference{};  // its hash; 0: none
        bool repeatable{};
        bool reserve{};
    };

    std::size_t keys_max_;
    std::unordered_map<name, answer, hash_of_name> known_;
    std::deque<name> order_;  // oldest first
};

}  // namespace gapless
