#include "postgres/warning_watch.hpp"

#include <string_view>

namespace gapless {

warning_watch::warning_watch(pqxx::connection& connection)
    : listener_{connection, [this](std::string_view notice) {
                    if (notice.starts_with("WARNING"))
                        text_ = notice;
                }}
{
}

}  // namespace gapless
