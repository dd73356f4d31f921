import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { profilePages } from './profile-pages.js';

function start() {
  const clock = new VirtualClock();
  const sampled: string[] = [];
  const pages = profilePages({
    clock,
    sample: async (kind, end) => {
      await end();
      sampled.push(kind);
      const root = { frame: { name: '(root)', file: '', line: 0 }, values: undefined, children: [] };
      return { root, dimensions: [{ type: kind, unit: 'count' }], period: 1 };
    },
  });
  /** The exchange, and the end of its handler; undefined if the path is unknown. */
  const ask = (url: string) => {
    const { path, query } = parseTarget(url);
    const exchange = new FakeExchange({ url });
    const handler = pages.handlerFor(path);
    if (handler === undefined) return undefined;
    return { exchange, done: Promise.resolve(handler(new RequestContext(exchange, path, query, 0))) };
  };
  return { clock, sampled, ask };
}

const answer = async (asked: ReturnType<ReturnType<typeof start>['ask']>) => {
  await asked?.done;
  const { status, body, responseHeaders } = asked?.exchange ?? new FakeExchange({});
  return { status, body, location: responseHeaders['location'] };
};

it('lists its profiles, and knows no others', async () => {
  const { ask } = start();
  const { status, body } = await answer(ask('/debug/pprof/'));
  assert.equal(status, 200);
  assert.match(body, /^profile\?seconds=30: /m);
  assert.deepEqual(await answer(ask('/debug/pprof')), { status: 301, body: '', location: 'pprof/' });
  for (const name of ['goroutine', 'toString', 'profile/x']) {
    const { status, body } = await answer(ask(`/debug/pprof/${name}`));
    assert.deepEqual([status, body], [404, 'Unknown profile\n'], name);
  }
  assert.equal(ask('/debug/pprofs'), undefined);
});

it('makes one profile at a time, for the seconds that are asked for', async () => {
  const { clock, sampled, ask } = start();
  const first = ask('/debug/pprof/heap?seconds=3');
  const second = await answer(ask('/debug/pprof/profile'));
  assert.deepEqual([second.status, second.body], [500, 'Could not enable profiling: profiling already in use\n']);
  await clock.advance(2999);
  assert.deepEqual(sampled, []);
  await clock.advance(1);
  await first?.done;
  assert.equal(first?.exchange.status, 200);
  const profile = Profile.decode(gunzipSync(first?.exchange.bytes ?? Buffer.alloc(0)));
  assert.deepEqual(profile.stringTable.strings, ['', 'heap', 'count']);
  assert.equal(Number(profile.durationNanos), 3e9);
  const third = ask('/debug/pprof/profile?seconds=-1');
  await clock.advance(30_000);
  await third?.done;
  assert.deepEqual(sampled, ['heap', 'profile']);
});

it('refuses long profiles', async () => {
  const { ask } = start();
  const { status, body } = await answer(ask('/debug/pprof/allocs?seconds=121'));
  assert.deepEqual([status, body], [400, 'profile duration exceeds the limit of 120 seconds\n']);
});

it('ends with its request, and answers with what it has', async () => {
  const { clock, sampled, ask } = start();
  const asked = ask('/debug/pprof/profile?seconds=9');
  await clock.advance(2000);
  asked?.exchange.abort(new Error('the server is shutting down'));
  await asked?.done;
  const profile = Profile.decode(gunzipSync(asked?.exchange.bytes ?? Buffer.alloc(0)));
  assert.equal(Number(profile.durationNanos), 2e9);
  const next = ask('/debug/pprof/profile?seconds=1');
  await clock.advance(1000);
  await next?.done;
  assert.deepEqual(sampled, ['profile', 'profile']);
});

it('is free again after an error, and while a client reads its profile', async () => {
  const root = { frame: { name: '(root)', file: '', line: 0 }, values: undefined, children: [] };
  let fails = true;
  const sample = async () => {
    if (fails) throw new Error('no sampler');
    return { root, dimensions: [], period: 1 };
  };
  const pages = profilePages({ clock: new VirtualClock(), sample });
  const answer = async (exchange: FakeExchange) => {
    await pages.handlerFor('/debug/pprof/heap')?.(new RequestContext(exchange, '', new URLSearchParams(), 0));
    return exchange.status;
  };
  await assert.rejects(answer(new FakeExchange({})), /no sampler/);
  fails = false;
  const slow = new FakeExchange({});
  let second: Promise<number> | undefined;
  slow.respond = () => void (second = answer(new FakeExchange({})));
  await answer(slow);
  assert.equal(await second, 200);
});
