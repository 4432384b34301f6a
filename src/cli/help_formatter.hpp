#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gapless {

/// Formats help identically with every release of CLI11: the manual pages, the commented
/// configuration file and the reference pages are made from it. CLI11 2.4 puts defaults into
/// brackets and omits the line before a footer.
class help_formatter : public CLI::Formatter
{
public:
    std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode)
        const override
    {
        if (mode == CLI::AppFormatMode::Sub)
            return CLI::Formatter::make_help(app, std::move(name), mode);
        return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
               make_groups(app, mode) + make_subcommands(app, mode) + '\n' + make_footer(app);
    }

    std::string make_footer(CLI::App const* app) const override
    {
        auto const footer = app->get_footer();
        return footer.empty() ? footer : footer + '\n';
    }

    std::string make_option_opts(CLI::Option const* option) const override
    {
        auto text = CLI::Formatter::make_option_opts(option);
        auto const bracketed = " [" + option->get_default_str() + "] ";
        if (auto const at = text.find(bracketed); at != std::string::npos)
            text.replace(at, bracketed.size(), "=" + option->get_default_str());
        return text.substr(0, text.find(" Excludes:"));  // the help of the other one says so
    }
};

}  // namespace gapless
