#include "app/cli/params.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/failure.hpp"

#include <fmt/format.h>

namespace gapless::cli {

std::map<std::string, std::string> read_params(std::vector<std::string> const& texts)
{
    std::map<std::string, std::string> params;
    for (auto const& text : texts)
    {
        auto const sign = text.find('=');
        if (sign == 0 || sign == std::string::npos)
            throw usage_error(
                fmt::format("--param: {} is not of the form key=value", to_quoted(text))
            );
        if (!params.emplace(text.substr(0, sign), text.substr(sign + 1)).second)
            throw usage_error(
                fmt::format("--param: {} is given twice", to_quoted(text.substr(0, sign)))
            );
    }
    return params;
}

}  // namespace gapless::cli
