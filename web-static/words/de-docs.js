// Was die Seite der API sagt: ein Teil des Katalogs (words.js).
export default {
  "docs.home_title": "Dokumentation - Tillroll",
  "docs.search": "Suchen",
  "docs.search_label": "Wörter, die in der Dokumentation gesucht werden",
  "docs.contents": "Inhalt",
  // What the service says in English: tie-breaks and criteria of a draw by their codes, with what is meant below `_is`.
};
