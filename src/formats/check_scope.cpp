#include "formats/check_scope.hpp"

#include <algorithm>
#include <string>

namespace gapless {
namespace {

format_refusal refuse_template(template_segment const& at, std::string_view why)
{
    return {"template position ", std::to_string(at.position), ": ", why};
}

bool can_be_read(check_algorithm const& algorithm, template_segment const& segment)
{
    auto const reads_it = [&](char each) { return reads(algorithm, each); };
    return segment.kind == segment_kind::literal
               ? std::ranges::all_of(segment.text, reads_it)
               : segment.parameter.characters == character_class::digits || reads_it('A');
}

}  // namespace

std::optional<format_refusal> refusal_of_scope(
    check_algorithm const& algorithm, std::span<template_segment const> segments
)
{
    auto const check = std::ranges::find(segments, segment_kind::check, &template_segment::kind);
    auto const scope = std::ranges::find(segments, true, &template_segment::is_checked);
    if (algorithm.kernel == check_kernel::none)
    {
        if (check != segments.end())
            return refuse_template(*check, "{c} needs a check algorithm, but check is 'none'");
        if (scope != segments.end())
            return refuse_template(
                *scope, "[ ] marks what a check algorithm reads, but check is 'none'"
            );
        return std::nullopt;
    }
    if (check == segments.end())
        return format_refusal{
            "check is '", algorithm.name, "', but the template has no {c} to print its character"};
    if (scope == segments.end())
        return format_refusal{
            "check is '", algorithm.name, "', but no [ ] marks the characters it reads"};
    auto const serial = std::ranges::find(segments, segment_kind::serial, &template_segment::kind);
    if (!serial->is_checked)
        return refuse_template(
            *serial, "the serial stands outside [ ], so {c} would not protect it"
        );
    for (auto const& segment : segments)
        if (segment.is_checked && !can_be_read(algorithm, segment))
            return refuse_template(
                segment,
                std::string{"check algorithm '"}.append(algorithm.name) +
                    "' reads digits only, but letters can stand here"
            );
    return std::nullopt;
}

}  // namespace gapless
