#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/session.hpp"
#include "cases/blocks.hpp"
#include "proposals/operations.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct proposal_options
{
    std::string id;
};

std::int32_t read_proposal_id(std::string const& text)
{
    auto const id = read_integer(text, 1, std::numeric_limits<std::int32_t>::max());
    if (id.has_error())
        throw usage_error(
            fmt::format("ID: {}; 'gapless proposal list' shows the ids", id.error().detail)
        );
    return static_cast<std::int32_t>(*id);
}

exit_code confirm(session& session, proposal_options const& wants)
{
    auto const id = read_proposal_id(wants.id);
    auto const proposal = session.ask(cases::read_proposal{id});
    auto const& blocks = proposal.blocks;
    session.confirm(fmt::format(
        "Load what {} proposed into {}: {}…{}{}?",
        proposal.proposed_by,
        proposal.series,
        blocks.front().first.printed,
        blocks.back().last.printed,
        blocks.size() == 1 ? "" : fmt::format(", {} blocks", blocks.size())
    ));
    auto rows = json::array();
    for (auto const& block : session.act(cases::confirm_proposal{id}))
        rows.push_back(to_json(block));
    session.print_list(rows, columns_of<blocks::block>);
    session.say_dry_run();
    return exit_code::ok;
}

parameters id_parameter(proposal_options& into)
{
    return {{.name = "ID", .into = &into.id, .help = "Id of the proposal", .required = true}};
}

}  // namespace

noun proposal_commands()
{
    auto made = operation_commands(proposals::administration);
    made.verbs.insert(
        made.verbs.begin() + 1,  // behind `list`
        verb_of<proposal_options>{
            .name = "confirm",
            .summary = "Load what somebody else proposed",
            .takes = id_parameter,
            .run = confirm}
    );
    return made;
}

}  // namespace gapless::cli
