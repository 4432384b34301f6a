#include "notices/notice_facts.hpp"

#include "base/moment.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

std::string notice_facts::text(std::string const& member) const
{
    auto const found = data_.find(member);
    if (found == data_.end() || found->is_null())
        return "?";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<std::chrono::sys_days> notice_facts::day(char const* member) const
{
    auto const found = data_.find(member);
    if (found == data_.end() || !found->is_string())
        return std::nullopt;
    return read_date(found->get_ref<std::string const&>());
}

}  // namespace gapless
