#include "base/messages.hpp"

#include "base/text.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace gapless {

namespace {

/// In English {} is a gap. In German {0} is the text of the first gap, {0#} a count with thousands
/// separators, {0!} a sentence with a row of its own. The first matching row counts.
struct message
{
    std::string_view english;
    std::string_view german;
};

// tests/base/check_messages searches the sources for each of these sentences.
constexpr message messages[]{
    // Meanings of refusal kinds.
    {"The request cannot be read", "Der Dienst kann die Anfrage nicht lesen"},
    {"Issuing needs an Idempotency-Key", "Zum Ausgeben fehlt ein Idempotency-Key"},
    {"A valid token is required", "Sie sind nicht mehr angemeldet, oder das Token gilt nicht"},
    {"The token does not allow this", "Dieses Token darf das nicht"},
    {"There is no such series", "Diesen Nummernkreis gibt es nicht"},
    {"There is no such number", "Kein Block hat diese Nummer"},
    {"There is no such issuance", "Diese Ausgabe gibt es nicht"},
    {"There is nothing here", "Das gibt es nicht"},
    {"The method is not allowed here", "Das geht hier nicht"},
    {"There is no such kind of answer", "In dieser Form gibt es die Antwort nicht"},
    {"The series has fewer numbers than requested", "Der Nummernkreis hat zu wenige Nummern"},
    {"The open block is too short for one piece",
     "Der offene Block hat nicht genug Nummern am Stück"},
    {"The series is paused", "Der Nummernkreis ist angehalten"},
    {"The hold has expired", "Die Reservierung ist abgelaufen"},
    {"Nothing of the issuance is left", "Von dieser Ausgabe gilt keine Nummer mehr"},
    {"The block overlaps another one", "Der Block hat Nummern, die schon geladen sind"},
    {"The present state does not allow this", "Das geht im jetzigen Zustand nicht"},
    {"The number is on lease for now",
     "Eine Instanz hat die Nummer vielleicht ohne Datenbank ausgegeben"},
    {"Several series hold this number", "Mehrere Nummernkreise haben diese Nummer"},
    {"Warnings have to be confirmed first", "Das ist ungewöhnlich und muss bestätigt werden"},
    {"It was changed by another request", "Jemand anders hat es inzwischen geändert"},
    {"The request is too large", "Das ist zu groß"},
    {"A body of this kind is not accepted here", "Diese Art von Datei kann der Dienst nicht lesen"},
    {"The key was spent on another request", "Dieser Schlüssel gehört zu einer anderen Anfrage"},
    {"A value is out of range", "Ein Wert ist nicht erlaubt"},
    {"Too many requests for now", "Zu viele Anfragen; warten Sie einen Augenblick"},
    {"The service is overloaded",
     "Der Dienst ist ausgelastet; versuchen Sie es gleich noch einmal"},
    {"The database is unavailable", "Die Datenbank antwortet nicht"},
    {"The database has to be reconciled first", "Die Datenbank ist gesperrt, bis sie geprüft ist"},
    {"The outcome is not known", "Es ist nicht bekannt, ob es geschehen ist"},
    {"Request Timeout", "Die Anfrage kam zu langsam an"},
    {"Internal Server Error", "Der Dienst hat einen Fehler"},

    {"The body is larger than {} bytes, the most that this path takes (settings body_bytes_max, "
     "large_body_bytes_max, invoice_bytes_max): send less at once.",
     "Mehr als {0} Bytes auf einmal nimmt der Dienst hier nicht an; teilen Sie die Datei."},

    // Authorization.
    {"The token was revoked.", "Dieses Token wurde widerrufen."},
    {"The token has expired.", "Dieses Token ist abgelaufen."},
    {"Send the header Authorization: Bearer TOKEN, with a valid token.",
     "Melden Sie sich mit einem gültigen Token an."},
    {"The token lacks the scope {}, which this path needs.",
     "Dem Token fehlt das Recht {0}, das hierfür nötig ist."},
    {"the token lacks the scope {}", "Dem Token fehlt das Recht {0}."},
    {"No series of this name is visible to this token; GET /v1/series lists them.",
     "Einen Nummernkreis dieses Namens gibt es für dieses Token nicht."},
    {"Names of series have no capital letters: write it in lower case.",
     "Der Name eines Nummernkreises hat keine Großbuchstaben. Schreiben Sie ihn klein."},
    {"there is no series {}; list them: gapless series list", "Es gibt keinen Nummernkreis {0}."},
    {"proposal {} is your own: {} proposed it, and you count as the same person; {}",
     "Vorschlag {0} ist Ihr eigener: Er kommt von {1}, und Sie gelten als dieselbe Person. {2!}"},
    {"somebody else has to confirm it", "Jemand anders muss ihn bestätigen."},
    {"reject it and load its blocks yourself, or let somebody else confirm it",
     "Lehnen Sie ihn ab und laden Sie die Blöcke selbst, oder lassen Sie ihn von jemand anderem "
     "bestätigen."},

    // Existing objects and their states.
    {"there is no block below the header", "Unter der Kopfzeile steht kein Block."},
    {"there is no block {}", "Es gibt keinen Block {0}."},
    {"series {} has no block {}; list them: gapless block list {}",
     "Der Nummernkreis {0} hat keinen Block {1}."},
    {"there is no proposal {}; list them: gapless proposal list", "Es gibt keinen Vorschlag {0}."},
    {"There is no proposal of this id. Ids are integers, as lists show them.",
     "Diesen Vorschlag gibt es nicht."},
    {"the day {} of series {} is not closed", "Der Tag {0} ist noch nicht abgeschlossen."},
    {"The list is longer than {} bytes; {}",
     "Die Liste ist zu lang. Nennen Sie einen kürzeren Zeitraum."},
    {"series {} is paused{}; go on with: gapless series resume {}",
     "Der Nummernkreis {0} ist angehalten{1}."},
    {"proposal {} expired at {}; propose it again",
     "Vorschlag {0} ist abgelaufen. Schlagen Sie die Blöcke noch einmal vor."},
    {"series {} has {} numbers remaining, {} requested; more are on lease ({}) and are being "
     "recalled: repeat in a moment",
     "Der Nummernkreis {0} hat noch {1#} Nummern, verlangt werden {2#}. Weitere sind in Reserve "
     "und werden zurückgerufen: Versuchen Sie es gleich noch einmal."},
    {"series {} has {} numbers remaining, {} requested; load the next block: {}",
     "Der Nummernkreis {0} hat noch {1#} Nummern, verlangt werden {2#}. Laden Sie den nächsten "
     "Block."},
    {"number {} is on lease at {} since {}; repeat later",
     "Die Instanz {1} hat die Nummer {0} seit {2} in Reserve. Versuchen Sie es später noch "
     "einmal."},
    {"number {} is held, it cannot become {}: confirm or release its hold first",
     "Die Nummer {0} ist reserviert; sie kann nicht {1!} werden, solange die Reservierung weder "
     "bestätigt noch aufgehoben ist."},
    {"number {} is {}, the carrier knows it: only force voids it",
     "Die Nummer {0} ist {1!}, und der Carrier kennt sie: Sie lässt sich nur erzwungen entwerten."},
    {"number {} is {}, it cannot become {}",
     "Die Nummer {0} ist {1!}; sie kann nicht {2!} werden."},
    {"issued", "ausgegeben"},
    {"printed", "gedruckt"},
    {"reprinted", "erneut gedruckt"},
    {"voided", "entwertet"},
    {"manifested", "gemeldet"},
    {"returned", "zurückgesandt"},
    {"held", "reserviert"},
    {"free", "frei"},
    {"yes", "ja"},
    {"released", "freigegeben"},
    {"expired", "abgelaufen"},
    {"number {} is in no block", "Die Nummer {0} steht in keinem Block."},
    {"number {} is voided with its block: it is issued to nobody",
     "Die Nummer {0} wurde mit ihrem Block entwertet: Sie ist an niemanden ausgegeben."},
    {"number {} was issued elsewhere, before its block was loaded",
     "Die Nummer {0} wurde anderswo ausgegeben, bevor ihr Block geladen wurde."},
    {"number {} is free: it is issued to nobody",
     "Die Nummer {0} ist frei: Sie wurde noch nicht ausgegeben."},
    {"block {} cannot be withdrawn: {} of its numbers were issued or held, {}…{}; close it, or "
     "recall it if the carrier rejects them",
     "Block {0} lässt sich nicht zurücknehmen: {1#} seiner Nummern sind ausgegeben oder waren "
     "reserviert, {2} bis {3}."},
    {"block {} is exhausted, there is nothing to close; recall it to end numbers of it that came "
     "back",
     "Block {0} ist aufgebraucht; es gibt nichts stillzulegen. Nummern daraus, die zurückkamen, "
     "beendet ein Rückruf."},
    {"block {} is {}, there is nothing to close",
     "Block {0} ist nicht mehr offen; es gibt nichts stillzulegen."},
    {"block {} is {}, only a queued block can be moved",
     "Block {0} lässt sich nicht verschieben: Er ist schon in Gebrauch oder beendet."},

    // Loading blocks: warnings and refusals.
    {"Nothing was loaded. {}", "Nichts wurde geladen."},
    {"block {}…{} is valid until {}, less than 7 days from now",
     "Der Block {0} bis {1} gilt nur bis {2}, das sind weniger als 7 Tage."},
    {"number {} has {} characters, those of all earlier blocks have {}, as {}",
     "Die Nummer {0} ist {1} Zeichen lang; in allen früheren Blöcken sind es {2}, zum Beispiel "
     "{3}."},
    {"number {} does not begin with {}, as those of all earlier blocks do",
     "Die Nummer {0} beginnt nicht mit {1} wie alle früheren Blöcke."},
    {"block {}…{} has {} numbers, the latest one of the series has {}",
     "Der Block {0} bis {1} hat {2#} Nummern, der letzte dieses Nummernkreises hat {3#}."},
    {"block {}…{} touches {}", "Der Block {0} bis {1} grenzt an: {2!}."},
    {"{} has numbers of block {}…{}", "Nummern des Blocks {1} bis {2} hat schon: {0!}."},
    {"a block of another series", "ein Block eines anderen Nummernkreises"},
    {"not read: {}", "Nicht gelesen: {0!}"},
    {"column {} {} ({}, …)", "Spalte {0} {1} ({2}, …)"},
    {"column {} ({}, …)", "Spalte {0} ({1}, …)"},
    {"line {} ({})", "Zeile {0} ({1})"},
    {"'{}'", "'{0}'"},
    {"and {} more", "und {0#} weitere"},
    {"found in a text without columns: {}", "In einem Text ohne Spalten gefunden: {0}."},
    {"there is no heading: {}", "Es gibt keine Kopfzeile. {0!}"},
    {"columns 1 and 2 are read as first and {}",
     "Die Spalten 1 und 2 werden als „Von“ und „{0!}“ gelesen."},
    {"the days in column {} are read as valid_until",
     "Die Tage in Spalte {0} werden als „Gültig bis“ gelesen."},
    {"the last number is that of the count: {} from {} to {}",
     "Die letzte Nummer ergibt sich aus der Anzahl: {0#} von {1} bis {2}."},
    {"count: has to be 1 or more", "Die Anzahl muss mindestens 1 sein."},
    {"count: no {} numbers begin with {}", "Ab {1} gibt es keine {0#} Nummern."},
    {"{} numbers would remain, enough for {} days at {} a day; more than 730 days",
     "Es blieben {0#} Nummern, genug für {1#} Tage bei {2} am Tag: mehr als zwei Jahre."},
    {"{}; nothing was loaded", "Nichts wurde geladen."},
    {"first, last: {}", "{0!}"},
    {"first: {}…{} overlaps {}…{} of line {}",
     "Der Block {0} bis {1} überschneidet sich mit {2} bis {3} aus Zeile {4}."},
    {"first: {}…{} overlaps {}", "Der Block {0} bis {1} überschneidet sich mit {2!}."},
    {"block {}…{} overlaps {}", "Der Block {0} bis {1} überschneidet sich mit {2!}."},
    {"the numbers differ, but a number space takes each serial once: create a series with a "
     "--space of its own",
     "Die Nummern sind verschieden, aber in einem Nummernraum gibt es jede laufende Nummer nur "
     "einmal. Legen Sie einen Nummernkreis mit eigenem Nummernraum (--space) an."},
    {"block {} of series {} ({}…{}), {}", "Block {0} des Nummernkreises {1} ({2} bis {3}), {4!}"},
    {"block {} of series {} ({}…{})", "Block {0} des Nummernkreises {1} ({2} bis {3})"},
    {"{} and {} are read as {} without check digits",
     "{0} und {1} werden als {2} gelesen. Die Prüfziffern sind ergänzt."},
    {"{} and {} are read as {} without zeros in front",
     "{0} und {1} werden als {2} gelesen. Die Nullen davor sind ergänzt."},
    {"valid_until: the block would be over before it begins",
     "Der Block wäre abgelaufen, bevor er beginnt."},
    {"block {}…{} would be over before it begins: valid until {} is not in the future",
     "Der Block {0} bis {1} wäre schon abgelaufen: Er gilt nur bis {2}."},
    {"block {}…{} holds {} numbers, both ends included, not {}",
     "Der Block {0} bis {1} umfasst, erste und letzte eingeschlossen, {2#} Nummern, nicht {3#}."},
    {"count: {}…{} holds {} numbers, both ends included, not {}",
     "Der Block {0} bis {1} umfasst, erste und letzte eingeschlossen, {2#} Nummern, nicht {3#}."},
    {"the total {} does not agree: the blocks above hold {} numbers",
     "Die Summe {0} stimmt nicht: Die Blöcke darüber haben {1#} Nummern."},
    {"valid_until: {} may be {} or {}; write the one that is meant",
     "{0} kann {1} oder {2} sein. Schreiben Sie den Tag, der gemeint ist."},
    {"{}: there is no day {}; a date is year, month, day: 2027-12-31",
     "Den Tag {1} gibt es nicht."},
    {"{}: {} is neither a date like 2027-12-31 nor a moment like 2027-12-31T12:00:00, with or "
     "without a zone (Z, +01:00)",
     "{1} ist kein Datum wie 31.12.2027."},
    {"more than {} columns", "Mehr als {0#} Spalten."},
    {"a quote is not closed before the end of the file",
     "Ein Anführungszeichen ist bis zum Ende der Datei nicht geschlossen."},
    {"a quote stands in the wrong place: quotes are doubled inside a quoted field",
     "Ein Anführungszeichen steht an der falschen Stelle."},
    {"more than {} bytes; split the file", "Die Datei hat mehr als {0#} Byte. Teilen Sie sie."},
    {"reference: {} has {} characters, allowed are {}", "{0} hat {1} Zeichen, erlaubt sind {2}."},
    {"reference: {} has control characters", "{0} hat Zeichen, die niemand sieht."},
    {"{}: {} is out of range, allowed are {} to {}", "{1} ist zu groß; erlaubt ist bis {3#}."},
    {"number {} has leading zeros, which format plain drops; a series of format plain-{} keeps "
     "numbers of {} digits, and others can be declared",
     "Die Nummer {0} beginnt mit Nullen, die dieser Nummernkreis wegließe. Es braucht einen mit "
     "dem Format plain-{1}."},
    {"the ends are read as serials, they could also be {} without {}",
     "Gelesen als laufende Nummern ohne Prüfziffer; es könnte auch {0} sein."},
    {"a file may hold {} blocks; split it here",
     "Eine Datei darf {0#} Blöcke haben. Teilen Sie sie hier."},
    {"the file is empty; its first line has to be: {}", "Die Datei ist leer."},
    {"{}; the text is a single line: curl -d removes line breaks, --data-binary keeps them",
     "{0!} Die Datei hat nur eine Zeile."},
    {"{}; name the columns in the first line: {}",
     "{0!} Oder schreiben Sie die Namen der Spalten in die erste Zeile: Von, Bis, Anzahl."},
    {"{}: {} is not a whole number: only the digits 0 to 9 are allowed",
     "{1} ist keine ganze Zahl."},
    {"{}: a number is missing", "Eine Nummer fehlt."},
    {"there is no table of blocks, and no number of a block in the text",
     "Im Text steht keine Nummer eines Blocks."},
    {"the text has one number of a block, {}, but no other end and no count",
     "Im Text steht von einem Block nur {0}. Es fehlt die letzte Nummer oder die Anzahl, etwa "
     "„250.001 Stück“."},
    {"it is not clear which of these numbers are first and last of a block: {}",
     "Es ist nicht klar, welche dieser Nummern die erste und welche die letzte eines Blocks ist: "
     "{0}."},
    {"there are no columns of first and last numbers",
     "Es gibt keine Spalten für die erste und die letzte Nummer."},
    {"Not a block: {}.", "{0!}"},
    {"The block ends before it begins.", "Die letzte Nummer liegt vor der ersten."},
    {"The field \"issued_until\" is no number of this block: {}.",
     "„Anderswo ausgegeben bis“ ist keine Nummer dieses Blocks. {0!}"},
    {"the block runs backwards: its last number {} is before its first, {}",
     "Die letzte Nummer liegt vor der ersten."},
    {"{} is before the first number of the block, {}",
     "{0} liegt vor der ersten Nummer des Blocks, {1}."},
    {"last: {} lies before first, {}", "Die letzte Nummer {0} liegt vor der ersten, {1}."},
    {"last: first and last are the same number{}; if the block has one number, give its count, 1",
     "Erste und letzte Nummer sind gleich. Hat der Block nur eine Nummer, nennen Sie die Anzahl "
     "1."},
    {"{}, but {}; give both the same way",
     "Die beiden Nummern sind verschieden geschrieben. Schreiben Sie beide ganz, mit Prüfziffer."},
    {"the ends {} and {} can be {} or {}; give the whole numbers",
     "{0} und {1} können {2} oder {3} sein. Schreiben Sie die ganzen Nummern."},
    {"this is {}; {}", "Das ist {0!}. {1!}"},
    {"a PDF", "ein PDF"},
    {"XML", "XML"},
    {"JSON", "JSON"},
    {"EDIFACT", "EDIFACT"},
    {"ANSI X12 (EDI)", "ANSI X12 (EDI)"},
    {"no text", "kein Text"},
    {"not UTF-8", "kein UTF-8"},
    {"broken UTF-16", "beschädigtes UTF-16"},
    {"UTF-16 without a byte order mark", "UTF-16 ohne Kennung"},
    {"neither UTF-8 nor Windows-1252: a byte is {}", "weder UTF-8 noch Windows-1252 (Byte {0})"},
    {"save the file as CSV in UTF-8", "Speichern Sie die Datei als „CSV UTF-8“."},
    {"a gzip archive", "ein gzip-Archiv"},
    {"a spreadsheet (.ods)", "eine Tabelle (.ods)"},
    {"an Excel workbook (.xlsx)", "eine Excel-Mappe (.xlsx)"},
    {"an Excel workbook (.xlsx) or a zip archive", "eine Excel-Mappe (.xlsx) oder ein ZIP-Archiv"},
    {"an Excel workbook (.xls)", "eine Excel-Mappe (.xls)"},
    {"an Excel workbook in XML", "eine Excel-Mappe als XML"},
    {"a web page (HTML), whatever its name", "eine Webseite (HTML), wie sie auch heißt"},
    {"a text document (RTF)", "ein Textdokument (RTF)"},
    {"ask the carrier for the same list as CSV",
     "Bitten Sie den Paketdienst um dieselbe Liste als CSV."},
    {"unpack it and give the CSV file in it",
     "Entpacken Sie es, und wählen Sie die CSV-Datei darin."},
    {"open it in Excel, choose File, Save As, 'CSV UTF-8 (*.csv)', and give that file",
     "Öffnen Sie die Datei in Excel, speichern Sie sie mit „Speichern unter“ als „CSV UTF-8“, und "
     "wählen Sie diese."},
    {"open it in Excel, choose File, Save As, 'CSV UTF-8 (*.csv)', or unpack it, and give that "
     "file",
     "Speichern Sie die Datei in Excel mit „Speichern unter“ als „CSV UTF-8“, oder entpacken Sie "
     "sie, und wählen Sie die CSV-Datei."},
    {"two of the blocks share numbers", "Zwei der Blöcke haben gemeinsame Nummern."},
    {"{} fields, but the header names {}", "Die Zeile hat {0} Felder, die Kopfzeile {1}."},
    {"{} fields, but the first block has {}", "Die Zeile hat {0} Felder, der erste Block {1}."},
    {"{}; the columns here are {}; name the right one, or its place from 1",
     "{0!} Die Datei hat die Spalten {1}. Nennen Sie die richtige mit Namen oder Nummer (ab 1)."},
    {"the columns {} and {} are both called {}; name the right one by its place",
     "Die Spalten {0} und {1} heißen beide {2}. Nennen Sie die richtige als Platz ab 1."},
    {"the column {} has the numbers, not the amounts",
     "Die Spalte {0} hat die Nummern, nicht die Beträge."},
    {"there is no column {}", "Es gibt keine Spalte {0}."},
    {"no column has the numbers of the series, by its name or by its values",
     "Keine Spalte hat Nummern dieses Nummernkreises, weder dem Namen noch den Werten nach."},
    {"column {} stands there twice", "Die Spalte „{0!}“ kommt zweimal vor."},
    {"the header has no column {}; it has {}",
     "In der Kopfzeile fehlt die Spalte „{0!}“; sie hat {1}."},

    // An invoice.
    {"the invoice: {}", "{0!}"},
    {"the invoice:{}: {}", "Zeile {0}: {1!}"},
    {"there is no number in this file", "In dieser Datei steht keine Nummer."},
    {"two columns may have the numbers: {} (place {}: {} …) and {} (place {}: {} …); say which "
     "one: "
     "--column on the command line, column= over HTTP",
     "Zwei Spalten können die Nummern haben: {0} (Platz {1}: {2} …) und {3} (Platz {4}: {5} …). "
     "Nennen Sie die richtige."},
    {"The invoice has {} findings, more than one answer holds; say with from and to when its "
     "numbers were issued, or use 'gapless reconcile'.",
     "Die Rechnung hat {0#} Abweichungen, zu viele für eine Liste. Nennen Sie den Zeitraum, in dem "
     "die Nummern ausgegeben wurden."},
    {"not-of-series", "keine passende Nummer"},
    {"outside-blocks", "berechnet, aber aus keinem Block des Kreises"},
    {"never-issued", "berechnet, aber nie ausgegeben"},
    {"billed-voided", "berechnet, aber entwertet"},
    {"billed-twice", "doppelt berechnet"},
    {"never-billed", "gebraucht, aber nicht berechnet"},
    {"no number stands in this line", "In dieser Zeile steht keine Nummer."},
    {"in no loaded block of this series",
     "Sie steht in keinem geladenen Block dieses Nummernkreises."},
    {"it was never issued", "Sie wurde nie ausgegeben."},
    {"it was voided", "Sie ist entwertet."},
    {"it is {}", "Sie ist {0!}."},
    {"replaced by {} ({}, {})", "Ersetzt durch {0} ({1!}, {2!})."},
    {"in no line", "in keiner Zeile"},
    {"in line {}", "in Zeile {0}"},
    {"it replaces {} of line {}", "Sie ersetzt {0} aus Zeile {1}."},
    {"also in line {}", "Auch in Zeile {0}."},
    {"{} lines: {}", "{0} Zeilen: {1}."},

    // Dates and periods.
    {"to: {} is before from, {}", "Der Zeitraum endet am {0}, also vor seinem Beginn am {1}."},
    {"{} is before {}", "{0} liegt vor {1}."},
    {"{} is in the future: it is {} in the time zone {}",
     "Der Tag {0} liegt in der Zukunft; heute ist {1} (Zeitzone {2})."},

    // Spelling of numbers.
    {"{} is not a number of {}: {}", "{0}: {2!}"},
    {"{} is no number of series {}: {}.", "{0} ist keine Nummer des Nummernkreises {1}: {2!}"},
    {"{} is a number of the series {}: say which", "{0} gibt es in mehreren Nummernkreisen: {1}."},
    {"{}: give the whole number", "{0!} Schreiben Sie die ganze Nummer."},
    {"{} is {} without {}", "{0} ist {1} ohne {2!}."},
    {"its check digit", "Prüfziffer"},
    {"zeros in front", "die Nullen davor"},
    {"no block holds it", "Sie steht in keinem Block."},
    {"check digit {} expected, {} found", "Prüfziffer {0} erwartet, {1} gefunden."},
    {"without its check digit: {}", "Ohne Prüfziffer gelesen: {0!}"},
    {"with zeros in front: {}", "Mit Nullen davor: {0!}"},
    {"with zeros in front: {}", "Mit Nullen davor: {0}."},
    {"character {} is {}, expected {}", "Zeichen {0} ist {1}; erwartet wird {2!}."},
    {"character {} is {}, expected {}", "Zeichen {0} ist {1}; erwartet wird {2}."},
    {"a digit", "eine Ziffer"},
    {"a letter", "ein Buchstabe"},
    {"a digit or letter", "eine Ziffer oder ein Buchstabe"},
    {"parameter {}: expected {}, found {}",
     "Sie gehört nicht zu diesem Nummernkreis: {1} erwartet, {2} gefunden."},
    {"{}: {} is no number of a carrier: {}", "{1} ist keine Sendungsnummer: {2!}"},
    {"Excel may have rounded it (15 digits, then zeros): format the column as text, enter the "
     "numbers again and export it anew",
     "Excel hat sie vielleicht gerundet (15 Ziffern, dann Nullen). Formatieren Sie die Spalte als "
     "Text, geben Sie die Nummern neu ein, und exportieren Sie sie noch einmal."},
    {"a spreadsheet rounded this number: format the column as text, enter the numbers again "
     "and export it anew",
     "Excel hat diese Nummer gerundet. Formatieren Sie die Spalte als Text, geben Sie die Nummern "
     "neu ein, und exportieren Sie sie noch einmal."},
    {"the {} end {} is no serial (it {}) and no number ({})", "{1} ist keine Nummer: {3!}"},
    {"{} is no serial (it {}) and no number ({})", "{0} ist keine Nummer: {2!}"},
    {"wrong length: expected {} to {} characters, found {}",
     "Die Länge stimmt nicht: {0} bis {1} Zeichen erwartet, {2} gefunden."},
    {"wrong length: expected {} characters, found {}",
     "Die Länge stimmt nicht: {0} Zeichen erwartet, {1} gefunden."},
    {"check character: expected {}, found {}",
     "Die Prüfziffer stimmt nicht: {0} erwartet, {1} gefunden."},
    {"a {} stands where numbers of this format have none; a spreadsheet may have changed the "
     "number",
     "Ein Punkt, ein Strich oder eine Klammer steht, wo diese Nummern keine haben; vielleicht hat "
     "eine Tabellenkalkulation die Nummer verändert."},

    // Temporary refusals.
    {"The token may send {} requests a second; send them more slowly, or use a token with a "
     "higher --rate.",
     "Das Token darf {0} Anfragen in der Sekunde senden. Senden Sie langsamer."},
    {"{} requests are waiting; try again later with the same key",
     "{0} Anfragen warten schon. Versuchen Sie es später noch einmal."},
    {"too many requests wait for the database; try again later",
     "Zu viele Anfragen warten auf die Datenbank. Versuchen Sie es später noch einmal."},
    {"the request waited too long for the database; try again later",
     "Die Datenbank hat zu lange gebraucht. Versuchen Sie es später noch einmal."},
    {"the connection to the database was lost before COMMIT",
     "Die Verbindung zur Datenbank ging verloren, bevor etwas geändert war."},
    {"the disk of the database is full", "Der Speicher der Datenbank ist voll."},
    {"the database met an unexpected error: the event issuing_refused in the log says which",
     "In der Datenbank gab es einen unerwarteten Fehler. Das Ereignis issuing_refused im Protokoll "
     "des Dienstes sagt, welchen."},
    {"a lock was not granted in time",
     "Jemand anders arbeitet gerade daran. Versuchen Sie es noch einmal."},

    // A value and its fault.
    {"'{}': {}", "'{0}': {1!}"},
};

/// The German names of list columns, except those that only administrators need.
constexpr std::string_view headings{
    ";action=Vorgang;actor=Wer;amount=Betrag;at=Zeitpunkt;block=Block;blocks=Blöcke"
    ";carrier=Paketdienst;closed_reason=Grund;code=Kürzel;contact=Kontakt;count=Anzahl"
    ";cycle=Durchgang;date=Tag;days_left=Tage übrig;detail=Näheres;elsewhere=Anderswo ausgegeben"
    ";exhausted_on=Erschöpft am;expires_at=Läuft ab am;finding=Abweichung;first=Erste Nummer"
    ";format=Format;free=Frei;held=Reserviert;id=Nr.;issuance=Ausgabe;issued=Ausgegeben"
    ";issued_at=Ausgegeben am;kind=Art;last=Letzte Nummer;lead_days=Lieferzeit in Tagen"
    ";line=Zeile;loaded_at=Geladen am;loaded_by=Geladen von;low_water=Warnung unter"
    ";manifested=Dem Paketdienst gemeldet;name=Name;next=Nächste Nummer;number=Sendungsnummer"
    ";order_by=Bestellen bis;ordinal=Ordnungszahl;over=Vorbei;paused=Angehalten"
    ";paused_at=Angehalten am;paused_by=Angehalten von;paused_reason=Grund der Pause"
    ";per_day=Am Tag;position=Platz;printed=Gedruckt;proposed_at=Vorgeschlagen am"
    ";proposed_by=Vorgeschlagen von;reason=Grund;recalled_at=Zurückgerufen am;reference=Referenz"
    ";reference_erased=Referenz gelöscht;remaining=Übrig;reported=Gemeldet;returned=Zurückgesandt"
    ";serial=Laufende Nummer;series=Nummernkreis;settled_at=Entschieden am"
    ";settled_by=Entschieden von;state=Zustand;subject=Woran;to_report=Zu melden;today=Heute"
    ";unprinted=Nicht gedruckt;used_today=Heute verbraucht;valid_until=Gültig bis"
    ";voided=Entwertet;warnings=Warnungen;what=Was;"};

constexpr std::string_view between_sentences{"; "};

/// The texts in the gaps of a sentence; nullopt: the sentence does not match.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view text)
{
    std::vector<std::string_view> found;
    auto gap = pattern.find("{}");
    if (!text.starts_with(pattern.substr(0, gap)))
        return std::nullopt;
    while (gap != pattern.npos)
    {
        text.remove_prefix(pattern.substr(0, gap).size());
        pattern.remove_prefix(gap + 2);
        gap = pattern.find("{}");
        auto const next = pattern.substr(0, gap);
        // The last gap takes as much as it can, the others as little as they must.
        auto const end = gap != pattern.npos    ? text.find(next)
                         : text.ends_with(next) ? text.size() - next.size()
                                                : text.npos;
        if (end == text.npos)
            return std::nullopt;
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return text == pattern ? std::optional{found} : std::nullopt;
}

/// One search for the German of a text. The text may quote what anybody sent, and each separator in
/// it doubles the ways to divide it, so the search ends after so many sentences: English then.
class search
{
public:
    /// Divides a text into sentences. Quoted text may contain the same separator.
    std::optional<std::string> divide(std::string_view english)
    {
        for (auto end = english.find(between_sentences); end != english.npos;
             end = english.find(between_sentences, end + 1))
            if (auto text = find(english.substr(0, end)))
                if (auto const rest = divide(english.substr(end + between_sentences.size())))
                    return text->append(text->ends_with('.') ? " " : between_sentences)
                        .append(*rest);
        return find(english);
    }

private:
    /// Looks one sentence up.
    std::optional<std::string> find(std::string_view english)
    {
        if (left_ == 0)
            return std::nullopt;
        --left_;
        for (auto const& each : messages)
            if (auto const values = match(each.english, english))
                if (auto text = fill(each.german, *values))
                    return text;
        auto const heading = to_german_heading(english);
        return heading == english ? std::nullopt : std::optional{std::string{heading}};
    }

    /// Fills the gaps; nullopt: one of them needs a sentence without a German version.
    std::optional<std::string> fill(
        std::string_view german, std::vector<std::string_view> const& values
    )
    {
        std::string text;
        for (auto at = german.find('{'); at != german.npos; at = german.find('{'))
        {
            text += german.substr(0, at);
            auto const value = values.at(static_cast<std::size_t>(german[at + 1] - '0'));
            auto const mark = german[at + 2];
            if (mark == '!')
            {
                auto const inner = divide(value);
                if (!inner)
                    return std::nullopt;
                text += *inner;
            }
            else if (value.find(between_sentences) != value.npos && value.find('\'') == value.npos)
                return std::nullopt;  // the next sentence, not part of a value
            else
                text += mark == '#' ? to_grouped(value, '.') : std::string{value};
            german.remove_prefix(at + (mark == '}' ? 3 : 4));
        }
        return text.append(german);
    }

    int left_{100};
};

}  // namespace

std::optional<std::string> to_german(std::string_view english)
{
    return search{}.divide(english);
}

std::string_view to_german_heading(std::string_view name)
{
    auto const key = fmt::format(";{}=", name);
    auto const at = headings.find(key);
    if (at == headings.npos)
        return name;
    auto const word = headings.substr(at + key.size());
    return word.substr(0, word.find(';'));
}

told tell(std::string_view english, language wanted)
{
    if (wanted == language::english || english.empty())
        return {std::string{english}};
    auto german = to_german(english);
    return german ? told{std::move(*german)} : told{std::string{english}, true};
}

void tell(std::vector<load_warning>& warnings, language wanted)
{
    for (auto& each : warnings)
        each.detail = tell(each.detail, wanted).text;
}

}  // namespace gapless
