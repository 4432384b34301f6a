// Deutsch: Blöcke, Reservierungen, Vorschläge, Tage und Rechnungen.
export const germanClerk = {
    "block.title": (id) => `Block ${id}`,
    "block.open": "offen",
    "block.queued": "wartend",
    "block.exhausted": "erschöpft",
    "block.closed": "stillgelegt",
    "block.withdrawn": "zurückgenommen",
    "block.recalled": "zurückgerufen",
    "block.letter": "Brief",
    "block.until": "Gültig bis",
    "block.valid": (day) => `gültig bis ${day}`,
    "block.by": "Geladen",
    "block.loaded": (who, when) => `von ${who}, ${when}`,
    "block.who": (who) => `geladen von ${who}`,
    "block.elsewhere": "Anderswo ausgegeben",
    "block.issued-until": (number) => `anderswo ausgegeben bis ${number}`,
    "block.reason": "Grund",
    "block.listed": "Ausgegebene sichern",
    "block.move": "Verschieben",
    "block.move.title": (id) => `Block ${id} verschieben`,
    "block.move.where": "Sein Platz in der Reihe",
    "block.move.before": (id, first, last) => `vor Block ${id}: ${first} – ${last}`,
    "block.move.last": "hinter den letzten",
    "block.move.done": (id) => `Block ${id} wurde verschoben.`,
    "block.withdraw": "Zurücknehmen",
    "block.withdraw.title": (id) => `Block ${id} zurücknehmen`,
    "block.withdraw.about": () =>
        "Für einen Block, der versehentlich geladen wurde. Keine seiner Nummern wurde " +
        "ausgegeben; sie lassen sich wieder laden.",
    "block.withdraw.done": (id) => `Block ${id} ist zurückgenommen.`,
    "block.withdraw.confirm": () => "Zurücknehmen",
    "block.withdraw.for": "versehentlich geladen, und keine Nummer davon wurde ausgegeben",
    "block.close": "Rest stilllegen",
    "block.close.rest": (remaining) => `Rest stilllegen (${remaining}) …`,
    "block.close.for": "Ausgegebenes bleibt; die übrigen Nummern sollen nie ausgegeben werden",
    "block.close.title": (id) => `Rest von Block ${id} stilllegen`,
    "block.close.about": (remaining) =>
        `Seine restlichen ${remaining} Nummern werden nie ausgegeben. Das lässt sich nicht ` +
        "rückgängig machen.",
    "block.close.confirm": (remaining) => `${remaining} Nummern stilllegen`,
    "block.close.done": (id) => `Der Rest von Block ${id} ist stillgelegt.`,
    "block.recall": "Zurückrufen",
    "block.recall.confirm": () => "Zurückrufen",
    "block.recall.for": "der Paketdienst erkennt den Block nicht an, auch nicht auf Paketen",
    "block.extent": (first, last, issued) => `Von ${first} bis ${last}; ${issued} ausgegeben`,
    "block.recall.title": (id) => `Block ${id} zurückrufen`,
    "block.recall.about": (remaining, issued) =>
        `Für einen Block, den der Paketdienst nicht anerkennt. Seine restlichen ${remaining} ` +
        "Nummern " +
        `werden nie ausgegeben, reservierte werden entwertet. Die ${issued} ausgegebenen ` +
        "bleiben, wie sie sind.",
    "block.recall.done": (id) =>
        `Block ${id} ist zurückgerufen. Was davon ausgegeben wurde, lässt sich als Liste sichern.`,

    pause: "Anhalten",
    "pause.title": (name) => `${name} anhalten`,
    "pause.about":
        "Solange der Nummernkreis angehalten ist, wird jede Anfrage nach Nummern abgelehnt.",
    "pause.by": (who, when) => `Angehalten von ${who}, ${when}`,
    "pause.done": (name) => `${name} ist angehalten.`,
    resume: "Fortsetzen",
    "resume.title": (name) => `${name} fortsetzen`,
    "resume.about": "Nummern werden wieder ausgegeben.",
    "resume.done": (name) => `${name} läuft wieder.`,

    carrier: "Paketdienst",
    "carrier.change": (carrier) => `Paketdienst ${carrier}`,
    "carrier.about": (carrier) => `Das gilt für alle Nummernkreise von ${carrier}.`,
    "settings.saved": (what) => `${what} ist gespeichert.`,
    contact: "Kontakt",
    "contact.of": (carrier, contact) => `Bestellen bei ${carrier}: ${contact}`,
    "contact.none": (carrier) => `Wo bei ${carrier} bestellt wird, ist noch nicht hinterlegt.`,
    "contact.hint": "Wo Sie einen neuen Block bestellen: Telefon, E-Mail, Ihre Kundennummer.",
    "lead-days": "Lieferzeit in Tagen",
    "lead-days.hint": "Kalendertage von der Bestellung eines Blocks bis zum Brief.",
    "low-water.hint": "Leer: nie.",
    "series.new": "Neuer Nummernkreis",
    "series.new.about": "Name, Paketdienst und Format lassen sich später nicht ändern.",
    "series.new.name": "Name",
    "series.new.name.hint": "Kleinbuchstaben, Ziffern, Punkt, Binde- und Unterstrich: dhl-paket.",
    "series.new.carriers": (carriers) => `Bisher: ${carriers}. Ein anderer wird angelegt.`,
    "series.new.format": "Format der Nummern",
    "series.new.param": (name, length) => `${name} (Länge ${length})`,
    "series.new.do": "Anlegen",
    "series.new.done": (name) => `${name} ist angelegt. Laden Sie den ersten Block.`,

    "load.block": "Block laden",
    "load.next": "Nächsten Block laden",
    "load.title": (name) => `Block in ${name} laden`,
    "load.why":
        "Tippen Sie ab oder fügen Sie ein, was im Brief des Paketdienstes steht. Nichts wird " +
        "geladen, bevor Sie es gesehen haben.",
    "load.series": "Nummernkreis",
    "load.series.open": "aus den Nummern erkennen",
    "load.series.hint":
        "Sie können das offen lassen: Die Vorschau zeigt, zu welchem Nummernkreis die Nummern " +
        "gehören.",
    "load.choose": "Wählen Sie den Nummernkreis, für den der Brief gilt.",
    "load.of-none":
        "Diese Angaben passen zu keinem Nummernkreis. Wählen Sie einen aus, dann sehen Sie, warum.",
    "load.of-several": (names) =>
        `Mehrere Nummernkreise kommen infrage: ${names}. Bitte wählen Sie einen.`,
    "load.mode": "Was geladen wird",
    "load.mode.block": "Ein Block",
    "load.mode.table": "Text eines Briefs, Tabelle oder Datei",
    "load.first": "Erste Nummer",
    "load.first.hint":
        "Wie gedruckt, in jeder Schreibweise. Beide Nummern lassen sich auf einmal einfügen.",
    "load.last": "Letzte Nummer",
    "load.count": "Anzahl",
    "load.count.hint": "Die Anzahl laut Brief, falls sie dort steht. Sie wird nachgerechnet.",
    "load.reference": "Brief",
    "load.reference.hint": "Datum oder Aktenzeichen, damit Sie ihn wiederfinden.",
    "load.until": "Gültig bis",
    "load.more": "Mehr",
    "load.issued-until": "Anderswo ausgegeben bis",
    "load.issued-until.hint":
        "Die letzte Nummer, die ein anderes System ausgegeben hat. Dahinter geht es weiter.",
    "load.rows": "Zeilen",
    "load.rows.hint":
        "Aus einer Tabelle, einem Brief oder einer E-Mail eingefügt. Ohne Spaltennamen: Erste, " +
        "Letzte, Anzahl, Brief, Gültig bis.",
    "load.file": "Oder eine CSV-Datei",
    "load.preview": "Vorschau",
    "load.change": "Ändern",
    "load.do": (numbers, series) => `${numbers} in ${series} laden`,
    "load.done": (numbers, series) => `In ${series} geladen: ${numbers}.`,
    "load.proposed": (id, numbers, series) =>
        `Vorschlag ${id} liegt vor: ${numbers} für ${series}. Jemand anders muss ihn bestätigen.`,
    "load.pasted": "Die Vorschau zeigt, welche Nummern im Eingefügten gefunden wurden.",
    "load.not-pasted":
        "Das Eingefügte ist mehr als zwei Nummern, dann hat jede Zeile ihre eigene Anzahl, ihren " +
        "Brief und ihre Gültigkeit. Leeren Sie hier diese Felder, und fügen Sie es noch einmal ein.",
    "load.dropped": (name) => `${name} wird gelesen.`,
    "load.no-rows": "Fügen Sie Zeilen ein, oder wählen Sie eine Datei.",
    "load.no-number": "Die erste und die letzte Nummer sind nötig.",
    "load.not-confirmed": "Haken Sie jede Warnung ab, die so gemeint ist.",
    blocks: { one: "1 Block", many: (n) => `${n} Blöcken` },
    "preview.title": (numbers, blocks, series) => `${numbers} Nummern in ${blocks} für ${series}`,
    "preview.series": (series, carrier) => `${series}, Paketdienst ${carrier}`,
    "preview.before": "Davor",
    "preview.before.none": "kein Block, der noch Nummern hat",
    "preview.after": "Danach",
    "preview.after.none": "nichts, bis ein weiterer Block geladen wird",
    "preview.used": "Wird verwendet",
    "preview.used.now": "sofort: Der Nummernkreis hat keine anderen Nummern",
    "preview.used.after": (numbers) => `sobald ${numbers} davor verbraucht sind`,
    "preview.used.last": (when) => `sie reichen voraussichtlich ${when}`,
    "preview.guessed.alike": (series) =>
        `Sie haben keinen Nummernkreis gewählt. Angenommen wurde ${series}: ` +
        "Nur dessen Blöcke beginnen wie diese Nummern.",
    "preview.guessed.format": (series) =>
        `Sie haben keinen Nummernkreis gewählt. Angenommen wurde ${series}: ` +
        "Kein anderer hat Nummern in diesem Format.",
    "preview.more": { one: "… und 1 weiterer", many: (n) => `… und ${n} weitere` },
    "preview.elsewhere": (numbers, next) =>
        `${numbers} davon anderswo ausgegeben, weiter mit ${next}`,
    "preview.warnings": "Bitte prüfen:",
    "preview.confirm": "Es ist so gemeint",
    "warning.ignored-columns": "Nicht alle Spalten werden gelesen.",
    "warning.ignored-lines": "Nicht alle Zeilen und Nummern werden gelesen.",
    "warning.no-heading": "Die Spalten haben keine Namen. Bitte mit der Vorlage vergleichen.",
    "warning.completed": "Prüfziffern, Nullen am Anfang oder letzte Nummern sind ergänzt.",
    "warning.short-validity": "Der Block schließt sich binnen einer Woche.",
    "warning.other-length": "Die Nummern haben eine andere Länge als alle bisherigen.",
    "warning.other-prefix": "Die Nummern beginnen anders als alle bisherigen.",
    "warning.other-size": "Der Block ist zehnmal größer oder kleiner als der letzte.",
    "warning.neighbour": "Der Block grenzt an einen Block eines anderen Nummernkreises.",
    "warning.other-series": "Ein anderer Nummernkreis hat dieselben Nummern.",
    "warning.much-stock": "Der Nummernkreis hätte Nummern für mehr als zwei Jahre.",
    "warned.completed": "Die vollständigen Nummern stimmen",
    "warned.ignored-columns": "Die übrigen Spalten werden nicht gebraucht",
    "warned.ignored-lines": "Was nicht gelesen wird, wird nicht gebraucht",
    "warned.no-heading": "Die Werte sind richtig gelesen",
    "warned.short-validity": "Die kurze Gültigkeit stimmt",
    "warned.other-length": "Die andere Länge stimmt",
    "warned.other-prefix": "Der andere Anfang stimmt",
    "warned.other-size": "Die Größe stimmt",
    "warned.neighbour": "Der Nummernkreis stimmt",
    "warned.other-series": "Beide Nummernkreise dürfen diese Nummern haben",
    "warned.much-stock": "So viele Nummern sind gewollt",

    "hold.title": (id, series) => `Reservierung ${id} aus ${series}`,
    "hold.summary": { one: "1 offene Reservierung", many: (n) => `${n} offene Reservierungen` },
    "hold.none": "Keine Reservierung ist offen.",
    "hold.held": "Reservierte Nummern",
    "hold.expires": "Läuft ab",
    "hold.confirm": "Bestätigen",
    "hold.confirm.title": (id) => `Reservierung ${id} bestätigen`,
    "hold.confirm.about": (held, series) =>
        `${held} reservierte Nummern aus ${series} sind dann ausgegeben.`,
    "hold.confirm.done": (id) => `Reservierung ${id} ist bestätigt.`,
    "hold.release": "Freigeben",
    "hold.release.title": (id) => `Reservierung ${id} freigeben`,
    "hold.release.about": (held, series) =>
        `${held} reservierte Nummern aus ${series} werden zurückgegeben. Sie dürfen auf keinem ` +
        "Etikett stehen.",
    "hold.release.done": (id) => `Reservierung ${id} ist freigegeben.`,

    "proposal.title": (id, series) => `Vorschlag ${id} für ${series}`,
    "proposal.summary": {
        one: "1 Vorschlag zu bestätigen",
        many: (n) => `${n} Vorschläge zu bestätigen`,
    },
    "proposal.none": "Kein Vorschlag ist zu bestätigen.",
    "proposal.over": { one: "1 erledigter Vorschlag", many: (n) => `${n} erledigte Vorschläge` },
    "proposal.proposed": "vorgeschlagen",
    "proposal.confirmed": "bestätigt",
    "proposal.rejected": "abgelehnt",
    "proposal.expired": "abgelaufen",
    "proposal.by": "Vorgeschlagen",
    "proposal.who": (who, when) => `von ${who}, ${when}`,
    "proposal.expires": "Läuft ab",
    "proposal.settled": "Erledigt",
    "proposal.own": "Das ist Ihr Vorschlag; jemand anders muss ihn bestätigen.",
    "proposal.confirm": "Bestätigen",
    "proposal.confirm.title": (id) => `Vorschlag ${id} bestätigen`,
    "proposal.confirm.about": (series) =>
        `Vergleichen Sie mit dem Brief. Das wird in ${series} geladen:`,
    "proposal.confirm.done": (id) => `Vorschlag ${id} ist bestätigt und geladen.`,
    "proposal.reject": "Ablehnen",
    "proposal.reject.title": (id) => `Vorschlag ${id} ablehnen`,
    "proposal.reject.about": (series) => `Davon wird nichts in ${series} geladen:`,
    "proposal.reject.done": (id) => `Vorschlag ${id} ist abgelehnt.`,

    manifest: "Tagesabschluss",
    "manifest.title": (series) => `Tagesabschluss von ${series}`,
    "manifest.day": "Tag",
    "manifest.show": "Zeigen",
    "manifest.open": (day) => `Der ${day} ist nicht abgeschlossen.`,
    "manifest.closed": (day, numbers) => `Der ${day} ist mit ${numbers} Nummern abgeschlossen.`,
    "manifest.close": "Tag abschließen",
    "manifest.close.title": (day) => `${day} abschließen`,
    "manifest.close.about": (numbers, series) =>
        `${numbers} gedruckte Nummern von ${series} kommen auf die Liste für den Paketdienst und ` +
        "gelten als gemeldet. Das lässt sich nicht rückgängig machen.",
    "manifest.close.do": (numbers) => `Mit ${numbers} Nummern abschließen`,
    "manifest.not-over":
        "Der Tag ist noch nicht zu Ende. Was nach dem Abschluss gedruckt wird, kommt erst auf " +
        "die Liste eines späteren Tages.",
    "manifest.none-printed": (numbers) =>
        `${numbers} vergeben, keine als gedruckt markiert. Sie kommen nicht auf die Liste.`,
    "manifest.unprinted": (unprinted, issued) =>
        `${unprinted} von ${issued} vergebenen Nummern sind nicht als gedruckt markiert. Sie ` +
        "kommen nicht auf die Liste.",
    "manifest.empty": "Die Liste für den Paketdienst bleibt leer.",
    "manifest.save": "Für den Paketdienst sichern",
    "manifest.numbers": "Die Nummern der Liste",
    "day.issued": (numbers) => `An diesem Tag vergebene Nummern: ${numbers}`,
    "number.unprinted": "nicht gedruckt",

    "parcels.choose": "Bitte wählen",
    "parcels.issue": "Ein Etikett",
    "parcels.issue.do": "Nummer vergeben",
    "parcels.issue.act": "Eine Nummer vergeben",
    "parcels.issue.open":
        "Es ist noch nicht bekannt, ob eine Nummer vergeben wurde. Wiederholen Sie oben zuerst " +
        "diese Anfrage.",
    "parcels.day": "Vergeben an einem Tag",
    "parcels.today": "Heute",
    "parcels.yesterday": "Gestern",
    "parcels.range": "Nummern von … bis …",
    "label.printed": "Drucken",
    "label.printed.title": (number) => `${number} drucken`,
    "label.printed.about": "Die Nummer gilt dann als gedruckt und kommt auf den Tagesabschluss.",
    "label.printed.done": (number) => `${number} ist als gedruckt markiert.`,
    "label.reprinted": "Noch einmal drucken",
    "label.reprinted.title": (number) => `${number} noch einmal drucken`,
    "label.reprinted.about":
        "Vernichten Sie das frühere Etikett: Von zwei Paketen mit derselben Nummer geht eines in " +
        "die Irre.",
    "label.reprinted.done": (number) => `Der erneute Druck von ${number} ist vermerkt.`,
    "label.late": (number) =>
        `${number} wurde inzwischen anderswo als gedruckt markiert. Hier wurde nichts gedruckt.`,
    "label.not-drawn": (number) =>
        `Der Barcode von ${number} ist nicht zu sehen. Nichts wurde gedruckt oder markiert; ` +
        "versuchen Sie es noch einmal.",
    "label.not-printed": (number) =>
        `${number} gilt als gedruckt, aber hier wurde kein Etikett gedruckt. Drucken Sie es noch ` +
        "einmal.",
    "number.reason.hint": "Steht danach im Verlauf dieser Nummer.",
    "orders.title": (text) => `Bestellnummer ${text}`,
    "orders.none": "Auch unter dieser Bestellnummer wurde nichts vergeben.",
    "orders.more": "Es gibt noch mehr unter dieser Bestellnummer; hier stehen die ersten.",
    "issued.day": (series, day) => `${series}: vergeben am ${day}`,
    "issued.range": (first, last) => `${first} – ${last}`,
    "issued.issuance": (id) => `Ausgabe ${id}`,
    "issued.about": (at, series, order) =>
        `${series}, vergeben am ${at}${order ? `, Bestellnummer ${order}` : ""}`,
    "issued.none": "Es wurde keine Nummer vergeben.",
    "issued.more": "Mehr zeigen",
    "issued.save": "Liste für Excel sichern",
    "ended.released": "freigegeben",
    "ended.expired": "abgelaufen",
    "ended.reused": "inzwischen neu vergeben",
    "told.issued": (at, who, order) =>
        `Am ${at} von ${who} vergeben${order ? ` für die Bestellnummer ${order}` : ""}.`,
    "told.held": (at, who, order) =>
        `Am ${at} von ${who} reserviert${order ? ` für die Bestellnummer ${order}` : ""}.`,
    "told.leased": (at, who) => `Am ${at} dem Vorrat von ${who} zugeteilt.`,
    "told.confirmed": (at, who) => `Am ${at} von ${who} bestätigt.`,
    "told.released": (at, who) => `Am ${at} von ${who} freigegeben.`,
    "told.expired": (at) => `Am ${at} lief die Reservierung ab.`,
    "told.found": (at, who) => `Am ${at} von ${who} nachgetragen.`,
    "told.printed": (at, who) => `Am ${at} von ${who} als gedruckt markiert.`,
    "told.reprinted": (at, who, why) =>
        `Am ${at} von ${who} noch einmal gedruckt${why ? `. Grund: ${why}` : "."}`,
    "told.voided": (at, who, why) => `Am ${at} von ${who} entwertet. Grund: ${why}`,
    "told.closed": (at, who, day) =>
        `Am ${at} von ${who} gemeldet, mit dem Tagesabschluss vom ${day}.`,
    "told.manifested": (at, who, why) =>
        `Am ${at} von ${who} gemeldet${why ? `. Grund: ${why}` : "."}`,
    "told.returned": (at, who, why) =>
        `Am ${at} von ${who} als Rücksendung vermerkt${why ? `. Grund: ${why}` : "."}`,
    zone: (name) => `Alle Zeiten und Tage: Zeitzone ${name}`,

    invoice: "Rechnung",
    "invoice.title": (series) => `Rechnung für ${series}`,
    "invoice.why":
        "Vergleicht, was der Paketdienst berechnet, mit dem, was ausgegeben wurde. Nichts wird " +
        "geändert.",
    "invoice.file": "Die Rechnung des Paketdienstes als CSV",
    "invoice.hint": "Wählen Sie sie, oder ziehen Sie sie auf diese Seite.",
    "invoice.from": "Ausgegeben ab",
    "invoice.to": "Ausgegeben bis",
    "invoice.column": "Spalte der Nummern",
    "invoice.column.hint": "Ihr Name oder ihr Platz, falls sie nicht von selbst gefunden wird.",
    "invoice.amount.column": "Spalte der Beträge",
    "invoice.compare": "Vergleichen",
    "invoice.running": "Die Rechnung wird verglichen …",
    "invoice.agrees": "Alles stimmt überein",
    "invoice.nothing": "Keine Zeile hat eine Nummer. Sie können die Spalte der Nummern oben angeben.",
    "invoice.found": { one: "1 Abweichung", many: (n) => `${n} Abweichungen` },
    "invoice.findings": "Abweichungen",
    "invoice.read": (column, file) =>
        `Die Nummern wurden aus der Spalte „${column}“ von ${file} gelesen.`,
    "invoice.lines": "Gelesene Zeilen",
    "invoice.sum": "Summe der Zeilen",
    "invoice.several_rows": "Sendungen mit mehreren Zeilen",
    "invoice.title_lines": "Überschriften und Kopfzeilen",
    "invoice.total_lines": "Summen- und Steuerzeilen",
    "invoice.no-amounts": "Keine Spalte mit Beträgen gefunden. Sie können sie oben angeben.",
    "invoice.unread": {
        one: (line, value) =>
            `Ein Betrag war nicht lesbar und fehlt in den Summen: „${value}“ in Zeile ${line}.`,
        many: (n, line, value) =>
            `${n} Beträge waren nicht lesbar und fehlen in den Summen, zuerst „${value}“ in Zeile ${line}.`,
    },
    "invoice.differs": (line, stated, sum) =>
        `In Zeile ${line} steht als Summe ${stated}; die Zeilen darüber ergeben ${sum}.`,
    "invoice.save": "Alle Abweichungen sichern",
    "invoice.finding": "Abweichung",
    "invoice.number": "Nummer",
    "invoice.line": "Zeile",
    "invoice.amount": "Betrag",
    "invoice.detail": "Näheres",
    "finding.billed-twice": "doppelt berechnet",
    "finding.billed-voided": "berechnet, aber entwertet",
    "finding.never-issued": "berechnet, aber nie ausgegeben",
    "finding.outside-blocks": "berechnet, aber aus keinem Block des Kreises",
    "finding.not-of-series": "keine passende Nummer",
    "finding.never-billed": "gebraucht, aber nicht berechnet",
};
