// Notices of turns by web push, with 10,000 players who all play and all want them: how long after the commit of a move the push service has
// the notice for whoever is next, and what all this costs moves.
import { Browser, Receiver } from '../../api/channels/receivers.mjs';
import { until } from '../../api/support/waiting.mjs';
import { heading, median, ms, row, shuffled, thousands } from '../table.mjs';
import { gamesOf } from './moves.mjs';

const SUBSCRIBERS = 10_000;
const PER_SECOND = 50; // turns, while the delay is measured
const kinds = ['clock_low', 'round_paired', 'game_over', 'dispute', 'event_opened', 'invitation', 'challenge'];
const settings = ['--push-targets', 'all'];

// Every player of the database, each with a browser at `/<player>`, for turns alone.
function subscribe(bed, receiver) {
  const browser = new Browser('');
  bed.sql(`INSERT INTO tillroll.push_subscription (id, player_id, endpoint, public_key, auth, device, language)
      SELECT gen_random_uuid(), id, '${receiver.origin}/' || id, '\\x${browser.public.toString('hex')}', '\\x${browser.auth.toString('hex')}', 'Phone', 'en' FROM tillroll.player;
    INSERT INTO tillroll.notice_choice (player_id, kind, channel, timing)
      SELECT player.id, kind, 'push', 'off' FROM tillroll.player CROSS JOIN unnest('{${kinds.join()}}'::text[]) AS kind;
    ANALYZE tillroll.push_subscription, tillroll.notice_choice, tillroll.player`);
}

const settled = (bed, seconds) =>
  until(seconds, 'all that was to be told is told', () => bed.sql(`SELECT (SELECT count(*) FROM tillroll.notice_cause), (SELECT count(*) FROM tillroll.notice_watch WHERE seq = -1),
    (SELECT count(*) FROM tillroll.outbox WHERE state = 'waiting')`) === '0|0|0');

// The delays, in us, of the notices that follow a turn in each game: from the answer to its last move, which comes once it is committed.
async function delays(bed, service, receiver, games) {
  const seats = new Map(bed.sql('SELECT game_id, string_agg(player_id::text, \' \' ORDER BY seat) FROM tillroll.game_seat GROUP BY 1').split('\n').map((line) => line.split('|')));
  const arrived = new Map();
  receiver.answer = (request, response, { path }) => {
    arrived.set(path.slice(1), performance.now());
    response.writeHead(201).end();
  };
  const begin = performance.now();
  const played = await Promise.all(games.map(async ({ id, tokens, plies }, i) => {
    const end = plies.findIndex(([seat]) => seat !== plies[0][0]);
    if (end < 1) return undefined;
    await new Promise((resolve) => setTimeout(resolve, begin + (i * 1000) / PER_SECOND - performance.now()));
    for (const [seat, seq, , move] of plies.slice(0, end)) {
      const { status } = await service.client.post(`/v1/games/${id}/moves`, { moves: [move], seq }, tokens[seat]);
      if (status !== 200) return undefined;
    }
    return { at: performance.now(), who: seats.get(id).split(' ')[plies[end][0]] };
  }));
  const turns = played.filter(Boolean);
  await until(60, 'they are told', () => turns.every(({ who }) => arrived.has(who)));
  return turns.map(({ at, who }) => 1000 * Math.max(0, arrived.get(who) - at));
}

export async function notices(bed, { seconds, rounds }) {
  heading('Notices of turns by web push, 10,000 subscribers');
  await bed.fill('players', '--count', SUBSCRIBERS - Number(bed.sql('SELECT count(*) FROM tillroll.player')));
  const receiver = await new Receiver().start();
  subscribe(bed, receiver);
  const script = await bed.script(SUBSCRIBERS / 2);
  const options = { told: settings, silent: [...settings, '--notices-ms', '0'] };
  const service = await bed.serve(options.told);
  const begin = performance.now();
  await settled(bed, 600);
  const burst = receiver.received.length / ((performance.now() - begin) / 1000);
  const all = (await delays(bed, service, receiver, script.read().slice(0, PER_SECOND * seconds * rounds))).sort((a, b) => a - b);
  const at = (part) => all[Math.ceil(part * all.length) - 1];
  row('from the commit of a move to the push service, p99', at(0.99) / 1e6, 's', { atLeast: 1, aim: 0.3, less: true }, [
    `${thousands(all.length)} notices, ${PER_SECOND} turns a second, p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}, slowest ${ms(at(1))}; a burst of all: ${thousands(burst)} a second`,
  ]);
  await service.end();
  script.drop();

  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const moves = await bed.script(2 * gamesOf(64, seconds + 1));
    const run = {};
    for (const which of shuffled(['told', 'silent'])) {
      const one = await bed.serve(options[which]);
      if (which === 'told') await settled(bed, 600);
      run[which] = await bed.load(one, ['--connections', 64, '--seconds', seconds, '--warm-up', 1], moves);
      await one.end();
    }
    runs.push(run);
    moves.drop();
  }
  const of = (pick) => median(runs.map(pick));
  row('moves a second with notices of every turn beside without, 64', of((run) => run.told.moves_per_s / run.silent.moves_per_s), 'x', { atLeast: 0.95, aim: 1 }, [
    `with ${thousands(of((run) => run.told.moves_per_s))}/s, p99 ${ms(of((run) => run.told.p99_us))}; without ${thousands(of((run) => run.silent.moves_per_s))}/s, p99 ${ms(of((run) => run.silent.p99_us))}`,
  ]);
  receiver.end();
}
