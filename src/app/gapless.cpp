#include "app/commands.hpp"
#include "app/completion.hpp"
#include "base/process_start.hpp"
#include "cli/command_context.hpp"
#include "cli/command_line.hpp"
#include "series/operations.hpp"

#include <pqxx/except>

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace gapless::cli {

namespace {

exit_code to_exit_code(exit_code code, std::string_view text)
{
    write_message(fmt::format("gapless: {}\n", text));
    return code;
}

/// Series names for completion: quickly, or none.
std::vector<std::string> list_series(interrupts& signals)
{
    try
    {
        ::setenv("PGCONNECT_TIMEOUT", "2", 0);
        global_options options;
        if (auto const* url = std::getenv("GAPLESS_DATABASE_URL"); url != nullptr)
            options.database_url = url;
        command_context database{options, signals};
        std::vector<std::string> names;
        for (auto const& series : value_of(database.read([](pqxx::transaction_base& transaction) {
                 return series::read_identities(transaction);
             })))
            names.push_back(series.name);
        return names;
    }
    catch (std::exception const&)
    {
        return {};
    }
}

exit_code answer_completion(
    std::span<noun const> nouns, std::vector<std::string> const& words, interrupts& signals
)
{
    std::string text;
    for (auto const& candidate : complete(nouns, words, [&] { return list_series(signals); }))
        text += candidate + '\n';
    write_while_read(STDOUT_FILENO, text);
    return exit_code::ok;
}

exit_code run(int count, char** arguments, interrupts& signals)
{
    auto const nouns = all_commands();
    if (count > 1 && std::string_view{arguments[1]} == complete_argument)
        return answer_completion(nouns, {arguments + 2, arguments + count}, signals);
    auto const wanted = read_command_line(nouns, count, arguments);
    command_context context{wanted.options, signals};
    try
    {
        return wanted.run(context);
    }
    catch (output_failed const& failure)
    {
        auto const* const done =
            signals.kept() ? "\n  the command was carried out; only its answer is missing" : "";
        throw command_failed{exit_code::failure, std::string{failure.what()} + done};
    }
}

}  // namespace

}  // namespace gapless::cli

int main(int count, char** arguments)
{
    using namespace gapless;
    using namespace gapless::cli;
    begin_process();
    auto code = exit_code::failure;
    try
    {
        interrupts signals;
        code = run(count, arguments, signals);
    }
    catch (command_failed const& failure)
    {
        code = to_exit_code(failure.code, failure.what());
    }
    catch (pqxx::insufficient_privilege const& error)
    {
        // libpqxx 6.4 gives this exception no SQLSTATE, so it has not become a refusal when it gets
        // here.
        std::string_view const text{error.what()};
        auto const failure =
            to_failure({refusal_kind::forbidden, std::string{text.substr(0, text.find('\n'))}});
        code = to_exit_code(failure.code, failure.what());
    }
    catch (std::exception const& error)
    {
        code = to_exit_code(exit_code::failure, error.what());
    }
    return static_cast<int>(code);
}
