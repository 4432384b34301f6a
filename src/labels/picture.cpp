#include "labels/picture.hpp"

#include "base/contract.hpp"

#include <cmath>
#include <memory>
#include <new>
#include <zint.h>

namespace gapless {
namespace {

constexpr double usual_module_mm = 0.375;
constexpr double millimetres_per_inch = 25.4;
constexpr float text_modules_per_character = 4;  // of the library's fonts, rounded up

struct symbol_deleter
{
    void operator()(zint_symbol* symbol) const noexcept { ZBarcode_Delete(symbol); }
};

using symbol_pointer = std::unique_ptr<zint_symbol, symbol_deleter>;

int library_number(symbology kind) noexcept
{
    switch (kind)
    {
    case symbology::code128: return BARCODE_CODE128;
    case symbology::gs1_128: return BARCODE_GS1_128;
    case symbology::itf: return BARCODE_C25INTER;
    case symbology::itf14: return BARCODE_ITF14;
    case symbology::identcode: return BARCODE_DPIDENT;
    case symbology::leitcode: return BARCODE_DPLEIT;
    case symbology::codabar: return BARCODE_CODABAR;
    case symbology::dpd: return BARCODE_DPD;
    case symbology::datamatrix: return BARCODE_DATAMATRIX;
    }
    return 0;
}

// The digits of a symbology whose last one is a check digit that the library computes; else 0.
std::size_t checked_digits(symbology kind) noexcept
{
    switch (kind)
    {
    case symbology::identcode: return 12;
    case symbology::itf14:
    case symbology::leitcode: return 14;
    case symbology::code128:
    case symbology::gs1_128:
    case symbology::itf:
    case symbology::codabar:
    case symbology::dpd:
    case symbology::datamatrix: return 0;
    }
    return 0;
}

std::string_view text_of(zint_symbol const& symbol) noexcept
{
    return reinterpret_cast<char const*>(symbol.text);
}

// "Error 261: AI (00) ..." without the number.
format_refusal refusal_of(zint_symbol const& symbol, std::string_view data)
{
    std::string_view message{symbol.errtxt};
    if (auto const colon = message.find(": "); colon != message.npos)
        message.remove_prefix(colon + 2);
    return {"no barcode of ", printable(data), ": ", message};
}

void ensure_library_works(int outcome)
{
    if (outcome == ZINT_ERROR_MEMORY)
        throw std::bad_alloc{};
    ensure(outcome != ZINT_ERROR_ENCODING_PROBLEM, "the barcode library encodes what it takes");
    ensure(outcome != ZINT_ERROR_INVALID_OPTION, "the barcode library knows our options");
}

format_result<symbol_pointer> encode(symbol_data const& wanted, float height)
{
    symbol_pointer symbol{ZBarcode_Create()};
    if (!symbol)
        throw std::bad_alloc{};
    symbol->symbology = library_number(wanted.kind);
    symbol->input_mode = wanted.kind == symbology::gs1_128 ? GS1_MODE | GS1PARENS_MODE : DATA_MODE;
    symbol->output_options |= BARCODE_QUIET_ZONES;
    symbol->warn_level = WARN_FAIL_ALL;
    symbol->height = height;

    std::string_view data{wanted.data};
    auto const digits = checked_digits(wanted.kind);
    if (digits != 0 && data.size() != digits)
        return format_refusal{
            "no barcode of ",
            printable(data),
            ": it takes ",
            std::to_string(digits),
            " digits, the check digit included"};
    data.remove_suffix(digits == 0 ? 0 : 1);
    if (data.empty())
        return format_refusal{"there is nothing to encode"};
    auto const outcome = ZBarcode_Encode(
        symbol.get(),
        reinterpret_cast<unsigned char const*>(data.data()),
        static_cast<int>(data.size())
    );
    ensure_library_works(outcome);
    if (outcome != 0)
        return refusal_of(*symbol, data);
    if (digits != 0 && text_of(*symbol) != wanted.data)
        return format_refusal{
            "no barcode of ",
            printable(wanted.data),
            ": check digit: expected ",
            text_of(*symbol).substr(digits - 1),
            ", found ",
            std::string_view{wanted.data}.substr(digits - 1)};
    return symbol;
}

// Makes the library leave room for a text below the bars.
format_result<void> leave_place(zint_symbol& symbol, symbology kind, std::string_view text)
{
    symbol.show_hrt = !text.empty() && kind != symbology::datamatrix;
    if (symbol.show_hrt == 0)
        return {};
    auto const places = static_cast<float>(symbol.width) / text_modules_per_character;
    if (static_cast<float>(text.size()) > places)
        return format_refusal{
            "the text ", printable(text), " is wider than the barcode; ask for text=false"};
    return {};
}

float height_modules(print_size const& size) noexcept
{
    return static_cast<float>(size.height_mm / size.module_mm());
}

}  // namespace

int usual_module_dots(int dots_per_inch) noexcept
{
    return static_cast<int>(std::lround(usual_module_mm / millimetres_per_inch * dots_per_inch));
}

int to_dots(int millimetres, int dots_per_inch) noexcept
{
    return static_cast<int>(std::lround(millimetres * dots_per_inch / millimetres_per_inch));
}

format_result<drawing> draw_barcode(
    symbol_data const& symbol, std::string_view text, print_size const& size
)
{
    auto const encoded = encode(symbol, height_modules(size));
    if (encoded.has_error())
        return encoded.error();
    auto& made = **encoded;
    if (auto const left = leave_place(made, symbol.kind, text); left.has_error())
        return left.error();
    made.scale = 0.5F;  // makes a module one unit
    ensure_library_works(ZBarcode_Buffer_Vector(&made, 0));

    drawing result{.width = made.vector->width, .height = made.vector->height};
    for (auto const* bar = made.vector->rectangles; bar != nullptr; bar = bar->next)
        result.bars.push_back({bar->x, bar->y, bar->width, bar->height});
    if (auto const* line = made.vector->strings; line != nullptr)
    {
        result.text = text;
        result.text_x = line->x;
        result.text_y = line->y;
        result.text_height = line->fsize;
    }
    return result;
}

}  // namespace gapless
