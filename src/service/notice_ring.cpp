#include "service/notice_ring.hpp"

#include "base/contract.hpp"

#include <algorithm>

namespace gapless {

void notice_ring::restart(std::int64_t last)
{
    chunks_.clear();
    bytes_ = 0;
    last_ = last;
}

void notice_ring::append(std::shared_ptr<notice_chunk const> chunk)
{
    ensure(chunk->after == last_, "chunks of notices follow one another");
    last_ = chunk->last;
    bytes_ += chunk->text.size();
    chunks_.push_back(std::move(chunk));
    while (bytes_ > bytes_max_ && chunks_.size() > 1)
    {
        bytes_ -= chunks_.front()->text.size();
        chunks_.pop_front();
    }
}

std::shared_ptr<notice_chunk const> notice_ring::find(std::int64_t seq) const
{
    if (chunks_.empty() || seq < chunks_.front()->after)
        return nullptr;
    auto const last_of = [](auto const& chunk) { return chunk->last; };
    auto const found = std::ranges::upper_bound(chunks_, seq, {}, last_of);
    return found == chunks_.end() ? nullptr : *found;
}

bool notice_filter::passes(notice_event const& event) const
{
    if (kind && event.kind != *kind)
        return false;
    if (series && event.series != series)
        return false;
    if (!event.series)
        return reach.whole;
    return !reach.series || std::ranges::find(*reach.series, *event.series) != reach.series->end();
}

stream_piece pick(
    std::shared_ptr<notice_chunk const> const& chunk, std::int64_t seq, notice_filter const& filter
)
{
    stream_piece piece{.text = chunk};
    std::string_view const text{chunk->text};
    std::size_t begin = 0;
    bool joins = false;  // the event before is in the last part
    for (auto const& event : chunk->events)
    {
        auto const part = text.substr(begin, event.end - begin);
        begin = event.end;
        auto const wanted = event.seq > seq && filter.passes(event);
        if (wanted && joins)
            piece.parts.back() = {
                piece.parts.back().data(), piece.parts.back().size() + part.size()};
        else if (wanted)
            piece.parts.push_back(part);
        joins = wanted;
    }
    return piece;
}

}  // namespace gapless
