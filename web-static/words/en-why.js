// English: how places are decided, for who asks.
export default {
  "standings.glossary_about": "Players are compared by these in order; a later one counts only where all before it are equal.",
};
