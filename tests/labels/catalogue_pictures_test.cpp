#include "formats/catalogue.hpp"
#include "labels/symbols.hpp"
#include "labels/zpl.hpp"

namespace catalogue_pictures_test {

using namespace gapless;
using namespace gapless::test;

// A value for every parameter of a format; the application identifier of USPS is checked.
parameter_values any_values(number_format const& format)
{
    parameter_values values;
    for (auto const& [spec, is_in_number] : format.parameters())
    {
        auto const letters = spec.characters == character_class::letters;
        auto const text = std::string{letters ? "RBCDEF" : "78451902634512789"};
        values[spec.name] = spec.name == "ai" ? "94" : text.substr(0, spec.length_min);
    }
    return values;
}

struct series_sample
{
    bound_format format;
    parameter_values request;
};

series_sample any_series(number_format const& format)
{
    parameter_values fixed;
    parameter_values request;
    for (auto const& [name, value] : any_values(format))
        (format.find_parameter(name)->is_in_number ? fixed : request)[name] = value;
    return {bound_format::bind(format, fixed).value(), request};
}

symbol_data data_of(series_sample const& sample, std::int64_t serial)
{
    auto const content = to_barcode(sample.format, serial, sample.request).value();
    return read_symbol_data(content, sample.format.to_number(serial)).value();
}

// What a scanner sends for a symbol, with the identifiers of ISO/IEC 15424.
std::string expected_scan(symbol_data const& symbol)
{
    switch (symbol.kind)
    {
    case symbology::gs1_128: return "]C1 " + to_gs1_message(symbol.data).substr(1);
    case symbology::itf:
    case symbology::identcode:
    case symbology::leitcode:
    case symbology::itf14: return "]I " + symbol.data;
    case symbology::codabar: return "]F0 " + symbol.data;
    case symbology::datamatrix: return "]d1 " + symbol.data;
    case symbology::code128:
    case symbology::dpd: break;
    }
    return "]C0 " + symbol.data;
}

TEST_SUITE("labels/catalogue_pictures")
{
    TEST_CASE("the barcode of every format reads back as its data")
    {
        for (auto const& row : catalogue())
        {
            auto const sample = any_series(*find_format(row.name));
            auto const max = sample.format.serial_max();
            for (auto const serial : {std::int64_t{7}, max / 3, max})
            {
                auto const symbol = data_of(sample, serial);
                auto const hrt = to_hrt(sample.format, serial, sample.request).value();
                CAPTURE(row.name);
                CAPTURE(symbol.data);
                CHECK(scan(print_svg(svg_of(symbol, hrt))) == expected_scan(symbol));
            }
        }
    }

    TEST_CASE("the number stands in the barcode of every format")
    {
        for (auto const& row : catalogue())
        {
            CAPTURE(row.name);
            auto const sample = any_series(*find_format(row.name));
            auto const number = sample.format.to_number(7);
            auto bare = data_of(sample, 7).data;
            std::erase_if(bare, [](char each) { return each == '(' || each == ')'; });
            auto const carried = std::string_view{row.data}.find("@0-") == std::string_view::npos
                                     ? number
                                     : number.substr(0, number.size() - 1);
            CHECK(bare.find(carried) != std::string::npos);
        }
    }
}

}  // namespace catalogue_pictures_test
