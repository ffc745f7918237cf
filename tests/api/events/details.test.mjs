// What an event says of itself to people: where and when it is, what it costs, who answers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, makePlayers } from '../support/play.mjs';
import { client, organizer, serve } from '../support/served.mjs';

serve();

const plain = { name: 'Cup', ruleset: 'shinjuku', rounds: 2 };
const details = {
  banner: 'violet', contact: 'Ada, ada@club.example', description: 'A quiet evening.\n\nRules: https://club.example/rules.', fee: '5 EUR', place: 'Town hall',
  prizes: 'First: a cup\nSecond: a smaller cup', starts_at: '2031-12-01T18:00:00.000Z',
};
const make = (more) => client.post('/v1/events', { ...plain, ...more }, organizer.token);
const change = (event, json) => client.request('PATCH', `/v1/events/${event.id}`, { json, token: organizer.token });

describe('what an event says of itself', () => {
  it('is in its settings, in lists and in its log', async () => {
    const { settings, id } = good(await make(details));
    for (const [name, value] of Object.entries(details)) assert.equal(settings[name], value);
    const listed = good(await client.get('/v1/events')).items.find((each) => each.id === id);
    assert.deepEqual(listed.settings, settings);
    assert.deepEqual(good(await client.get(`/v1/events/${id}/log`)).items[0].detail, settings);
  });

  it('is nowhere where nothing is said', async () => {
    const { settings } = good(await make({ place: null, starts_at: null }));
    for (const name of Object.keys(details)) assert.ok(!(name in settings), name);
    assert.deepEqual(settings, good(await make()).settings);
  });

  it('is tidied: times into UTC, texts in NFC without what cannot be seen', async () => {
    const { settings } = good(await make({ starts_at: '2031-12-01T19:00:00+01:00', place: '  Cafe\u0301\u200b ', description: '\n\n One \n\n\n\ntwo\n\n', prizes: 'a\n\u202eb' }));
    assert.deepEqual([settings.starts_at, settings.place, settings.description, settings.prizes], ['2031-12-01T18:00:00.000Z', 'Caf\u00e9', 'One\n\ntwo', 'a\nb']);
  });

  it('is bounded, and what is wrong changes nothing', async () => {
    const event = good(await make(details));
    for (const [name, value] of [['banner', 'pink'], ['contact', 7], ['contact', ''], ['description', 'x'.repeat(4001)], ['description', '\u200b\n'], ['fee', 'x'.repeat(201)],
      ['place', 'x'.repeat(201)], ['prizes', 'x'.repeat(1001)], ['prizes', ['a']], ['starts_at', 'tomorrow'], ['starts_at', 0], ['starts_at', '2031-02-30T18:00:00Z']]) {
      for (const answer of [await make({ [name]: value }), await change(event, { [name]: value })]) {
        assert.equal(answer.status, 400, `${name} ${value}`);
        assert.equal(answer.json.code, 'bad-field');
        assert.ok(answer.json.detail.includes(name), answer.json.detail);
      }
    }
    assert.deepEqual(good(await client.get(`/v1/events/${event.id}`)).settings, event.settings);
  });

  it('changes one by one until the event ends, and is taken away by null', async () => {
    const players = await makePlayers(client, 4);
    const event = await makeEvent(client, organizer, players, { ...details, seats_min: 4 });
    const { settings } = good(await change(event, { place: 'Library', fee: null }));
    assert.deepEqual([settings.place, settings.fee, settings.contact], ['Library', undefined, details.contact]);
    const preview = good(await client.request('PATCH', `/v1/events/${event.id}?preview=true`, { json: { place: 'Park' }, token: organizer.token }));
    assert.equal(preview.settings.place, 'Park');
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).settings.place, 'Library');
    assert.equal((await client.request('PATCH', `/v1/events/${event.id}`, { json: { place: 'Mine' }, token: players[0].token })).status, 403);
    good(await client.post(`/v1/events/${event.id}/cancel`, { reason: 'Rain' }, organizer.token));
    assert.equal((await change(event, { place: 'Park' })).json.code, 'wrong-state');
  });

  it('is copied with the event, but for the time', async () => {
    const event = good(await make(details));
    const { settings } = good(await client.post(`/v1/events/${event.id}/clone`, { name: 'Again' }, organizer.token));
    assert.deepEqual([settings.place, settings.banner, settings.starts_at], [details.place, details.banner, undefined]);
  });
});

describe('pages for those without scripts', () => {
  it('say it, escaped, with links only to the web', async () => {
    const event = good(await make({ ...details, place: '<b>Hall</b>', description: 'See https://club.example/?a=1&b="2".\njavascript:alert(1) https:// http://x\n\n<script>alert(1)</script>' }));
    const { text } = await client.get(`/events/${event.id}`, { unchecked: true });
    assert.match(text, /<h1 class="banner" data-banner="violet" data-game="shinjuku"><bdi>Cup<\/bdi><\/h1>\n<p class="when"><time datetime="2031-12-01T18:00:00.000Z">1 Dec 2031, 18:00 UTC<\/time> \u00b7 <bdi>&lt;b&gt;Hall&lt;\/b&gt;<\/bdi> <a class="calendar no-print" href="\/v1\/events\/[-0-9a-f]+\/rounds\.ics">Add to calendar<\/a><\/p>/);
    assert.ok(text.includes('<p dir="auto">See <a rel="nofollow" href="https://club.example/?a=1&amp;b=&quot;2&quot;">https://club.example/?a=1&amp;b=&quot;2&quot;</a>.<br>javascript:alert(1) https:// '
      + '<a rel="nofollow" href="http://x">http://x</a></p>\n<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>'));
    assert.ok(text.includes('<dt>Prizes</dt><dd><p dir="auto">First: a cup<br>Second: a smaller cup</p>'));
    assert.match(text, /<meta property="og:description" content="2031-12-01, &lt;b&gt;Hall&lt;\/b&gt;\. Shinjuku/);
  });

  it('of home say when and where', async () => {
    const event = good(await make(details));
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
    const { text } = await client.get('/', { unchecked: true });
    assert.match(text, new RegExp(`<li class="event-card">.*/events/${event.id}".*<p class="when"><time datetime="2031-12-01T18:00:00.000Z">[^<]*</time> \u00b7 <bdi>Town hall</bdi></p></li>`));
  });

  it('have the figures of the event on a page of their own', async () => {
    const players = await makePlayers(client, 8);
    const event = await makeEvent(client, organizer, players, { seats_min: 4 });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const [main, audit] = await Promise.all(['', '/audit'].map((page) => client.get(`/events/${event.id}${page}`, { unchecked: true })));
    const { items: [round] } = good(await client.get(`/v1/events/${event.id}/rounds`));
    for (const part of [event.commitment, 'standings.csv', 'bundle', ...round.quality.criteria.map((each) => `${each.code}: ${each.name} = ${each.value}<`)]) {
      assert.ok(audit.text.includes(part), part);
      assert.ok(!main.text.includes(part), part);
    }
    assert.ok(main.text.includes(`href="/events/${event.id}/audit"`));
  });
});
