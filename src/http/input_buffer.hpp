#pragma once

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace gapless {

/// Received bytes not consumed yet, contiguous. Views into it last until the next prepare().
class input_buffer
{
public:
    std::string_view bytes() const noexcept { return {memory_.get() + begin_, end_ - begin_}; }

    bool empty() const noexcept { return begin_ == end_; }

    /// Makes room for at least `wanted` more bytes after the existing ones. Moves them only if it
    /// must.
    boost::asio::mutable_buffer prepare(std::size_t wanted)
    {
        if (capacity_ - end_ < wanted)
            make_room(wanted);
        return {memory_.get() + end_, capacity_ - end_};
    }

    /// `count` bytes were written into the prepared room.
    void commit(std::size_t count) noexcept { end_ += count; }

    /// Discards the first `count` bytes. An empty buffer that has grown frees its memory.
    void consume(std::size_t count) noexcept
    {
        begin_ += count;
        if (begin_ != end_)
            return;
        begin_ = end_ = 0;
        if (capacity_ > kept_bytes_max)
        {
            memory_.reset();
            capacity_ = 0;
        }
    }

private:
    static constexpr std::size_t kept_bytes_max = 16 * 1'024;

    void make_room(std::size_t wanted)
    {
        auto const used = end_ - begin_;
        if (capacity_ - used >= wanted)
            std::memmove(memory_.get(), memory_.get() + begin_, used);
        else
        {
            auto larger = std::make_unique_for_overwrite<char[]>(used + wanted);
            if (used > 0)
                std::memcpy(larger.get(), memory_.get() + begin_, used);
            memory_ = std::move(larger);
            capacity_ = used + wanted;
        }
        begin_ = 0;
        end_ = used;
    }

    std::unique_ptr<char[]> memory_;
    std::size_t capacity_{};
    std::size_t begin_{};
    std::size_t end_{};
};

}  // namespace gapless
