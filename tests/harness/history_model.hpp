#pragma once

#include "harness/issuing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// A block that was loaded.
struct model_block
{
    std::int32_t id{};
    std::int64_t first{};
    std::int64_t next{};  // the first serial that did not leave
    std::int64_t last{};
};

/// What a series must do, told in the simplest words: blocks in a row, taken from the front.
struct model_series
{
    std::vector<model_block> queue;  // the first one is open once a number of it left
    std::vector<model_block> ended;  // used up, closed or recalled
    bool opened{};
    bool paused{};

    bool open_is_used_up() const { return opened && queue.front().next > queue.front().last; }

    std::int64_t remaining() const
    {
        std::int64_t sum = 0;
        for (auto const& block : queue)
            sum += block.last - block.next + 1;
        return sum;
    }

    /// Nothing of the block at that place leaves any more.
    void end(std::size_t place)
    {
        ended.push_back(queue[place]);
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
        if (place == 0)
            opened = false;
    }

    /// Any of its blocks: queued ones first.
    std::optional<std::reference_wrapper<model_block>> block_at(std::size_t place)
    {
        if (place < queue.size())
            return queue[place];
        if (place < queue.size() + ended.size())
            return ended[place - queue.size()];
        return std::nullopt;
    }

    /// Takes the next numbers; the caller has checked that there are enough.
    std::string take(std::int64_t count)
    {
        std::string ranges;
        while (count > 0)
        {
            if (open_is_used_up())
                end(0);
            auto& block = queue.front();
            auto const taken = std::min(count, block.last - block.next + 1);
            ranges += (ranges.empty() ? "" : " ") + std::to_string(block.next) + "-" +
                      std::to_string(block.next + taken - 1);
            block.next += taken;
            count -= taken;
            opened = true;
        }
        return ranges;
    }

    /// The room of the first block that has any.
    std::int64_t room_in_one_piece() const
    {
        for (auto const& block : queue)
            if (block.next <= block.last)
                return block.last - block.next + 1;
        return 0;
    }
};

/// All series of a database, and what was answered.
struct model
{
    std::map<std::string, model_series> series;
    std::map<std::string, std::pair<std::string, std::string>> answers;  // key -> request, ranges
    std::vector<block_ends> loaded;

    std::string issue(std::string const& name, wanted const& request)
    {
        auto& one = series[name];
        auto const asked = name + "/" + std::to_string(request.count) + "/" + request.reference +
                           (request.contiguous ? "/c" : "");
        if (auto const answer = answers.find(request.key); answer != answers.end())
            return answer->second.first == asked ? "again " + answer->second.second
                                                 : "refused: idempotency-key-reused";
        if (one.paused)
            return "refused: series-paused";
        if (one.remaining() < request.count)
            return "refused: series-exhausted";
        if (request.contiguous && one.room_in_one_piece() < request.count)
            return "refused: not-contiguous";
        auto const ranges = one.take(request.count);
        answers[request.key] = {asked, ranges};
        return ranges;
    }

    bool overlaps(block_ends const& ends) const
    {
        return std::ranges::any_of(loaded, [&](auto const& other) {
            return ends.first <= other.last && other.first <= ends.last;
        });
    }
};

}  // namespace gapless::test
