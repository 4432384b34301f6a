#pragma once

#include "service/event_stream.hpp"
#include "store/notice_store.hpp"
#include "wire/notice_chunk.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace gapless {

/// The latest chunks of notices, for streams that are nearly up to date. Bounded; streams that are
/// further behind read from the database. Only decides.
class notice_ring
{
public:
    /// Keeps about so many bytes of text.
    explicit notice_ring(std::size_t bytes_max) : bytes_max_{bytes_max} {}

    /// Forgets all chunks; the next one follows `last`.
    void restart(std::int64_t last);

    /// Adds the chunk that follows the last one, and forgets the oldest where there are too many.
    void append(std::shared_ptr<notice_chunk const> chunk);

    /// Up to which seq notices were added, or were known before.
    std::int64_t last() const noexcept { return last_; }

    /// The chunk with what follows `seq`. Null: it is here no longer, or nothing follows.
    std::shared_ptr<notice_chunk const> find(std::int64_t seq) const;

private:
    std::size_t bytes_max_;
    std::size_t bytes_{};
    std::int64_t last_{};
    std::deque<std::shared_ptr<notice_chunk const>> chunks_;
};

/// Which notices a stream sends: what its client wants, of what its token may see.
struct notice_filter
{
    std::optional<std::string> series{};  // none: any, and those that concern no series
    std::optional<std::string> kind{};    // none: any
    notice_reach reach{};

    bool passes(notice_event const& event) const;
};

/// The events of a chunk that follow `seq` and pass; empty where none does.
stream_piece pick(
    std::shared_ptr<notice_chunk const> const& chunk, std::int64_t seq, notice_filter const& filter
);

}  // namespace gapless
