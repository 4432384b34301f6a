#pragma once

#include "base/refusal.hpp"
#include "notices/notice_store.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of notices; see formats/find_series.hpp.
namespace gapless::cases {

/// A published notice: its JSON, and what decides who may see it.
struct told_notice
{
    std::int64_t seq{};
    std::optional<std::string> series;
    std::string kind;
    std::string json;
};

/// Notices by seq, and the readable range at that moment.
struct notice_list
{
    notice_bounds bounds;
    std::vector<told_notice> notices;
};

/// Published notices, the oldest first. Refuses with unknown_series, forbidden.
struct list_notices
{
    using answer = notice_list;
    notice_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Publishes findings in one series, unless findings of all series were reported. At most once
/// until a verification of all series finds nothing.
struct tell_findings
{
    using answer = std::int64_t;  // number of findings
    std::int64_t findings{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
