#include "formats/check_scope.hpp"
#include "formats/number_format.hpp"
#include "formats/symbology.hpp"

#include <algorithm>
#include <optional>

namespace gapless {

/// Checks a declaration step by step; the first refusal ends it.
class format_compiler
{
public:
    explicit format_compiler(number_declaration declaration)
    {
        format_.declaration_ = std::move(declaration);
    }

    format_result<number_format> compile();

private:
    using outcome = std::optional<format_refusal>;

    outcome check_names();
    outcome read_number();
    outcome check_algorithm_fits();
    outcome compute_lengths();
    outcome check_length_fits();
    outcome read_hrt();
    outcome read_barcode();
    outcome collect(std::string_view what, std::span<data_piece const> pieces);
    outcome resolve(std::string_view what, std::vector<data_piece>& pieces) const;

    static format_refusal refused(template_segment const& at, std::string_view why)
    {
        return {"template position ", std::to_string(at.position), ": ", why};
    }

    number_format format_;
};

format_result<number_format> format_compiler::compile()
{
    constexpr outcome (format_compiler::*steps[])(){
        &format_compiler::check_names,
        &format_compiler::read_number,
        &format_compiler::check_algorithm_fits,
        &format_compiler::compute_lengths,
        &format_compiler::check_length_fits,
        &format_compiler::read_hrt,
        &format_compiler::read_barcode,
    };
    for (auto const step : steps)
        if (auto refusal = (this->*step)())
            return *refusal;

    if (auto refusal = resolve("hrt", format_.hrt_))
        return *refusal;
    if (auto refusal = resolve("barcode data", format_.barcode_))
        return *refusal;
    return std::move(format_);
}

format_compiler::outcome format_compiler::check_names()
{
    auto const is_sane = [](std::string_view name) {
        return !name.empty() && name.size() <= format_name_characters_max &&
               std::ranges::all_of(name, [](char each) {
                   return ('a' <= each && each <= 'z') || ('0' <= each && each <= '9') ||
                          each == '-';
               });
    };
    auto const& declaration = format_.declaration_;
    if (!is_sane(declaration.name))
        return format_refusal{
            "format name '",
            printable(declaration.name),
            "': small letters, digits and dashes, 1 to ",
            std::to_string(format_name_characters_max),
            " characters"};
    if (declaration.carrier.size() > carrier_bytes_max)
        return format_refusal{"carrier is too long"};
    auto const& [symbology, data] = declaration.barcode;
    if (symbology.empty() != data.empty())
        return format_refusal{"a barcode needs both a symbology and data"};
    if (symbology.empty() || find_symbology(symbology))
        return std::nullopt;
    format_refusal refusal{"there is no symbology '", printable(symbology), "'; there are"};
    for (auto const known : symbology_names())
        refusal.reason.append(" ").append(known);
    return refusal;
}

format_compiler::outcome format_compiler::read_number()
{
    auto segments = read_number_template(format_.declaration_.number);
    if (segments.has_error())
        return segments.error();
    format_.segments_ = std::move(*segments);

    std::size_t variable{0};
    for (auto const& segment : format_.segments_)
    {
        if (segment.kind == segment_kind::literal)
            format_.separators_ +=
                static_cast<std::size_t>(std::ranges::count_if(segment.text, is_separator));
        if (segment.kind != segment_kind::parameter)
            continue;
        format_.parameters_.push_back({segment.parameter, true});
        variable += segment.parameter.length_min != segment.parameter.length_max ? 1U : 0U;
        if (variable > variable_parameters_max)
            return refused(segment, "more than two parameters of variable length");
    }
    return std::nullopt;
}

format_compiler::outcome format_compiler::check_algorithm_fits()
{
    auto const& name = format_.declaration_.check;
    format_.algorithm_ = find_check_algorithm(name);
    if (format_.algorithm_ != nullptr)
        return refusal_of_scope(*format_.algorithm_, format_.segments_);

    format_refusal refusal{"there is no check algorithm '", printable(name), "'; there are"};
    for (auto const& known : check_algorithms())
        refusal.reason.append(" ").append(known.name);
    return refusal;
}

format_compiler::outcome format_compiler::compute_lengths()
{
    for (auto& segment : format_.segments_)
    {
        auto const is_literal = segment.kind == segment_kind::literal;
        format_.length_min_ += is_literal ? segment.text.size() : segment.parameter.length_min;
        format_.length_max_ += is_literal ? segment.text.size() : segment.parameter.length_max;
    }
    if (format_.serial().fills)
        format_.length_max_ = std::min(format_.length_max_, number_characters_max);
    if (format_.length_min_ > number_characters_max || format_.length_max_ > number_characters_max)
        return format_refusal{
            "numbers could have ",
            std::to_string(std::max(format_.length_min_, format_.length_max_)),
            " characters; at most ",
            std::to_string(number_characters_max),
            " are allowed"};
    return std::nullopt;
}

format_compiler::outcome format_compiler::check_length_fits()
{
    auto const [min, max] = format_.declaration_.length;
    if (format_.has_free_serial() && reads(*format_.algorithm_, 'A') &&
        format_.algorithm_->kernel == check_kernel::iso7064_hybrid)
        // Without a width, everything between the other parts is the serial, letters included.
        std::ranges::find(format_.segments_, segment_kind::serial, &template_segment::kind)
            ->parameter.characters = character_class::both;
    if (min == 0 && max == 0)
        return std::nullopt;
    if (min < 1 || max < min || max > number_characters_max)
        return format_refusal{
            "length is a number from 1 to ",
            std::to_string(number_characters_max),
            ", or shortest-longest"};
    if (min > format_.length_max_ || max < format_.length_min_)
        return format_refusal{
            "the template makes ",
            std::to_string(format_.length_min_),
            " to ",
            std::to_string(format_.length_max_),
            " characters, but length is ",
            std::to_string(min),
            min == max ? "" : "-" + std::to_string(max)};
    format_.length_min_ = std::max(min, format_.length_min_);
    format_.length_max_ = std::min(max, format_.length_max_);
    return std::nullopt;
}

format_compiler::outcome format_compiler::read_hrt()
{
    auto const& hrt = format_.declaration_.hrt;
    if (is_mask(hrt))
    {
        auto const places = static_cast<std::size_t>(std::ranges::count(hrt, '#'));
        if (hrt.size() > template_characters_max)
            return format_refusal{"hrt is too long"};
        if (format_.length_min_ != format_.length_max_)
            return format_refusal{
                "hrt is a mask of #, but numbers of this format differ in length; use {number}"};
        if (places != format_.length_min_)
            return format_refusal{
                "hrt has ",
                std::to_string(places),
                " times #, but a number has ",
                std::to_string(format_.length_min_),
                " characters"};
        return std::nullopt;
    }
    auto pieces = read_data_template("hrt", hrt);
    if (pieces.has_error())
        return pieces.error();
    format_.hrt_ = std::move(*pieces);
    return collect("hrt", format_.hrt_);
}

format_compiler::outcome format_compiler::read_barcode()
{
    auto pieces = read_data_template("barcode data", format_.declaration_.barcode.data);
    if (pieces.has_error())
        return pieces.error();
    format_.barcode_ = std::move(*pieces);
    return collect("barcode data", format_.barcode_);
}

format_compiler::outcome format_compiler::collect(
    std::string_view what, std::span<data_piece const> pieces
)
{
    for (auto const& piece : pieces)
    {
        auto const at = [&] {
            return std::string{what} + " position " + std::to_string(piece.position) + ": ";
        };
        if (piece.kind == data_piece_kind::number &&
            std::max(piece.first + 1, piece.last) > format_.length_min_)
            return format_refusal{
                at(),
                "a number may have only ",
                std::to_string(format_.length_min_),
                " characters"};
        if (piece.kind != data_piece_kind::parameter || piece.spec.length_max == 0)
            continue;
        auto const* const known = format_.find_parameter(piece.text);
        if (known == nullptr)
            format_.parameters_.push_back({piece.spec, false});
        else if (!(known->spec == piece.spec))
            return format_refusal{
                at(),
                "parameter '",
                piece.text,
                "' was declared as ",
                description_of(known->spec),
                " before"};
    }
    return std::nullopt;
}

format_compiler::outcome format_compiler::resolve(
    std::string_view what, std::vector<data_piece>& pieces
) const
{
    for (auto& piece : pieces)
    {
        if (piece.kind != data_piece_kind::parameter)
            continue;
        auto const* const known = format_.find_parameter(piece.text);
        if (known == nullptr)
            return format_refusal{
                what,
                " position ",
                std::to_string(piece.position),
                ": there is no parameter '",
                piece.text,
                "'; declare it as in {",
                piece.text,
                ":N4}"};
        piece.spec = known->spec;
    }
    return std::nullopt;
}

format_result<number_format> number_format::compile(number_declaration declaration)
{
    return format_compiler{std::move(declaration)}.compile();
}

}  // namespace gapless
