#include "app/cli/command_line.hpp"
#include "app/cli/completion.hpp"
#include "store/series_store.hpp"

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace gapless::cli {

namespace {

void complain(std::string_view text) noexcept
{
    try
    {
        write_output(STDERR_FILENO, fmt::format("gapless: {}\n", text));
    }
    catch (std::exception const&)
    {
        // Nobody listens any more.
    }
}

exit_code to_exit_code(exit_code code, std::string_view text) noexcept
{
    complain(text);
    return code;
}

/// The words of the command chosen so far: "gapless block load".
std::string path_of(CLI::App const& root)
{
    std::string path = root.get_name();
    auto const* app = &root;
    while (!app->get_subcommands().empty())
    {
        app = app->get_subcommands().back();
        path += ' ' + app->get_name();
    }
    return path;
}

/// True when a noun was said and its verb was not.
bool needs_command(CLI::App& root)
{
    auto* app = &root;
    while (!app->get_subcommands().empty())
        app = app->get_subcommands().back();
    return !app->get_subcommands(nullptr).empty();
}

/// A word that belongs to nothing, or nothing. CLI11 complains of what is missing first.
std::string first_unknown_word(CLI::App const& root)
{
    auto const words = root.remaining(true);
    return words.empty() ? std::string{} : words.front();
}

exit_code answer_parse_error(command_line& line, CLI::ParseError const& error)
{
    if (error.get_exit_code() == 0)
    {
        std::ostringstream text;
        line.app().exit(error, text, text);
        write_output(STDOUT_FILENO, text.str());
        return exit_code::ok;
    }
    std::string text{error.what()};
    if (auto const unknown = first_unknown_word(line.app()); !unknown.empty())
        text = fmt::format(
            "'{}' is not {} of '{}'",
            unknown,
            unknown.starts_with('-') ? "an option" : "a word",
            path_of(line.app())
        );
    else if (error.get_name() == "RequiredError" && needs_command(line.app()))
        text = "a command is missing";
    return to_exit_code(
        exit_code::usage,
        fmt::format("{}\n  to see what is understood: {} --help", text, path_of(line.app()))
    );
}

/// Names for completion: quickly, or none.
std::vector<std::string> list_series(interrupts& signals)
{
    try
    {
        ::setenv("PGCONNECT_TIMEOUT", "2", 0);
        global_options options;
        if (auto const* url = std::getenv("GAPLESS_DATABASE_URL"); url != nullptr)
            options.database_url = url;
        session database{options, signals};
        std::vector<std::string> names;
        for (auto const& series : value_of(database.read([](pqxx::transaction_base& transaction) {
                 return read_series(transaction, std::nullopt);
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
    command_line& line, std::vector<std::string> const& words, interrupts& signals
)
{
    std::string text;
    for (auto const& candidate : complete(line, words, [&] { return list_series(signals); }))
        text += candidate + '\n';
    write_output(STDOUT_FILENO, text);
    return exit_code::ok;
}

exit_code run(int count, char** arguments, interrupts& signals)
{
    command_line line;
    try
    {
        add_commands(line);
        if (count > 1 && std::string_view{arguments[1]} == complete_argument)
            return answer_completion(line, {arguments + 2, arguments + count}, signals);
        line.parse(count, arguments);
        session session{line.options(), signals};
        return line.chosen()(session);
    }
    catch (CLI::ParseError const& error)
    {
        return answer_parse_error(line, error);
    }
}

}  // namespace

}  // namespace gapless::cli

int main(int count, char** arguments)
{
    using namespace gapless;
    using namespace gapless::cli;
    // A reader that goes away is noticed where it is written to.
    std::signal(SIGPIPE, SIG_IGN);
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
    catch (output_failed const& failure)
    {
        code = to_exit_code(
            exit_code::failure, fmt::format("cannot write the answer: {}", failure.what())
        );
    }
    catch (pqxx::insufficient_privilege const& error)
    {
        // libpqxx 6.4 gives this exception no SQLSTATE, so it is no refusal by the time it comes
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
