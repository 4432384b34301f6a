#include "notices/notice.hpp"

#include "base/written_value.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless {

bool is_notice_kind(std::string_view name) noexcept
{
    return std::ranges::find(notice_kinds, name) != notice_kinds.end();
}

std::string unknown_notice_kind(std::string_view name)
{
    return fmt::format(
        "{} is no kind of notice; there are {}",
        written::to_quoted(name),
        fmt::join(notice_kinds, ", ")
    );
}

}  // namespace gapless
