import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { start } from 'binnacle';
import { Kubectl } from './kubectl.mjs';
import { findKubectls } from './kubectl-clients.mjs';
import { tourSteps } from './kubectl-tour.mjs';

const clients = findKubectls();
const inCI = process.env.CI === 'true';
const oldestPromised = 20;
const newestWanted = 27;

describe('kubectl', { concurrency: 2 }, () => {
  it('clients are at hand', { skip: inCI ? false : clients.length > 0 ? false : 'no kubectl on this machine' }, () => {
    assert.ok(clients.length > 0, 'no kubectl on this machine');
    if (!inCI) return;
    assert.equal(
      clients[0].minor,
      oldestPromised,
      'the oldest promised kubectl is missing: node scripts/fetch-kubectl.mjs',
    );
    assert.ok(clients.at(-1).minor >= newestWanted, `no kubectl of 1.${newestWanted} or newer on this machine`);
  });

  for (const client of clients) {
    // A server for each client, two at once; steps stand on each other.
    it(`tour with ${client.version}`, { timeout: 300_000 }, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
      const server = await start({ inMemory: true, kubeconfigFile: join(folder, 'kubeconfig') });
      try {
        const kubectl = new Kubectl({ ...client, kubeconfig: server.kubeconfigFile, folder });
        for (const { name, run } of tourSteps) {
          await t.test(name, () => run(kubectl));
          kubectl.stopAll();
        }
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
