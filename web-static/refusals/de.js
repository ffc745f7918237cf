// Deutsch: was der Dienst und die Spiele ablehnen. Links steht, was sie auf Englisch sagen, rechts, was auf Seiten steht. `{name}` steht
// für einen Wert. Was mit `must` oder einem anderen Verb beginnt, sagt der Dienst nach dem Namen einer Angabe, die Seite bei ihr.
import components from "./de-components.js";
import events from "./de-events.js";
import games from "./de-games.js";
import pairing from "./de-pairing.js";
import play from "./de-play.js";
import service from "./de-service.js";

export default { ...service, ...play, ...events, ...pairing, ...games, ...components };
