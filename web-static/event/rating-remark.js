// What there is to say of a rating.
import { number, say } from "../lib/words.js";

export const ratingRemark = ({ provisional, reported: count }) => [provisional ? say("rating.provisional") : null, count === undefined ? null : say("rating.reported", { count })]
  .filter((each) => each !== null).join(", ");

// A mean of percentiles: more decimals would say more than the games do.
export const shareOf = ({ numerator, denominator }) => numerator / denominator;
export const percentileWords = (percentile) => say("rating.percent", { percent: number(shareOf(percentile), 1) });
