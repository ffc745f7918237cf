// What there is to say of a rating.
import { say } from "../lib/words.js";

export const ratingRemark = ({ provisional, reported: count }) => [provisional ? say("rating.provisional") : null, count === undefined ? null : say("rating.reported", { count })]
  .filter((each) => each !== null).join(", ");
