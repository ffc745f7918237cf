// What is offered to begin an event with: settings for a ruleset, of which every one can still be changed.
const stage = (format, more = {}) => ({ format, ...more });
const sitting = { bank_ms: 1200000, increment_ms: 20000 };
const correspondence = { move_ms: 259200000 };

// A game for one has duplicate boards only, as it has nobody to meet.
const needsTwo = (ruleset) => ruleset.seats_max > 1;

// In the order of the page. `key`, `keyAbout`: of its words; `fits`: whether it is one for the ruleset.
export const presets = [
  { name: "club", key: "preset.club", keyAbout: "preset.club_is", fits: needsTwo, settings: () => ({ check_in: true, late_entries: 1, clock: sitting, on_timeout: "fallback", protest_minutes: 60,
    stages: [stage("pod_swiss", { rounds: 3 })] }) },
  { name: "tables", key: "preset.tables", keyAbout: "preset.tables_is", fits: needsTwo, settings: () => ({ late_entries: 1, guests: "allowed", seeding: "draw",
    stages: [stage("pod_swiss", { rounds: 3, play: "table", round_minutes: 90 })] }) },
  { name: "championship", key: "preset.championship", keyAbout: "preset.championship_is", fits: needsTwo, settings: ({ seats_max: most }) => ({ check_in: true, seeding: "rating", clock: sitting,
    stages: [stage("pod_swiss", { rounds: 5 }), stage("pod_elimination", { entrants: most, seats_max: most, advance: 1 })] }) },
  { name: "league", key: "preset.league", keyAbout: "preset.league_is", fits: needsTwo, settings: () => ({ seeding: "rating", clock: correspondence, on_timeout: "fallback", protest_minutes: 4320,
    stages: [stage("league", { rounds: 5, division: 6, moves: 1 })] }) },
  { name: "duplicate", key: "preset.duplicate", keyAbout: "preset.duplicate_is", fits: () => true, settings: () => ({ check_in: true, clock: sitting, on_timeout: "fallback",
    stages: [stage("duplicate", { boards: 4, rounds: 1, play: "barometer", scoring: "matchpoints" })] }) },
];
