#pragma once

#include "base/refusal.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace gapless {

/// Limits how many requests of each client run at the same time. While few run in all, a client
/// takes as many places as it likes; beyond, only clients below `each_max` get one, so that no
/// client can take them all. I/O thread only.
class concurrency_limit
{
public:
    /// `each_max` places for each client once `scarce_from` are taken in all.
    concurrency_limit(std::size_t each_max, std::size_t scarce_from)
        : each_max_{each_max},
          scarce_from_{scarce_from}
    {
    }

    /// A place that was taken; its destructor gives it back. An empty one holds none.
    class place
    {
    public:
        place() = default;
        place(place&& other) noexcept
            : owner_{std::exchange(other.owner_, nullptr)},
              taken_{other.taken_}
        {
        }
        place& operator=(place&&) = delete;
        ~place()
        {
            if (owner_ == nullptr)
                return;
            --owner_->all_;
            if (--taken_->second == 0)
                owner_->taken_.erase(taken_);
        }

    private:
        friend concurrency_limit;
        using entry = std::map<std::string, std::size_t>::iterator;
        place(concurrency_limit& owner, entry taken) : owner_{&owner}, taken_{taken}
        {
            ++taken_->second;
            ++owner_->all_;
        }

        concurrency_limit* owner_{};
        entry taken_{};
    };

    /// Takes a place for `client`. Refuses with overloaded.
    result<place> take(std::string client)
    {
        auto const found = taken_.try_emplace(std::move(client), 0).first;
        if (found->second >= each_max_ && all_ >= scarce_from_)
            return refusal{
                refusal_kind::overloaded,
                "too many requests of this client wait for the database; send fewer at a time"};
        return place{*this, found};
    }

private:
    std::size_t each_max_;
    std::size_t scarce_from_;
    std::size_t all_{};                         // places taken
    std::map<std::string, std::size_t> taken_;  // by client; absent: 0
};

}  // namespace gapless
