#include "invoices/invoice_headings.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace gapless {

namespace {

/// Headings of the column with the numbers of parcels, in the form of to_name().
constexpr std::string_view number_headings{
    " sendungsnummer sendungsnr sendungsid sendungscode sendungsidentnummer "
    "sendungskennung paketscheinnummer paketscheinnr paketnummer paketnr paketid "
    "packstucknummer packstucknr packstuckid kollinummer collinummer colliid "
    "trackingnumber trackingnummer trackingnr trackingno trackingid trackingcode "
    "expressorgroundtrackingid packagetrackingnumber parcelnumber parcelno parcelid "
    "packagenumber packageno packageid pieceid piecenumber piecetrackingnumber "
    "shipmentnumber shipmentno shipmentid consignmentnumber consignmentno "
    "consignmentid labelnumber labelnummer identcode identnummer barcode "
    "barcodenummer parcelbarcode itembarcode uniqueitemid nve sscc awb awbnumber "
    "airwaybill airwaybillnumber waybill waybillnumber frachtbriefnummer connote "
    "numerodecolis numerocolis ndecolis ncolis nocolis nodecolis codecolis "
    "numerodesuivi numerosuivi ndesuivi nsuivi numerodenvoi numeroenvoi ndenvoi "
    "nenvoi numerodexpedition numeroexpedition ndexpedition nexpedition codebarres "
    "codeabarres pakketnummer pakketnr collinr collonummer zendingnummer "
    "zendingsnummer zendingnr zendingsnr trackentracecode trackentracenummer "
    "tracktracecode track&tracecode track&tracenummer trackcode numerospedizione "
    "numerodispedizione nspedizione codicespedizione numerocollo numerodicollo "
    "ncollo letteradivettura numeroletteradivettura ldv numeroldv nldv "
    "numerotracking numeroditracking codiceditracciamento codiceabarre codicecollo "
    "numerodeenvio numerodelenvio codigodeenvio codigoenvio ndeenvio "
    "numerodeseguimiento codigodeseguimiento nseguimiento numerodeexpedicion "
    "numeroexpedicion nexpedicion numerodebulto codigodebulto nbulto codigodebarras "
    "numerodepaquete numerprzesylki nrprzesylki numerlistu nrlistu "
    "numerlistuprzewozowego nrlistuprzewozowego listprzewozowy numerpaczki nrpaczki "
    "numernadania nrnadania kodkreskowy kodprzesylki idprzesylki cislozasilky "
    "czasilky idzasilky kodzasilky cislobaliku cbaliku podacicislo cislopodaci "
    "carovykod carkod kollinr kolli kolliid sandningsnr sandningsnummer "
    "forsendelsesnummer "
    "forsendelsesnr sendingsnr pakkenummer pakkenr paketnumret barcodenumber "};

/// The names in the form of to_name(), each between blanks, the most certain first. Languages:
/// German, English, French, Dutch, Italian, Spanish, Polish, Czech.
std::string_view list_of(heading_names names)
{
    using enum heading_names;
    switch (names)
    {
    case number: return number_headings;
    case vague_number:
        return " tracking sendung shipment consignment parcel paket colis envoi expedition "
               "pakket zending collo spedizione envio expedicion bulto przesylka paczka zasilka "
               "balik numbers number nummer nr numero numer cislo ";
    case amount:
        return " betrag amount nettobetrag betragnetto netamount netchargeamount netto net "
               "nettopreis nettoentgelt entgeltnetto preisnetto gesamtnetto summenetto "
               "nettosumme netprice netcharge nettotal totalnet netcost totalnetamount preis "
               "price einzelpreis entgelt porto kosten gebuhr cost charge charges chargeamount "
               "invoicedamount total totalamount totalprice totalcharge totalcharges totalcost "
               "gesamt gesamtbetrag gesamtpreis summe sum montantht prixht totalht coutht ht "
               "montantnet montant prix tarif cout nettobedrag bedragexclbtw bedragexbtw "
               "totaalexclbtw bedrag prijs totaalbedrag totaal importonetto imponibile importo "
               "prezzo costo totale importeneto baseimponible importe precio coste importetotal "
               "kwotanetto wartoscnetto cenanetto cenabezdph castkabezdph celkembezdph bezdph "
               "kwota cena oplata razem castka cenacelkem celkem brutto bruttobetrag "
               "betragbrutto bruttopreis grossamount gross montantttc totalttc prixttc ttc "
               "bedraginclbtw importolordo kwotabrutto wartoscbrutto cenasdph castkasdph belopp "
               "nettobelopp belob nettobelob pris nettopris netamt chargeamt amt "
               "grossamt bruttobelopp soll debit ";
    case charge:
        return " chargedescription chargetype chargename chargecode chargedescriptioncode "
               "chargecategorycode chargeclassificationcode feetype entgeltart gebuhrenart "
               "kostenart typedefrais rodzajoplaty druhpoplatku ";
    case vague_charge:
        return " description beschreibung bezeichnung leistung leistungsart "
               "leistungsbeschreibung produkt product service servicetype servicedescription "
               "artikel artikelbezeichnung positionsart positionstext text type libelle "
               "designation prestation produit omschrijving dienst descrizione servizio "
               "descripcion concepto servicio opis usluga popis sluzba ";
    case sign:
        return " sh hs dc cd sollhaben habensoll sollhabenkennzeichen shkennzeichen shkz "
               "vorzeichen sign debitcredit creditdebit debitcreditindicator "
               "creditdebitindicator drcr crdr sens ";
    case credit: return " haben credit credits gutschrift gutschriften avoir ";
    case credit_sign: return " h c cr haben credit kredit gutschrift avere ";
    case debit_sign: return " s d dr soll debit debet belastung dare ";
    case total:
        return " summe gesamt gesamtsumme gesamtbetrag zwischensumme teilsumme endsumme "
               "endbetrag nettosumme bruttosumme nettobetrag bruttobetrag netto brutto "
               "rechnungsbetrag rechnungssumme total totals subtotal grandtotal nettotal "
               "invoicetotal soustotal totaal subtotaal totale subtotale totalgeneral suma "
               "razem celkem soucet mezisoucet ubertrag report summa delsumma totalt attbetala "
               "ialt ";
    case tax:
        return " mwst ust steuer steuerbetrag umsatzsteuer mehrwertsteuer zzglmwst zzglust vat "
               "plusvat salestax tax "
               "tva btw iva vat podatek dph moms mva ";
    }
    return {};
}

/// The position of a name in the list; nullopt: not in it.
std::optional<std::size_t> rank_in(heading_names names, std::string_view name)
{
    if (name.empty())
        return std::nullopt;
    auto const list = list_of(names);
    auto const at = list.find(" " + std::string{name} + " ");
    return at == std::string_view::npos ? std::nullopt : std::optional{at};
}

/// The heading without accents and decoration: "N° de colis" is "ndecolis".
std::string to_name(std::string_view heading)
{
    struct letter
    {
        std::string_view accented;
        std::string_view plain;
    };
    constexpr std::array letters{
        letter{"àáâãäåąĄ", "a"},
        letter{"çćčĆČ", "c"},
        letter{"ďĎ", "d"},
        letter{"èéêëęěĘĚ", "e"},
        letter{"ìíîï", "i"},
        letter{"łŁ", "l"},
        letter{"ñńňŃŇ", "n"},
        letter{"òóôõöő", "o"},
        letter{"řŘ", "r"},
        letter{"śšŚŠ", "s"},
        letter{"ťŤ", "t"},
        letter{"ùúûüůŮ", "u"},
        letter{"ýÿ", "y"},
        letter{"źżžŹŻŽ", "z"},
        letter{"°º’", ""}};
    auto const text = to_heading(without_place(heading));
    std::string name;
    for (std::size_t at = 0, size = 0; at < text.size(); at += size)
    {
        auto const first = static_cast<unsigned char>(text[at]);
        size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : 3;
        auto const character = std::string_view{text}.substr(at, size);
        auto const* const known = std::ranges::find_if(letters, [&](auto const& each) {
            return size > 1 && each.accented.find(character) != std::string_view::npos;
        });
        name += known == letters.end() ? character : known->plain;
    }
    return name;
}

/// The heading without a following tax or currency: "betragchfexklmwst", "nettoin€".
std::string without_currency(std::string name)
{
    for (std::string_view const tax : {"mwst", "ust", "vat", "moms", "mva"})
        for (std::string_view const how :
             {"exkl", "excl", "ex", "exklusive", "ohne", "zzgl", "inkl", "incl", "inklusive"})
            if (auto const end = std::string{how}.append(tax); name.ends_with(end))
                name.resize(name.size() - end.size());
    for (std::string_view const end :
         {"€",
          "£",
          "$",
          "eur",
          "chf",
          "usd",
          "gbp",
          "pln",
          "czk",
          "sek",
          "nok",
          "dkk",
          "zl",
          "kc",
          "in",
          "en"})
        if (name.size() > end.size() && name.ends_with(end))
            name.resize(name.size() - end.size());
    return name;
}

constexpr std::string_view between_words{" :\t0123456789%().,"};

/// Removes the first word, and what separates it from the one before.
std::string_view take_word(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(between_words), text.size()));
    auto const word = text.substr(0, text.find_first_of(between_words));
    text.remove_prefix(word.size());
    return word;
}

}  // namespace

