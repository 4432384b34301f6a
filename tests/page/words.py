"""What the page says, in each language, as far as tests look at it."""

WORDS = {
    "en-GB": {
        "250001": "250,001", "4.50": "4.50", "issued": "issued", "paused": "paused",
        "unknown number": "There is no such number", "tick": "Tick each warning",
        "your proposal": "You proposed this", "saved": "saved by the browser",
        "billed twice": "charged twice", "sign in": "Sign in", "series": "Series",
        "database away": "The database does not answer", "read at": "was read at",
        "not known": "It is not known", "done": "it is done", "not in force": "not valid",
        "lacks read": "lacks the scope read", "revoked": "was revoked",
        "no answer": "there is still no answer", "still in": "is still signed in",
        "live": "New notices appear", "too many": "Too many requests",
        "elsewhere": "marked as printed elsewhere", "not drawn": "is not shown",
        "file changed": "was changed or removed", "not pasted": "more than two numbers",
        "not printed": "was not printed here", "proposed": "it is proposed",
        "sending": "Sending",
    },
    "de-DE": {
        "250001": "250.001", "4.50": "4,50", "issued": "ausgegeben", "paused": "angehalten",
        "unknown number": "Kein Block hat diese Nummer", "tick": "Haken Sie jede Warnung ab",
        "your proposal": "Das ist Ihr Vorschlag", "saved": "Der Browser hat die Datei gespeichert",
        "billed twice": "doppelt berechnet", "sign in": "Anmelden", "series": "Nummernkreise",
        "database away": "Die Datenbank antwortet nicht", "read at": "Das Gezeigte ist von",
        "not known": "Es ist nicht bekannt", "done": "Es ist geschehen", "not in force": "gültig",
        "lacks read": "fehlt das Recht read", "revoked": "wurde widerrufen",
        "no answer": "noch immer keine Antwort", "still in": "ist noch angemeldet",
        "live": "Neue Meldungen erscheinen", "too many": "Zu viele Anfragen",
        "elsewhere": "anderswo als gedruckt markiert", "not drawn": "ist nicht zu sehen",
        "file changed": "wurde geändert oder entfernt", "not pasted": "mehr als zwei Nummern",
        "not printed": "kein Etikett gedruckt", "proposed": "ist vorgeschlagen",
        "sending": "Wird gesendet",
    },
}
