#include "blocks/block_heading.hpp"

#include <algorithm>
#include <string>

namespace gapless {

namespace {

constexpr std::array<std::string_view, 5> column_names{
    "first", "last", "count", "reference", "valid_until"};

// The names of the columns, in the form of to_name(), each between blanks.
constexpr std::array<std::string_view, 5> headings{
    " first from start starting begin beginning lower min erste erster erstes von ab anfang "
    "anfangs "
    "beginn untere unteregrenze premier premiere de du debut dedebut eerste van da dal dalla prima "
    "primo inizio iniziale desde primer primera primero inicio inicial fran fra forsta forste od ",
    " last to until through thru end ending upper max letzte letzter letztes bis ende obere "
    "oberegrenze biseinschl biseinschliesslich dernier derniere a au jusqua jusquau fin defin "
    "laatste tot totenmet einde eind al alla ultima ultimo fine finale hasta final till til slut "
    "sista sidste siste do ",
    " count quantity qty size anzahl menge stuck stuckzahl nombre quantite aantal "
    "hoeveelheid quantita cantidad volume antal antall stk pocet sztuk liczba ",
    " reference ref referenz bezug brief letter referentie riferimento referencia ",
    " validuntil validto validthrough expires expireson expiry expirydate expiration "
    "expirationdate "
    "gultigbis gueltigbis ablauf ablaufdatum verfall verfallsdatum verfalldatum valablejusquau "
    "valablejusqua expirele geldigtot geldigtotenmet vervaldatum validofinoa validofinoal scadenza "
    "validohasta valedorhasta vencimiento caducidad giltigtill gyldigtil "};

constexpr std::string_view totals{
    " total totals sum summe gesamt gesamtsumme gesamtzahl gesamtanzahl insgesamt somme totaal "
    "totale suma grandtotal "};

// Parts of a name that only say that numbers are meant.
constexpr std::string_view fillers{
    " no n the le la les el los der die den zur zum inkl incl sendungs sendung paket pakete "
    "paketschein ident identcode tracking serial barcode parcel shipment range block bereich kreis "
    "nummernkreis sscc code id colis zending pacco paquete "};
constexpr std::array<std::string_view, 6> number_words{
    "nummern", "nummer", "numbers", "number", "numero", "nr"};

bool is_one_of(std::string_view list, std::string_view word)
{
    return !word.empty() && list.find(' ' + std::string{word} + ' ') != std::string_view::npos;
}

void append_word(std::string& name, std::string& word)
{
    for (auto const end : number_words)
        if (word.ends_with(end))
        {
            word.resize(word.size() - end.size());
            break;
        }
    if (!is_one_of(fillers, word))
        name += word;
    word.clear();
}

/// Lower case, without accents, blanks, marks, digits, brackets and fillers.
std::string to_name(std::string_view text)
{
    constexpr std::string_view bare{"aaaaaaaceeeeiiiidnooooo ouuuuyts"};  // À to ß, as à to ÿ
    text = text.substr(0, text.find_first_of("(["));
    std::string name;
    std::string word;
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto const byte = static_cast<unsigned char>(text[n]);
        auto const next = n + 1 < text.size() ? static_cast<unsigned char>(text[n + 1])
                                              : static_cast<unsigned char>(0);
        if ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z')
            word += static_cast<char>(byte | 0x20U);
        else if (byte == 0xc3 && next >= 0x80)
        {
            word += next == 0x9f ? "ss" : std::string{bare[next & 0x1fU]};
            ++n;
        }
        else if (byte >= 0xce && byte != 0xe2 && byte != 0xef)  // letters of other scripts
            word += text[n];
        else if (byte < 0x80 || byte == 0xc2 || byte == 0xe2)
            append_word(name, word);
    }
    append_word(name, word);
    return name;
}

}  // namespace

std::string_view name_of(block_column column) noexcept
{
    return column_names[static_cast<std::size_t>(column)];
}

std::optional<block_column> find_block_column(std::string_view name)
{
    auto const found = std::ranges::find_if(headings, [wanted = to_name(name)](auto const& each) {
        return is_one_of(each, wanted);
    });
    if (found == headings.end())
        return std::nullopt;
    return static_cast<block_column>(found - headings.begin());
}

bool names_total(std::string_view name)
{
    return is_one_of(totals, to_name(name));
}

block_heading read_block_heading(csv_row const& row)
{
    block_heading found{.count = row.fields.size()};
    while (found.count > 0 && row.fields[found.count - 1].empty())
        --found.count;
    for (std::size_t n = 0; n < found.count; ++n)
        if (auto const column = find_block_column(row.fields[n]))
        {
            auto& place = found.place(*column);
            if (place != block_heading::absent && found.doubled == block_heading::absent)
                found.doubled = n;
            place = n;
        }
    return found;
}

}  // namespace gapless
