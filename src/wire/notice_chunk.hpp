#pragma once

#include "domain/notice.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// One notice of a chunk, and what decides who may have it.
struct notice_event
{
    std::int64_t seq{};
    std::optional<std::string> series;
    std::string kind;
    std::size_t end{};  // of its text in the chunk
};

/// Notices as the events of a stream, one behind the other in one text, which all streams share:
/// it is made once.
struct notice_chunk
{
    std::int64_t after{};  // of what lies between the two every notice is here that was asked for
    std::int64_t last{};
    std::string text{};
    std::vector<notice_event> events{};  // by seq
};

/// A chunk has not many more bytes: a write of it keeps nobody else waiting.
inline constexpr std::size_t chunk_bytes_max = 32 * 1'024;

using notice_chunks = std::vector<std::shared_ptr<notice_chunk const>>;

/// Makes chunks of notices that follow `after`, in their order. Together they reach to `through`,
/// though the notices may not: what is missing there was not asked for.
notice_chunks to_chunks(
    std::int64_t after, std::vector<notice_record> const& notices, std::int64_t through
);

}  // namespace gapless
