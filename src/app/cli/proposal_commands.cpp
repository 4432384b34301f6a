#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/proposal_columns.hpp"
#include "app/cli/session.hpp"
#include "cases/carriers.hpp"
#include "cases/series.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct proposal_options
{
    std::string id;
};

constexpr std::array proposal_columns{
    column{.key = "id", .number = true},
    column{.key = "state"},
    column{.key = "series"},
    column{.key = "proposed_by"},
    column{.key = "expires_at"},
    column{.key = "settled_by"},
    column{.key = "blocks"},
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

json to_row(session& session, proposal_record const& proposal)
{
    return to_json(proposal, session.ask(cases::find_series{proposal.series}).format);
}

exit_code list(session& session, proposal_options const&)
{
    auto rows = json::array();
    for (auto const& proposal : session.ask(cases::list_proposals{}))
        rows.push_back(to_row(session, proposal));
    session.print_list(rows, proposal_columns);
    return exit_code::ok;
}

exit_code confirm(session& session, proposal_options const& wants)
{
    auto const id = read_proposal_id(wants.id);
    auto const proposal = session.ask(cases::read_proposal{id});
    auto const series = session.ask(cases::find_series{proposal.series});
    session.confirm(fmt::format(
        "Load what {} proposed into {}: {}…{}{}?",
        proposal.proposed_by,
        proposal.series,
        series.format.to_number(proposal.blocks.front().first),
        series.format.to_number(proposal.blocks.back().last),
        proposal.blocks.size() == 1 ? "" : fmt::format(", {} blocks", proposal.blocks.size())
    ));
    auto rows = json::array();
    for (auto const& block : session.act(cases::confirm_proposal{id}))
        rows.push_back(to_json(block, series.format));
    session.print_list(rows, block_columns);
    session.say_dry_run();
    return exit_code::ok;
}

exit_code reject(session& session, proposal_options const& wants)
{
    auto const rejected = session.act(cases::reject_proposal{read_proposal_id(wants.id)});
    session.print(to_row(session, rejected), proposal_columns);
    session.say_dry_run();
    return exit_code::ok;
}

parameters id_parameter(proposal_options& into)
{
    return {{.name = "ID", .into = &into.id, .help = "Id of the proposal", .required = true}};
}

}  // namespace

exit_code print_proposal(
    session const& session, proposal_record const& proposal, bound_format const& format
)
{
    session.print(to_json(proposal, format), proposal_columns);
    session.say(fmt::format(
        "{}proposed, not loaded: two people load the blocks of this carrier; somebody else runs: "
        "gapless proposal confirm {}",
        session.options().dry_run ? "dry run: would be " : "",
        proposal.proposal_id
    ));
    return exit_code::not_allowed;
}

noun proposal_commands()
{
    return {
        .name = "proposal",
        .summary = "Blocks that a second person has to confirm",
        .verbs = {
            verb_of<proposal_options>{.name = "list", .summary = "List proposals", .run = list},
            verb_of<proposal_options>{
                .name = "confirm",
                .summary = "Load what somebody else proposed",
                .takes = id_parameter,
                .run = confirm},
            verb_of<proposal_options>{
                .name = "reject",
                .summary = "Load nothing of it",
                .takes = id_parameter,
                .run = reject},
        }};
}

}  // namespace gapless::cli
