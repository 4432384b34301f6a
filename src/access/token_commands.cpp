#include "access/commands.hpp"
#include "access/token_operations.hpp"
#include "cli/operation_commands.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "cli/session.hpp"
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

exit_code revoke(session& session, token_options const& wants)
{
    auto const id = read_id("ID", wants.id, "token");
    if (session.asks())
    {
        auto const token = session.ask(tokens::read_token{id});
        session.confirm(
            fmt::format("Revoke token {} of '{}'? Its clients will be refused.", id, token.name)
        );
    }
    auto const revoked =
        value_of(session.change([&](pqxx::transaction_base& transaction) -> result<listed_token> {
            auto const done = tokens::revoke_token{id}.run(transaction, session.actor());
            if (done.has_error())
                return done.error();
            return tokens::read_token{id}.run(transaction);
        }));
    session.print(to_json(revoked), columns_of<listed_token>);
    session.say(
        session.options().dry_run ? "dry run: nothing was changed"
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
