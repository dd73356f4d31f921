import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { withoutEtcd } from '@binnacle/kv/testing';
import { isThorough } from '../thorough.mjs';
import { check } from './checker/check.mjs';
import { planRound } from './plan.mjs';
import { complaint, summary } from './report.mjs';
import { playRound } from './round.mjs';

const found = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8'));
const fresh = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);

/** Plays a conclusive round, in at most three attempts. */
async function play(t, options) {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { text, server, round } = planRound({ ...options, seed: options.seed + attempt * 1_000_000 });
    const history = await playRound(server, round);
    const result = check(history);
    t.diagnostic(`${text}: ${summary(result)}`);
    assert.ok(result.violations.length === 0, complaint({ text, history, violations: result.violations, server }));
    if (!result.inconclusive) return;
  }
  assert.fail('three rounds were inconclusive');
}

const LONG = '`npm run test:thorough` runs it';

describe('random traffic conforms to docs/spec/consistency.md', { timeout: 300_000 }, () => {
  it(`the command over the embedded store, seed ${fresh}`, (t) =>
    play(t, { seed: fresh, store: 'embedded', build: 'command', seconds: 3 }));
  const skip = !isThorough && LONG;
  it(`the test build over the embedded store, seed ${fresh}`, { skip }, (t) =>
    play(t, { seed: fresh, store: 'embedded', build: 'test', seconds: 3 }),
  );
  it(`the test build in memory, seed ${fresh}`, { skip }, (t) =>
    play(t, { seed: fresh, store: 'memory', build: 'test', seconds: 3 }),
  );
  it(`the command with two workers over the embedded store, seed ${fresh}`, (t) =>
    play(t, { seed: fresh, store: 'embedded', build: 'command', workers: 2, seconds: 3 }));
  it(`three servers over one store, seed ${fresh}`, (t) =>
    play(t, { seed: fresh, store: 'memory', build: 'replicas', seconds: 3 }));
  for (const build of ['command', 'replicas']) {
    it(`${build === 'command' ? 'a server' : 'three servers'} over etcd, seed ${fresh}`, { skip: withoutEtcd() }, (t) =>
      play(t, { seed: fresh, store: 'etcd', build, seconds: 4 }),
    );
  }

  for (const { seed, store, build, seconds, found: what } of found) {
    const skip = (!isThorough && LONG) || (store === 'etcd' && withoutEtcd());
    it(`seed ${seed}, which once found: ${what}`, { skip }, (t) => play(t, { seed, store, build, seconds }));
  }
});
