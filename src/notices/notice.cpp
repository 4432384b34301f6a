#include "notices/notice.hpp"

#include <algorithm>

namespace gapless {

bool is_notice_kind(std::string_view name) noexcept
{
    return std::ranges::find(notice_kinds, name) != notice_kinds.end();
}

}  // namespace gapless
