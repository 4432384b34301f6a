#include "cli/row_writer.hpp"

#include "cli/failure.hpp"

#include <nlohmann/json.hpp>

namespace gapless::cli {

void append_json_text(std::string& out, std::string_view text)
{
    using nlohmann::json;
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

command_failed list_unread()
{
    return {exit_code::failure, "the reader has gone; the list is not complete"};
}

}  // namespace gapless::cli
