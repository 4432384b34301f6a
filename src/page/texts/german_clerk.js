// Deutsch: Blöcke, Reservierungen, Vorschläge, Tage und Rechnungen.
export const germanClerk = {
    "block.title": (id) => `Block ${id}`,
    "block.open": "offen",
    "block.queued": "wartend",
    "block.exhausted": "erschöpft",
    "block.closed": "geschlossen",
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
    "block.close": "Schließen",
    "block.close.title": (id) => `Block ${id} schließen`,
    "block.close.about": (remaining) =>
        `Seine restlichen ${remaining} Nummern werden nie ausgegeben. Das lässt sich nicht ` +
        "rückgängig machen.",
    "block.close.done": (id) => `Block ${id} ist geschlossen.`,
    "block.recall": "Zurückrufen",
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
    "pause.about": "Solange die Serie angehalten ist, wird jede Anfrage nach Nummern abgelehnt.",
    "pause.done": (name) => `${name} ist angehalten.`,
    resume: "Fortsetzen",
    "resume.title": (name) => `${name} fortsetzen`,
    "resume.about": "Nummern werden wieder ausgegeben.",
    "resume.done": (name) => `${name} läuft wieder.`,

    "load.block": "Block laden",
    "load.title": (name) => `Block in ${name} laden`,
    "load.why":
        "Tippen Sie ab oder fügen Sie ein, was im Brief des Paketdienstes steht. Nichts wird " +
        "geladen, bevor Sie es gesehen haben.",
    "load.series.open": "Bitte wählen",
    "load.series.hint":
        "Sie können das offen lassen: Die Vorschau zeigt, zu welchem Nummernkreis die Nummern " +
        "gehören.",
    "load.choose": "Wählen Sie den Nummernkreis, für den der Brief gilt.",
    "load.of-none":
        "Diese Angaben passen zu keinem Nummernkreis. Wählen Sie einen aus, dann sehen Sie, warum.",
    "load.of-several": (names) =>
        `Mehrere Nummernkreise kommen infrage: ${names}. Bitte wählen Sie einen.`,
    "load.not-now":
        "Für den vorigen Block fehlt noch die Antwort. Warten Sie, oder wiederholen Sie ihn.",
    "load.mode": "Was geladen wird",
    "load.mode.block": "Ein Block",
    "load.mode.table": "Eine Tabelle von Blöcken",
    "load.first": "Erste Nummer",
    "load.first.hint":
        "Wie gedruckt, in jeder Schreibweise. Beide Nummern lassen sich auf einmal einfügen.",
    "load.last": "Letzte Nummer",
    "load.count": "Wie viele",
    "load.count.hint": "Was der Brief sagt, falls er es sagt; es muss übereinstimmen.",
    "load.reference": "Brief",
    "load.reference.hint": "Datum oder Aktenzeichen, damit Sie ihn wiederfinden.",
    "load.until": "Gültig bis",
    "load.more": "Mehr",
    "load.issued-until": "Anderswo ausgegeben bis",
    "load.issued-until.hint":
        "Die letzte Nummer, die ein anderes System ausgegeben hat. Dahinter geht es weiter.",
    "load.rows": "Zeilen",
    "load.rows.hint":
        "Aus einer Tabelle eingefügt: Erste, Letzte, Anzahl, Brief, Gültig bis. Spaltennamen " +
        "dürfen darüber stehen.",
    "load.file": "Oder eine CSV-Datei",
    "load.preview": "Vorschau",
    "load.change": "Ändern",
    "load.do": (numbers, series) => `${numbers} in ${series} laden`,
    "load.done": (numbers, series) => `In ${series} geladen: ${numbers}.`,
    "load.proposed": (id, numbers, series) =>
        `Vorschlag ${id} liegt vor: ${numbers} für ${series}. Jemand anders muss ihn bestätigen.`,
    "load.pasted": "Beide Nummern wurden aus dem Eingefügten übernommen.",
    "load.dropped": (name) => `${name} wird gelesen.`,
    "load.no-rows": "Fügen Sie Zeilen ein, oder wählen Sie eine Datei.",
    "load.no-number": "Die erste und die letzte Nummer sind nötig.",
    "load.not-confirmed": "Haken Sie jede Warnung ab, die so gemeint ist.",
    blocks: { one: "1 Block", many: (n) => `${n} Blöcken` },
    "preview.title": (numbers, blocks, series) => `${numbers} Nummern in ${blocks} für ${series}`,
    "preview.before": "Davor",
    "preview.before.none": "kein Block, der noch Nummern hat",
    "preview.after": "Danach",
    "preview.after.none": "nichts: Er ist der letzte in der Reihe",
    "preview.used": "Wird verwendet",
    "preview.used.now": "sofort: Der Nummernkreis hat keine anderen Nummern",
    "preview.used.after": (numbers) => `sobald die ${numbers} Nummern davor verbraucht sind`,
    "preview.used.last": (when) => `sie reichen ${when}`,
    "preview.guessed.alike": (series) =>
        `Sie haben keinen Nummernkreis gewählt. Angenommen wurde ${series}: ` +
        "Nur dessen Blöcke beginnen wie diese Nummern.",
    "preview.guessed.format": (series) =>
        `Sie haben keinen Nummernkreis gewählt. Angenommen wurde ${series}: ` +
        "Kein anderer hat Nummern in diesem Format.",
    "preview.more": { one: "… und 1 weiterer", many: (n) => `… und ${n} weitere` },
    "preview.elsewhere": (numbers, next) =>
        `${numbers} davon anderswo ausgegeben, weiter mit ${next}`,
    "preview.warnings": { one: "Das ist ungewöhnlich:", many: () => "Das ist ungewöhnlich:" },
    "preview.confirm": "Es ist so gemeint",
    "warning.short-validity": "Der Block schließt sich binnen einer Woche.",
    "warning.other-length": "Die Nummern haben eine andere Länge als alle bisherigen.",
    "warning.other-prefix": "Die Nummern beginnen anders als alle bisherigen.",
    "warning.other-size": "Der Block ist zehnmal größer oder kleiner als der letzte.",
    "warning.neighbour": "Der Block grenzt an einen Block eines anderen Nummernkreises.",
    "warning.other-series": "Ein anderer Nummernkreis hat dieselben Nummern.",
    "warning.much-stock": "Der Nummernkreis hätte Nummern für mehr als zwei Jahre.",
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
        "Vernichten Sie das frühere Etikett: Zwei Pakete mit derselben Nummer gehen in die Irre.",
    "label.reprinted.done": (number) => `Der erneute Druck von ${number} ist vermerkt.`,
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
    "ended.released": "freigegeben",
    "ended.expired": "abgelaufen",
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
    "told.manifested": (at, who, day) =>
        `Am ${at} von ${who} gemeldet${day ? `, mit dem Tagesabschluss vom ${day}` : ""}.`,
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
    "invoice.from": "Von",
    "invoice.to": "Bis",
    "invoice.column": "Spalte der Nummern",
    "invoice.column.hint": "Ihr Name oder ihr Platz, falls sie nicht von selbst gefunden wird.",
    "invoice.compare": "Vergleichen",
    "invoice.running": "Die Rechnung wird verglichen …",
    "invoice.agrees": "Alles stimmt überein",
    "invoice.found": { one: "1 Abweichung", many: (n) => `${n} Abweichungen` },
    "invoice.findings": "Abweichungen",
    "invoice.read": (column) => `Die Nummern wurden aus der Spalte „${column}“ gelesen.`,
    "invoice.lines": "Gelesene Zeilen",
    "invoice.save": "Alle Abweichungen sichern",
    "invoice.finding": "Abweichung",
    "invoice.number": "Nummer",
    "invoice.line": "Zeile",
    "invoice.amount": "Betrag",
    "invoice.detail": "Näheres",
    "finding.billed-twice": "doppelt berechnet",
    "finding.billed-voided": "berechnet, aber entwertet",
    "finding.never-issued": "berechnet, aber nie ausgegeben",
    "finding.outside-blocks": "berechnet, aber aus keinem Block",
    "finding.not-of-series": "keine Nummer dieser Serie",
    "finding.never-billed": "gebraucht, aber nicht berechnet",
};
