#include "labels/svg.hpp"

#include <fmt/format.h>
#include <iterator>

namespace gapless {
namespace {

std::string escaped(std::string_view text)
{
    std::string made;
    for (auto const each : text)
        switch (each)
        {
        case '&': made += "&amp;"; break;
        case '<': made += "&lt;"; break;
        case '>': made += "&gt;"; break;
        default: made += each; break;
        }
    return made;
}

}  // namespace

std::string to_svg(drawing const& picture, print_size const& size)
{
    std::string svg;
    auto const end = std::back_inserter(svg);
    fmt::format_to(
        end,
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{:.3f}mm" height="{:.3f}mm")"
        R"( viewBox="0 0 {} {}">)"
        "\n"
        R"(<rect width="{}" height="{}" fill="#fff"/>)"
        "\n"
        R"(<path shape-rendering="crispEdges" d=")",
        picture.width * size.module_mm(),
        picture.height * size.module_mm(),
        picture.width,
        picture.height,
        picture.width,
        picture.height
    );
    for (auto const& bar : picture.bars)
        fmt::format_to(end, "M{} {}h{}v{}h-{}z", bar.x, bar.y, bar.width, bar.height, bar.width);
    svg += "\"/>\n";
    if (!picture.text.empty())
        fmt::format_to(
            end,
            R"(<text x="{}" y="{}" font-size="{}" font-family="Helvetica, Arial, sans-serif")"
            R"( text-anchor="middle" xml:space="preserve">{}</text>)"
            "\n",
            picture.text_x,
            picture.text_y,
            picture.text_height,
            escaped(picture.text)
        );
    svg += "</svg>\n";
    return svg;
}

}  // namespace gapless
