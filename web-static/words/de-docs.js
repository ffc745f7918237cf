// Was die Seite der API sagt: ein Teil des Katalogs (words.js).
export default {
  "docs.home_title": "Dokumentation - Tillroll",
  "docs.search": "Suchen",
  "docs.search_label": "Wörter, die in der Dokumentation gesucht werden",
  "docs.contents": "Inhalt",
};
