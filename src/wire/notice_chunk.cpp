#include "wire/notice_chunk.hpp"

#include "wire/notice_json.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

notice_chunks to_chunks(
    std::int64_t after, std::vector<notice_record> const& notices, std::int64_t through
)
{
    notice_chunks made;
    notice_chunk current{.after = after, .last = after};
    for (auto const& notice : notices)
    {
        if (current.text.size() >= chunk_bytes_max)
        {
            notice_chunk const next{.after = current.last, .last = current.last};
            made.push_back(std::make_shared<notice_chunk const>(std::exchange(current, next)));
        }
        append_notice_event(notice, current.text);
        current.events.push_back({notice.seq, notice.series, notice.kind, current.text.size()});
        current.last = notice.seq;
    }
    current.last = std::max(current.last, through);
    if (current.last > current.after)
        made.push_back(std::make_shared<notice_chunk const>(std::move(current)));
    return made;
}

}  // namespace gapless
