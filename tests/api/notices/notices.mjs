// What the tests of notices share: services that send mail to a mailbox of the tests' own, and players whose addresses are confirmed.
import { good } from '../support/client.mjs';
import { makePlayer } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { Mailbox } from '../mail/mailbox.mjs';

export class NoticeBed extends Testbed {
  #names = 0;

  async open() {
    this.box = await new Mailbox().start();
    return this;
  }

  start(...more) {
    return this.startService(['--site-address', 'https://club.example', '--smtp-url', this.box.url, '--smtp-from', 'tillroll@club.example', '--mails-per-hour', '0',
      '--smtp-retry-ms', '50', '--smtp-timeout-ms', '60000', '--notices-ms', '50', ...more]);
  }

  sql(text) {
    return this.cluster.sql(`SET ROLE tillroll_owner; ${text}`);
  }

  // A player with a confirmed address, and with choices `{kind: timing}` of what is mailed.
  async reader(client, kinds = {}, language = 'en') {
    const player = await makePlayer(client, 'Bea');
    player.email = `bea.${(this.#names += 1)}@club.example`;
    this.sql(`INSERT INTO tillroll.email VALUES ('${player.id}', '${player.email}', '${language}', now(), now())`);
    await this.choose(client, player, { kinds: Object.fromEntries(Object.entries(kinds).map(([kind, timing]) => [kind, { mail: timing }])) });
    return player;
  }

  async choose(client, player, wishes) {
    return good(await client.request('PATCH', '/v1/me/notices', { token: player.token, json: wishes }));
  }

  async readers(client, count, kinds = {}) {
    return Promise.all(Array.from({ length: count }, () => this.reader(client, kinds)));
  }

  // What waits, or has been told, of a player: `kind state` in the order of making.
  told(player) {
    return this.sql(`SELECT kind || ' ' || state FROM tillroll.outbox WHERE player_id = '${player.id}' AND notice IS NOT NULL ORDER BY created_at, id`).split('\n').filter(Boolean);
  }

  // As if all leases were over, and every delay. The table is locked first: the service, which may be writing several rows in an order of
  // its own, and an update of all rows would wait for each other.
  allDue() {
    this.sql("BEGIN; LOCK TABLE tillroll.outbox IN SHARE ROW EXCLUSIVE MODE; UPDATE tillroll.outbox SET due_at = clock_timestamp() WHERE state = 'waiting'; COMMIT");
  }
}

export const off = { your_turn: 'off', clock_low: 'off', round_paired: 'off', game_over: 'off', dispute: 'off', event_opened: 'off', invitation: 'off', challenge: 'off' };
