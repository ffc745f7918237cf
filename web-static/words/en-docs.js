// What the pages of the documentation and of the API say: a part of the catalog (words.js).
export default {
  "docs.home_title": "Documentation - Tillroll",
  "docs.search": "Search",
  "docs.search_label": "Search the documentation",
  "docs.contents": "Contents",
};
