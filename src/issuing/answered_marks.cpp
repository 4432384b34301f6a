#include "issuing/answered_marks.hpp"

#include <algorithm>

namespace gapless {

void answered_marks::connect(std::string const& server, admitted_database const& found)
{
    if (server != server_)
        present_.clear();
    server_ = server;
    epoch_ = std::max(epoch_, found.epoch);
    forget_voided_turns(found.voided_epoch);
    for (auto mark : found.marks)
    {
        if (found.epoch < voided_epoch_)
            mark.turn = 0;
        present_[mark.series_id].raise(mark);
    }
}

std::string answered_marks::take(std::vector<result<issuance>> const& answers)
{
    // Compare every answer with what was known before the batch.
    for (auto const& answer : answers)
        if (answer.has_value() && !answer->replayed)
            if (auto why = find_contradiction(*answer); !why.empty())
                return why;
    for (auto const& answer : answers)
    {
        if (answer.has_error())
            continue;
        epoch_ = std::max(epoch_, answer->epoch);
        for (auto const& range : answer->ranges)
            answered_[answer->series_id].raise(
                {answer->series_id,
                 range.ordinal + range.count - 1,
                 answer->epoch >= voided_epoch_ ? range.turn : 0}
            );
    }
    return {};
}

series_mark answered_marks::of(std::int32_t series_id) const
{
    series_mark known{.series_id = series_id};
    for (auto const* all : {&answered_, &present_})
        if (auto const found = all->find(series_id); found != all->end())
            known.raise(found->second);
    return known;
}

void answered_marks::forget_voided_turns(std::int32_t voided_epoch)
{
    if (voided_epoch <= voided_epoch_)
        return;
    voided_epoch_ = voided_epoch;
    for (auto* all : {&answered_, &present_})
        for (auto& [series_id, mark] : *all)
            mark.turn = 0;
}

std::string answered_marks::find_contradiction(issuance const& answer) const
{
    // Not compared with what the database had issued: a new connection may already see this batch.
    auto const found = answered_.find(answer.series_id);
    if (found == answered_.end())
        return {};
    auto const& known = found->second;
    for (auto const& range : answer.ranges)
        if (range.turn == 0 ? range.ordinal <= known.ordinal
                            : answer.epoch >= voided_epoch_ && range.turn <= known.turn)
            return "the database has issued ordinal " + std::to_string(range.ordinal) +
                   " in turn " + std::to_string(range.turn) + " of series " +
                   std::to_string(answer.series_id) + ", but ordinal " +
                   std::to_string(known.ordinal) + " in turn " + std::to_string(known.turn) +
                   " was answered before";
    return {};
}

}  // namespace gapless
