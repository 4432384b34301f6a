#include "cli/row_writer.hpp"

#include "cli/failure.hpp"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

namespace gapless::cli {

void append_json_text(std::string& out, std::string_view text)
{
    using nlohmann::json;
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Printing is silent then; but nobody needs the millions of rows that may follow.
void row_writer::stop_if_unread()
{
    pollfd out{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    if (::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0)
        throw command_failed{exit_code::failure, "the reader has gone; the list is not complete"};
}

}  // namespace gapless::cli
