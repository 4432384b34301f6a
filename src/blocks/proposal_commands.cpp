#include "blocks/block_cases.hpp"
#include "blocks/commands.hpp"
#include "blocks/proposal_operations.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct proposal_options
{
    std::string id;
};

exit_code confirm(command_context& context, proposal_options const& wants)
{
    auto const id = read_id("ID", wants.id, "proposal");
    auto const proposal = context.ask(cases::read_proposal{id});
    auto const warnings = value_of(context.read([&](pqxx::transaction_base& transaction) {
        return proposals::read_warnings(transaction, id);
    }));
    for (auto const& warning : warnings)
        context.say(fmt::format("warning: {}: {}", warning.code, warning.detail));
    auto const& blocks = proposal.blocks;
    context.confirm(fmt::format(
        "Load what {} proposed into {}: {}…{}{}?",
        proposal.proposed_by,
        proposal.series,
        blocks.front().first.printed,
        blocks.back().last.printed,
        blocks.size() == 1 ? "" : fmt::format(", {} blocks", blocks.size())
    ));
    auto const done = context.act(cases::confirm_proposal{id});
    context.print_list(to_rows(done.blocks), columns_of<blocks::block>);
    context.say_dry_run();
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
        made.verbs.begin() + 1,  // after `list`
        verb_of<proposal_options>{
            .name = "confirm",
            .summary = "Load what somebody else proposed",
            .takes = id_parameter,
            .run = confirm}
    );
    return made;
}

}  // namespace gapless::cli
