#include "store/notices.hpp"

#include <string_view>

namespace gapless {

/// libpqxx calls it with the text of each notice, prefixed by its severity.
class warning_watch::handler : public pqxx::errorhandler
{
public:
    explicit handler(pqxx::connection& connection) : pqxx::errorhandler{connection} {}

    bool operator()(char const message[]) noexcept override
    {
        if (std::string_view{message}.starts_with("WARNING"))
            text_ = message;
        return true;
    }

    std::string text_;
};

warning_watch::warning_watch(pqxx::connection& connection)
    : handler_{std::make_unique<handler>(connection)}
{
}

warning_watch::~warning_watch() = default;

bool warning_watch::warned() const noexcept
{
    return !handler_->text_.empty();
}

std::string const& warning_watch::text() const noexcept
{
    return handler_->text_;
}

}  // namespace gapless
