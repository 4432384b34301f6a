#include "postgres/warning_watch.hpp"

#include <string_view>

namespace gapless {

warning_watch::warning_watch(pqxx::connection& connection)
    // Its severity is in the server's language; session_settings lets only warnings through.
    : listener_{connection, [this](std::string_view notice) { text_ = notice; }}
{
}

}  // namespace gapless
