// Reading from a hot standby (api/work/replicas.h): what is answered from it is what the primary would have
// answered, however far the standby is behind, or ahead.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { readFigures } from '../support/figures.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, play, playRandomly, Random } from '../support/play.mjs';
import { build, Cluster, Testbed } from '../support/testbed.mjs';
import { until, within } from '../support/waiting.mjs';

const random = new Random('replica');
const binaries = ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin`).find(existsSync);
const administrator = (cluster) => cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@');
const socketOf = (cluster) => decodeURIComponent(/host=([^&]*)/.exec(cluster.migratorUrl)[1]);

let bed;
let standby;
let reading; // the service that reads at the standby, and keeps no answers
let client;
let plain; // of the service that knows of none
let organizer;
let players;
let game;

function sql(cluster, statement) {
  const run = spawnSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', administrator(cluster)], { input: statement, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trim();
}

// A copy of the primary that follows it.
function follow(directory) {
  const data = path.join(directory, 'data');
  execFileSync(path.join(binaries, 'pg_basebackup'), ['-d', administrator(bed.cluster), '-D', data, '-c', 'fast'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of ['pgpass', 'database-made']) copyFileSync(path.join(bed.cluster.directory, name), path.join(directory, name));
  writeFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=${socketOf(bed.cluster)} port=5432 user=postgres application_name=reader'\n`);
  writeFileSync(path.join(data, 'standby.signal'), '');
  execFileSync('chown', ['-R', 'postgres:postgres', data]);
}

async function counts() {
  const figures = readFigures((await client.get('/metrics')).text);
  return Object.fromEntries(['answers', 'behind', 'away'].map((name) => [name, figures.value(`tillroll_replica_${name}_total`)]));
}

// How many of each there are more after `work`.
async function more(work) {
  const first = await counts();
  await work();
  const last = await counts();
  return Object.fromEntries(Object.keys(last).map((name) => [name, last[name] - first[name]]));
}

const seqOf = async (from = client) => good(await from.get(game.at)).seq;
const caughtUp = () => until(20, 'the standby has caught up', () => {
  const [position] = sql(bed.cluster, 'SELECT pg_current_wal_flush_lsn()').split('\n');
  return sql(standby, `SELECT pg_last_wal_replay_lsn() >= '${position}'`) === 't';
});
async function move(at = client) {
  const { deciders } = good(await at.get(game.at));
  const legal = await legalMoves(at, game, deciders[0]);
  return play(at, game, deciders[0], [random.pick(legal.moves)], legal.seq);
}

before(async () => {
  bed = new Testbed({ admits: 'local all postgres trust\nlocal replication postgres trust\n' });
  standby = new Cluster({ admits: 'local all postgres trust\n', fill: follow });
  reading = await bed.startService(['--answer-cache-bytes', '0'], { TILLROLL_DATABASE_READ: standby.serviceUrl });
  ({ client } = reading);
  ({ client: plain } = await bed.startService(['--answer-cache-bytes', '0']));
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
  const made = await makeGame(client, organizer, players);
  game = { ...made.game, event: made.event };
  await playRandomly(client, game, random, { plies: 10 });
});
after(() => bed.end());

describe('a standby that follows', () => {
  it('answers what everybody may see as the primary does', async () => {
    const event = `/v1/events/${game.event.id}`;
    const routes = [game.at, `${game.at}/view`, `${game.at}/events`, event, `${event}/standings`, `${event}/entries`, `${event}/rounds/1`, '/v1/events', '/', `/events/${game.event.id}`, `/games/${game.id}`];
    const counted = await more(async () => {
      for (const route of routes) {
        const options = { unchecked: !route.startsWith('/v1') };
        const [one, other] = [await client.get(route, options), await plain.get(route, options)];
        assert.deepEqual([one.status, one.text, one.headers.etag], [200, other.text, other.headers.etag], route);
      }
    });
    assert.equal(counted.away, 0);
    assert.ok(counted.answers >= routes.length - 2, JSON.stringify(counted));
  });

  it('says of what is not there that it is not', async () => {
    assert.equal((await client.get('/v1/games/01a1f0e0-0000-7000-8000-000000000000')).json.code, 'not-found');
  });

  it('is not asked by who is signed in, nor for what is signed', async () => {
    const counted = await more(async () => {
      good(await client.get(game.at, { token: players[0].token }));
      good(await client.get(`/v1/events/${game.event.id}/standings`, { token: organizer.token }));
    });
    assert.equal(counted.answers + counted.behind + counted.away, 0);
  });

  it('shows each move as soon as it is answered, and nobody sees the record go back', async () => {
    let over = false;
    const look = async () => {
      for (let seen = 0, i = 0; !over; i++) {
        const seq = await seqOf(i % 2 === 0 ? client : plain);
        assert.ok(seq >= seen, `${seq} after ${seen}`);
        seen = seq;
      }
    };
    const counted = await more(async () => {
      const lookers = [look(), look(), look()];
      try {
        for (let i = 0; i < 40; i++) {
          const { seq } = good(await move(i % 2 === 0 ? client : plain));
          assert.ok((await seqOf()) >= seq);
        }
      } finally {
        over = true;
      }
      await Promise.all(lookers);
    });
    assert.ok(counted.answers > 0, JSON.stringify(counted));
    assert.equal(counted.away, 0);
  });
});

