#include "formats/number_format.hpp"

#include <algorithm>

namespace gapless {

template_segment const& number_format::serial() const noexcept
{
    return *std::ranges::find(segments_, segment_kind::serial, &template_segment::kind);
}

bool number_format::has_free_serial() const noexcept
{
    return serial().fills && declaration_.length.max == 0;
}

format_parameter const* number_format::find_parameter(std::string_view name) const noexcept
{
    auto const found =
        std::ranges::find(parameters_, name, [](format_parameter const& each) -> std::string_view {
            return each.spec.name;
        });
    return found == parameters_.end() ? nullptr : &*found;
}

format_result<parameter_values> number_format::read_parameters(parameter_values const& values) const
{
    parameter_values read;
    for (auto const& [name, text] : values)
    {
        auto const* const parameter = find_parameter(name);
        if (parameter == nullptr)
        {
            format_refusal refusal{
                "format ", declaration_.name, " has no parameter '", printable(name), "'"};
            for (auto const& known : parameters_)
                refusal.reason.append(&known == parameters_.data() ? "; it has " : ", ")
                    .append(known.spec.name);
            return refusal;
        }
        auto value = read_parameter(parameter->spec, text);
        if (value.has_error())
            return value.error();
        read.emplace(name, std::move(*value));
    }
    return read;
}

}  // namespace gapless
