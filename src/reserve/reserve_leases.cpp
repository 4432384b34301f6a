#include "reserve/reserve_core.hpp"

#include <algorithm>
#include <ranges>

/// What others ask the reserve: which leases there are, and what was drawn.
namespace gapless {

std::optional<result<issuance>> reserve_core::find_drawn(issue_request const& asked) const
{
    auto const is_asked = [&](unsettled_answer const& one) {
        return one.left.owner_id == asked.owner_id && one.left.key == asked.key;
    };
    auto known = keys_.find(asked);
    if (auto* const answer = std::get_if<issuance>(&known); answer && answer->reserve)
    {
        if (!is_on_disk(asked))
            return refusal{
                refusal_kind::outcome_unknown,
                "the numbers of this key are not on the disk yet; repeat with the same key"};
        return std::move(*answer);
    }
    if (auto* const why = std::get_if<refusal>(&known);
        why && std::ranges::any_of(unsettled_, is_asked))
        return std::move(*why);
    return std::nullopt;
}

std::vector<std::int32_t> reserve_core::series() const
{
    std::vector<std::int32_t> all;
    for (auto const& [series_id, one] : leases_)
        if (one.status == lease_status::open)
            all.push_back(series_id);
    return all;
}

std::vector<lease_grant> reserve_core::grants() const
{
    std::vector<lease_grant> all;
    for (auto const& one : leases_ | std::views::values)
        all.push_back(one.grant);
    return all;
}

std::int32_t reserve_core::series_of(lease_id const& id) const noexcept
{
    for (auto const& [series_id, one] : leases_)
        if (one.grant.lease == id)
            return series_id;
    return 0;
}

void reserve_core::forget_leases()
{
    leases_.clear();
    unsettled_.clear();
    earlier_.clear();
}

}  // namespace gapless
