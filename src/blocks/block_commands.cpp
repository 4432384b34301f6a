#include "base/text.hpp"
#include "blocks/block_load.hpp"
#include "blocks/commands.hpp"
#include "blocks/operations.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "reserve/lease_telling.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

/// For a block that ended: tells what is never issued, and what instances still have.
void tell_end(command_context& context, operation const& done, nlohmann::ordered_json const& block)
{
    auto const closed = done.verb == "close";
    if (!closed && done.verb != "recall")
        return;
    auto const number_of = [&](char const* name) {
        return read_decimal<std::int64_t>(block[name].get<std::string>()).value_or(0);
    };
    if (closed)
        context.say(fmt::format(
            "{} numbers will never be issued",
            block["count"].get<std::int64_t>() - number_of("elsewhere") - number_of("issued")
        ));
    say_recalled(context, block["series"].get<std::string>());
}

}  // namespace

noun block_commands()
{
    auto made = operation_commands(blocks::administration, nullptr, tell_end);
    made.verbs.insert(made.verbs.begin(), block_load());
    return made;
}

}  // namespace gapless::cli