describe('a standby that', () => {
  it('is behind is not believed', async () => {
    await caughtUp();
    sql(standby, 'SELECT pg_wal_replay_pause()');
    let wanted;
    const counted = await more(async () => {
      wanted = good(await move()).seq;
      assert.equal(await seqOf(), wanted);
    });
    assert.ok(counted.behind >= 1, JSON.stringify(counted));
    sql(standby, 'SELECT pg_wal_replay_resume()');
    await caughtUp();
    assert.ok((await more(async () => assert.equal(await seqOf(), wanted))).answers >= 1);
  });

  // The primary makes a commit visible when the standby that it waits for has it, and here that is nobody.
  it('is ahead is not believed', async () => {
    await caughtUp();
    const old = await seqOf();
    sql(bed.cluster, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    sql(bed.cluster, 'SELECT pg_reload_conf()');
    await until(20, 'commits wait', () => sql(bed.cluster, 'SHOW synchronous_standby_names') === 'nobody');
    const { deciders } = good(await client.get(game.at));
    const legal = await legalMoves(client, game, deciders[0]);
    let answered = false;
    const moving = play(client, game, deciders[0], [legal.moves[0]], legal.seq).then((answer) => {
      answered = true;
      return answer;
    });
    await until(20, 'the standby shows the move', () => Number(sql(standby, `SELECT max(seq) FROM tillroll.record_line WHERE game_id = '${game.id}'`)) > old);
    assert.equal(await seqOf(plain), old);
    const counted = await more(async () => assert.equal(await seqOf(), old));
    assert.ok(counted.behind >= 1, JSON.stringify(counted));
    assert.equal(answered, false);
    sql(bed.cluster, 'ALTER SYSTEM RESET synchronous_standby_names');
    sql(bed.cluster, 'SELECT pg_reload_conf()');
    const { seq } = good(await within(20, 'the move is answered', moving));
    assert.ok(seq > old);
    assert.equal(await seqOf(), seq);
  });

  it('is away is done without, and used again when it is back', async () => {
    standby.stop();
    const counted = await more(async () => {
      const { seq } = good(await move());
      for (let i = 0; i < 5; i++) assert.equal(await seqOf(), seq);
    });
    assert.equal(counted.answers, 0);
    assert.ok(counted.away >= 1, JSON.stringify(counted));
    await standby.restart();
    await until(30, 'it is used again', async () => (await more(() => seqOf())).answers > 0);
  });

  it('is promoted is none any more, and does not make the primary an old one', { skip: notLong }, async () => {
    sql(standby, 'SELECT pg_promote(true, 60)');
    sql(standby, 'CHECKPOINT');
    const counted = await more(async () => {
      const { seq } = good(await move());
      for (let i = 0; i < 5; i++) assert.equal(await seqOf(), seq);
    });
    assert.equal(counted.answers, 0);
    const fresh = await bed.startService(['--answer-cache-bytes', '0'], { TILLROLL_DATABASE_READ: standby.serviceUrl });
    assert.equal(await seqOf(fresh.client), await seqOf(plain));
    good(await move(fresh.client));
    const checked = spawnSync(path.join(build, 'tillrolld'), ['--check-config'], {
      encoding: 'utf8',
      env: { ...bed.settings, TILLROLL_DATABASE_READ: standby.serviceUrl, TILLROLL_PAGES: 'web-static' },
    });
    assert.equal(checked.status, 1);
    assert.match(checked.stderr, /--database-read/);
  });
});
