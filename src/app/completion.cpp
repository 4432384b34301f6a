#include "app/completion.hpp"

#include "app/commands.hpp"
#include "cli/command_context.hpp"
#include "cli/command_line.hpp"
#include "formats/catalogue.hpp"
#include "notices/notice.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace gapless::cli {

namespace {

/// Where the words before the last one lead.
struct position
{
    noun const* about{};                 // null: expects a noun
    verb const* chosen{};                // null: expects a verb, or a noun
    std::optional<parameter> waiting{};  // an option that lacks its value
    std::size_t arguments{};             // how many were given
};

bool is_option(parameter const& each) noexcept
{
    return each.name.starts_with('-');
}

bool is_flag(parameter const& each) noexcept
{
    return std::holds_alternative<bool*>(each.into);
}

/// "--output" of "-o,--output".
std::string_view long_name(parameter const& option) noexcept
{
    return option.name.substr(option.name.find(',') + 1);
}

bool is_called(parameter const& option, std::string_view word) noexcept
{
    return word == long_name(option) || word == option.name.substr(0, option.name.find(','));
}

/// The options allowed at a place, those of the verb first.
parameters known_options(position const& at)
{
    global_words unused;
    auto known =
        join(at.chosen == nullptr ? parameters{} : at.chosen->takes, global_parameters(unused));
    std::erase_if(known, [](parameter const& each) { return !is_option(each); });
    return known;
}

/// Moves on to the noun or verb of this name. Returns false if there is none.
bool go_on(position& at, std::span<noun const> nouns, std::string_view word)
{
    if (at.chosen != nullptr)
        return false;
    if (at.about != nullptr)
    {
        auto const found = std::ranges::find(at.about->verbs, word, &verb::name);
        if (found == at.about->verbs.end())
            return false;
        at = {.about = at.about, .chosen = &*found};
        return true;
    }
    auto const found = std::ranges::find(nouns, word, &noun::name);
    if (found == nouns.end())
        return false;
    at = {.about = &*found};
    if (auto const& first = found->verbs.front(); first.name.empty())
        at.chosen = &first;
    return true;
}

position follow(std::span<noun const> nouns, std::vector<std::string> const& words)
{
    position at;
    for (std::size_t n = 0; n + 1 < words.size(); ++n)
    {
        auto const& word = words[n];
        if (at.waiting)
            at.waiting.reset();
        else if (word.starts_with('-'))
        {
            for (auto const& option : known_options(at))
                if (!at.waiting && is_called(option, word) && !is_flag(option))
                    at.waiting = option;
        }
        else if (!go_on(at, nouns, word))
            ++at.arguments;
    }
    return at;
}

std::vector<std::string> option_names(position const& at)
{
    std::vector<std::string> names;
    for (auto const& each : known_options(at))
        names.emplace_back(long_name(each));
    names.insert(names.end(), {"--help", "--version"});
    return names;
}

/// The nouns or verbs allowed at a place.
std::vector<std::string> next_names(position const& at, std::span<noun const> nouns)
{
    std::vector<std::string> names;
    if (at.about == nullptr)
        for (auto const& each : nouns)
            names.emplace_back(each.name);
    else if (at.chosen == nullptr)
        for (auto const& each : at.about->verbs)
            names.emplace_back(each.name);
    return names;
}

/// The option that lacks its value, else the next argument; nullopt: neither.
std::optional<parameter> find_due(position const& at)
{
    if (at.waiting || at.chosen == nullptr)
        return at.waiting;
    auto number = at.arguments;
    for (auto const& each : at.chosen->takes)
        if (!is_option(each) && number-- == 0)
            return each;
    return std::nullopt;
}

using series_lister = std::function<std::vector<std::string>()>;

/// The values allowed for a parameter; empty: any text, or a file.
std::vector<std::string> values_of(parameter const& due, series_lister const& list_series)
{
    auto const name = long_name(due);
    if (name == "SERIES" || name == "--series")
        return list_series();
    if (name == "--scope")
        return {"issue", "read", "load", "admin"};
    if (name == "--kind")
        return {notice_kinds.begin(), notice_kinds.end()};
    std::vector<std::string> names{due.choices.begin(), due.choices.end()};
    if (name == "FORMAT" || name == "--format")
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

exit_code run(command_context& context, completion_options const& wants)
{
    static std::map<std::string, char const*> const scripts{
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    context.print_text(scripts.at(wants.shell));
    return exit_code::ok;
}

constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};

parameters shell_parameter(completion_options& into)
{
    return {
        {.name = "SHELL",
         .into = &into.shell,
         .help = "bash, zsh or fish",
         .choices = shells,
         .required = true}};
}

}  // namespace

std::vector<std::string> complete(
    std::span<noun const> nouns,
    std::vector<std::string> const& words,
    std::function<std::vector<std::string>()> const& list_series
)
{
    auto const typed = words.empty() ? std::string{} : words.back();
    auto const at = follow(nouns, words);
    auto candidates = next_names(at, nouns);
    if (!at.waiting && typed.starts_with('-'))
        candidates = option_names(at);
    else if (auto const due = find_due(at))
        candidates = values_of(*due, list_series);
    std::erase_if(candidates, [&](std::string const& candidate) {
        return !candidate.starts_with(typed);
    });
    return candidates;
}

noun completion_command()
{
    return {
        .name = "completion",
        .summary = "Print a completion script for a shell",
        .verbs = {verb_of<completion_options>{.takes = shell_parameter, .run = run}}};
}

}  // namespace gapless::cli
