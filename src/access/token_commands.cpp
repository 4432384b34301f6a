#include "access/commands.hpp"
#include "access/token_operations.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "record/table.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

using tokens::listed_token;

struct token_options
{
    std::string id;
};

exit_code revoke(command_context& context, token_options const& wants)
{
    auto const id = read_id("ID", wants.id, "token");
    if (context.asks())
    {
        auto const token = context.ask(tokens::read_token{id});
        context.confirm(
            fmt::format("Revoke token {} of '{}'? Its clients will be refused.", id, token.name)
        );
    }
    auto const revoked =
        value_of(context.change([&](pqxx::transaction_base& transaction) -> result<listed_token> {
            auto const done = tokens::revoke_token{id}.run(transaction, context.actor());
            if (done.has_error())
                return done.error();
            return tokens::read_token{id}.run(transaction);
        }));
    context.print(to_json(revoked), columns_of<listed_token>);
    context.say(
        context.options().dry_run ? "dry run: nothing was changed"
                                  : "revoked; a running service notices within seconds"
    );
    return exit_code::ok;
}

parameters id_parameter(token_options& into)
{
    return {{.name = "ID", .into = &into.id, .help = "Id of the token", .required = true}};
}

}  // namespace

noun token_commands()
{
    auto made = operation_commands(tokens::administration);
    made.verbs.push_back(verb_of<token_options>{
        .name = "revoke",
        .summary = "Take a token out of force",
        .takes = id_parameter,
        .run = revoke});
    return made;
}

}  // namespace gapless::cli
