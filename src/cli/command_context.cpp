#include "cli/command_context.hpp"

#include "postgres/connection.hpp"
#include "postgres/interface.hpp"
#include "postgres/transaction.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <pwd.h>
#include <unistd.h>

namespace gapless::cli {

namespace {

/// Of a transaction in conflict. More than the service's: which series a command changes is not
/// known here, so batches of a busy one do not wait for it.
constexpr int attempts_max = 40;

std::string name_of_user()
{
    auto const id = ::getuid();
    if (auto const* entry = ::getpwuid(id); entry != nullptr)
        return entry->pw_name;
    return std::to_string(id);
}

bool is_set(char const* variable) noexcept
{
    auto const* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

}  // namespace

command_context::command_context(global_options options, interrupts& signals)
    : options_{std::move(options)},
      signals_{signals},
      actor_{"cli:" + name_of_user()}
{
}

command_context::~command_context() = default;

pqxx::connection& command_context::connection()
{
    if (!connection_)
        reconnect();
    return *connection_;
}

void command_context::reconnect()
{
    connection_.reset();
    auto& database = any_connection();
    auto const served = value_of(run_read(database, [](pqxx::transaction_base& transaction) {
        return read_interfaces(transaction);
    }));
    if (auto const why = interface_obstacle(served); !why.empty())
    {
        connection_.reset();
        throw command_failed{exit_code::failure, why};
    }
}

pqxx::connection& command_context::any_connection()
{
    if (connection_)
        return *connection_;
    try
    {
        connection_ = open_connection(options_.database_url, connection_purpose::operation);
        return *connection_;
    }
    catch (database_unreachable const& error)
    {
        throw command_failed{
            exit_code::unreachable,
            fmt::format(
                "the database is unreachable: {}\n  say where it is with --database-url, "
                "GAPLESS_DATABASE_URL or libpq's "
                "PGHOST, PGPORT, PGUSER, PGDATABASE",
                error.what()
            )};
    }
}

std::optional<refusal> command_context::run_work(
    transaction_kind kind, transaction_work const& work
)
{
    transaction_policy policy;
    if (kind == transaction_kind::read)
        policy = {.sees = isolation::snapshot, .ends = ending::roll_back};
    else if (kind == transaction_kind::seal || kind == transaction_kind::locked)
        policy.sees = isolation::read_committed;
    else if (kind == transaction_kind::change)
        policy.turn = write_turn::together;
    policy.retry.attempts_max = attempts_max;
    bool const changes = kind != transaction_kind::read && kind != transaction_kind::seal;
    bool const dry_run = changes && options_.dry_run;
    auto& database = connection();
    bool ended = false;
    std::optional<refusal> refused;
    auto why = [&] {
        interrupts::watched const watched{signals_, database};
        auto trouble =
            detail::run_attempts(database, policy, [&](pqxx::transaction_base& transaction) {
                refused = work(transaction);
                ended = true;
                return !refused && !dry_run;
            });
        // Before a signal may end the program, which would deny it.
        if (trouble ? trouble->kind == refusal_kind::outcome_unknown
                    : ended && !refused && changes && !dry_run)
            signals_.changes_are_kept();
        return trouble;
    }();
    if (!why && !ended)  // a bug of ours, not to be taken for "nothing happened"
        throw std::logic_error{"a transaction has ended well without its work"};
    if (dry_run && ended)
        why.reset();  // the dry run has its answer
    if (why || refused)
        stop_on_trouble(why ? *why : *refused);
    return why;
}

void command_context::stop_on_trouble(refusal const& why)
{
    if (why.kind != refusal_kind::outcome_unknown)
        signals_.stop_if_arrived();
}

void command_context::say(std::string_view text) const
{
    write_message(std::string{text} + '\n');
}

void command_context::say_dry_run() const
{
    if (options_.dry_run)
        say("dry run: nothing was changed");
}

bool command_context::asks() const noexcept
{
    return !options_.yes && !options_.dry_run && ::isatty(STDIN_FILENO) == 1 &&
           ::isatty(STDERR_FILENO) == 1;
}

void command_context::confirm(std::string const& question, exit_code otherwise) const
{
    if (!asks())
        return;
    write_while_read(STDERR_FILENO, question + " [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "y" && answer != "Y" && answer != "yes")
        throw command_failed{otherwise, "not confirmed; nothing was changed"};
}

bool command_context::color() const noexcept
{
    auto const* terminal = std::getenv("TERM");
    bool const dumb = terminal != nullptr && std::string_view{terminal} == "dumb";
    return !options_.no_color && !dumb && !is_set("NO_COLOR") && ::isatty(STDOUT_FILENO) == 1;
}

void command_context::print(nlohmann::ordered_json const& object, std::span<column const> columns)
    const
{
    switch (options_.output)
    {
    case output_format::table: return print_text(to_details(object, columns, color()));
    case output_format::json: return print_text(to_json_text(object));
    case output_format::csv:
        return print_text(to_csv(nlohmann::ordered_json::array({object}), columns, options_.csv));
    }
}

void command_context::print_list(
    nlohmann::ordered_json const& rows, std::span<column const> columns
) const
{
    auto const text = options_.output == output_format::table ? to_table(rows, columns, color())
                      : options_.output == output_format::json
                          ? to_json_text(rows)
                          : to_csv(rows, columns, options_.csv);
    // The answer to a change has to arrive.
    signals_.kept() ? print_text(text) : static_cast<void>(print_part(text));
}

bool command_context::print_page(
    nlohmann::ordered_json const& rows, std::span<column const> columns, bool first
) const
{
    auto const text = to_table(rows, columns, color());
    return print_part(first ? text : std::string_view{text}.substr(text.find('\n') + 1));
}

void command_context::print_text(std::string_view text) const
{
    write_output(STDOUT_FILENO, text);
}

bool command_context::print_part(std::string_view text) const
{
    return write_while_read(STDOUT_FILENO, text);
}

}  // namespace gapless::cli
