#include "app/cli/completion.hpp"

#include "domain/format/catalogue.hpp"
#include "domain/notice.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace gapless::cli {

namespace {

/// Options with a fixed choice of values.
std::map<std::string, std::vector<std::string>> const& option_values()
{
    static std::map<std::string, std::vector<std::string>> const values{
        {"--output", {"table", "json", "csv"}},
        {"--on-release", {"reissue", "void"}},
        {"--on-expiry", {"void", "reissue"}},
        {"--scope", {"issue", "read", "load", "admin"}},
        {"--kind", {notice_kinds.begin(), notice_kinds.end()}},
    };
    return values;
}

CLI::Option* find_option(CLI::App* app, std::string const& name)
{
    for (; app != nullptr; app = app->get_parent())
        if (auto* option = app->get_option_no_throw(name); option != nullptr)
            return option;
    return nullptr;
}

CLI::App* find_subcommand(CLI::App& app, std::string const& name)
{
    for (auto* each : app.get_subcommands(nullptr))
        if (each->get_name() == name)
            return each;
    return nullptr;
}

/// Where the words before the last one lead to.
struct position
{
    CLI::App* app;
    CLI::Option* waiting{};     // an option without its value yet
    std::size_t positionals{};  // how many were given
};

position follow(CLI::App& root, std::vector<std::string> const& words)
{
    position at{.app = &root};
    for (std::size_t n = 0; n + 1 < words.size(); ++n)
    {
        auto const& word = words[n];
        if (at.waiting != nullptr)
            at.waiting = nullptr;
        else if (word.starts_with('-'))
        {
            auto* option = find_option(at.app, word);
            if (option != nullptr && option->get_type_size() != 0)
                at.waiting = option;
        }
        else if (auto* next = find_subcommand(*at.app, word); next != nullptr)
            at = position{.app = next};
        else
            ++at.positionals;
    }
    return at;
}

std::vector<std::string> option_names(CLI::App* app)
{
    std::vector<std::string> names;
    for (; app != nullptr; app = app->get_parent())
        for (auto const* option : app->get_options())
            for (auto const& name : option->get_lnames())
                if (auto const text = "--" + name; std::ranges::find(names, text) == names.end())
                    names.push_back(text);
    return names;
}

std::vector<std::string> names_of_subcommands(CLI::App& app)
{
    std::vector<std::string> names;
    for (auto const* each : app.get_subcommands(nullptr))
        names.push_back(each->get_name());
    return names;
}

std::string name_of_positional(CLI::App const& app, std::size_t number)
{
    for (auto const* option : app.get_options())
        if (option->get_positional() && number-- == 0)
            return option->get_name(true, false);
    return {};
}

std::vector<std::string> names_of_formats()
{
    std::vector<std::string> names;
    for (auto const& row : catalogue())
        names.emplace_back(row.name);
    return names;
}

constexpr auto bash_script =
    R"(# bash completion for gapless; load it with: source <(gapless completion bash)
_gapless()
{
    local IFS=$'\n'
    COMPREPLY=($(gapless __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _gapless gapless
)";

constexpr auto zsh_script = R"(#compdef gapless
# zsh completion for gapless; load it with: source <(gapless completion zsh)
_gapless()
{
    local -a candidates
    candidates=("${(@f)$(gapless __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${candidates[*]}" ]]; then
        compadd -- "${candidates[@]}"
    else
        _files
    fi
}
# A file of fpath is the function itself, and is called for the first time by being read.
if [[ "${funcstack[1]}" == _gapless ]]; then
    _gapless "$@"
else
    compdef _gapless gapless
fi
)";

constexpr auto fish_script =
    R"(# fish completion for gapless; load it with: gapless completion fish | source
function __gapless_complete
    set -l words (commandline -opc) (commandline -ct)
    gapless __complete $words[2..-1] 2>/dev/null
end
complete -c gapless -a '(__gapless_complete)'
)";

struct completion_options
{
    std::string shell;
};

exit_code run(session& session, completion_options const& wants)
{
    static std::map<std::string, char const*> const scripts{
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    session.print_text(scripts.at(wants.shell));
    return exit_code::ok;
}

}  // namespace

std::vector<std::string> complete(
    command_line& line,
    std::vector<std::string> const& words,
    std::function<std::vector<std::string>()> const& list_series
)
{
    auto const typed = words.empty() ? std::string{} : words.back();
    auto const at = follow(line.app(), words);
    std::vector<std::string> candidates;
    if (at.waiting != nullptr)
    {
        auto const name =
            "--" +
            (at.waiting->get_lnames().empty() ? std::string{} : at.waiting->get_lnames().front());
        if (auto const values = option_values().find(name); values != option_values().end())
            candidates = values->second;
        else if (name == "--series")
            candidates = list_series();
        else if (name == "--format")
            candidates = names_of_formats();
    }
    else if (typed.starts_with('-'))
        candidates = option_names(at.app);
    else if (auto names = names_of_subcommands(*at.app); !names.empty())
        candidates = std::move(names);
    else if (auto const positional = name_of_positional(*at.app, at.positionals);
             positional == "SERIES")
        candidates = list_series();
    else if (positional == "FORMAT")
        candidates = names_of_formats();
    else if (positional == "SHELL")
        candidates = {"bash", "zsh", "fish"};
    std::erase_if(candidates, [&](std::string const& candidate) {
        return !candidate.starts_with(typed);
    });
    return candidates;
}

void add_completion_command(command_line& line)
{
    auto& noun = line.add_noun("completion", "Print a completion script for a shell");
    auto const declare = [](CLI::App& app, completion_options& wants) {
        app.add_option("SHELL", wants.shell, "bash, zsh or fish")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    };
    line.add_verb<completion_options>(noun, "", "", declare, run);
}

}  // namespace gapless::cli