std::optional<std::size_t> rank_of(heading_names names, std::string_view heading)
{
    auto const name = to_name(heading);
    if (auto const rank = rank_in(names, name))
        return rank;
    return rank_in(names, without_currency(name));
}

std::optional<std::string_view> rest_behind(heading_names names, std::string_view text)
{
    std::string words;
    for (int n = 0; n < 3; ++n)  // T.V.A.
    {
        words += to_name(take_word(text));
        if (rank_in(names, words))
            return text;
    }
    return std::nullopt;
}

bool is_total_alone(std::string_view text)
{
    using enum heading_names;
    constexpr std::size_t short_max = 3;  // a currency, "H.T."
    auto rest = rest_behind(total, text);
    while (rest && !rest->empty())
        if (auto const word = take_word(*rest); word.size() > short_max && !rank_of(total, word) &&
                                                !rank_of(tax, word) && !rank_of(amount, word))
            return false;
    return rest.has_value();
}

std::string_view without_place(std::string_view heading) noexcept
{
    auto const digits = std::min(heading.find_first_not_of("0123456789"), heading.size());
    auto const rest = heading.substr(digits);
    if (digits == 0 || (!rest.starts_with('.') && !rest.starts_with(')')))
        return heading;
    auto const name = trimmed(rest.substr(1));
    auto const is_letter = [](char c) {
        return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' : static_cast<unsigned char>(c) >= 0x80;
    };
    return !name.empty() && is_letter(name.front()) ? name : heading;
}

}  // namespace gapless
