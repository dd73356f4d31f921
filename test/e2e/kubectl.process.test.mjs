import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { start } from 'binnacle';
import { Kubectl } from './kubectl.mjs';
import { findKubectls } from './kubectl-clients.mjs';
import { customResourceSteps } from './kubectl-custom-resources.mjs';
import { kustomizeSteps } from './kubectl-kustomize.mjs';
import { loopSteps } from './kubectl-loops.mjs';
import { rightsSteps } from './kubectl-rights.mjs';
import { tokenSteps } from './kubectl-tokens.mjs';
import { tourSteps } from './kubectl-tour.mjs';
import { writeSteps } from './kubectl-writes.mjs';

const found = findKubectls();
const ends = [found.at(0), found.at(-1)];
const distinct = (list) => [...new Set(list)].filter(Boolean);
const all = process.env.BINNACLE_INTEROP === 'all';
/** The oldest and the newest in `npm test`; `npm run interop -- kubectl` includes those between. */
const clients = all ? found : distinct(ends);
/** Those that walk further than the tour. */
const walkers = all ? found : clients.slice(-1);
const inCI = process.env.CI === 'true';
const oldestPromised = 20;
const newestWanted = 27;

/** The oldest and the newest client, and on request a middle one. */
const chosen = distinct(all ? [ends[0], found[Math.floor(found.length / 2)], ends[1]] : ends);
/** Each of the chosen beside the next one; in `npm test` the first pair. */
const pairs = chosen
  .map((client, index) => ({ client, other: chosen[(index + 1) % chosen.length] }))
  .slice(0, all ? chosen.length : 1);

describe('kubectl', { concurrency: 2 }, () => {
  it('clients are available', {
    skip: inCI ? false : clients.length > 0 ? false : 'no kubectl on this machine',
  }, () => {
    assert.ok(clients.length > 0, 'no kubectl on this machine');
    if (!inCI) return;
    assert.equal(
      clients[0].minor,
      oldestPromised,
      'the oldest promised kubectl is missing: node scripts/fetch-kubectl.mjs',
    );
    assert.ok(clients.at(-1).minor >= newestWanted, `no kubectl of 1.${newestWanted} or newer on this machine`);
  });

  /** Without control loops in the server: the steps make their writes. */
  const walk = (...walked) => walkOn({ controllers: '' }, ...walked);

  /** One server per client, two at once; each step depends on the ones before. */
  async function walkOn(options, t, steps, ...clients) {
    const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
    const server = await start({ inMemory: true, kubeconfigFile: join(folder, 'kubeconfig'), ...options });
    try {
      const kubectls = clients.map((client, index) => {
        const own = join(folder, String(index));
        return new Kubectl({ ...client, kubeconfig: server.kubeconfigFile, folder: own });
      });
      for (const { name, run } of steps) {
        await t.test(name, () => run(...kubectls));
        for (const kubectl of kubectls) kubectl.stopAll();
      }
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  for (const client of clients) {
    it(`tour with ${client.version}`, { timeout: 300_000 }, (t) => walk(t, tourSteps, client));
  }

  for (const client of walkers) {
    it(`tokens with ${client.version}`, { timeout: 300_000 }, (t) => walk(t, tokenSteps, client));
  }

  for (const client of walkers) {
    it(`rights with ${client.version}`, { timeout: 300_000 }, (t) => walk(t, rightsSteps, client));
  }

  for (const client of walkers) {
    it(`custom resources with ${client.version}`, { timeout: 300_000 }, (t) => walk(t, customResourceSteps, client));
  }

  for (const client of walkers) {
    it(`control loops with ${client.version}`, { timeout: 300_000 }, (t) => walkOn({ nodes: 3 }, t, loopSteps, client));
  }

  for (const client of chosen) {
    it(`kustomize with ${client.version}`, { timeout: 300_000 }, (t) => walk(t, kustomizeSteps, client));
  }

  for (const { client, other } of pairs) {
    const name = `writes with ${client.version} beside ${other.version}`;
    it(name, { timeout: 300_000 }, (t) => walk(t, writeSteps, client, other));
  }
});
