/** A suite for any runner: `define({ describe, it, beforeAll, afterAll })`. */
import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { testServer } from 'binnacle/testing';

export function define({ describe, it, beforeAll, afterAll }) {
  describe('a server for each test', () => {
    let base;
    beforeAll(async () => {
      base = await testServer();
    });
    afterAll(() => base.stop());

    for (const turn of ['first', 'second']) {
      it(`has only its own objects: ${turn}`, async () => {
        const lines = [];
        const server = await base.fork({ writeLog: (line) => lines.push(line) });
        try {
          const config = new KubeConfig();
          config.loadFromString(server.kubeconfig);
          const core = config.makeApiClient(CoreV1Api);
          await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'a' } } });
          const fault = server.faults.add({
            match: { verb: 'get', resource: 'configmaps' },
            times: 1,
            action: { type: 'answer', code: 503 },
          });
          await assert.rejects(core.readNamespacedConfigMap({ namespace: 'default', name: 'a' }), /503/);
          assert.equal(fault.hits, 1);
          await core.readNamespacedConfigMap({ namespace: 'default', name: 'a' });
        } finally {
          await server.stop();
        }
      });
    }
  });
}
