import assert from 'node:assert/strict';
import { it } from 'node:test';
import { join } from 'node:path';
import { hasPython, here, pythonWith, run, unless, withServer } from './programs.mjs';

const skip = unless(hasPython(), 'there is no python3 with venv on the PATH');

it('the Python client', { skip, timeout: 10 * 60_000 }, async () => {
  const python = await pythonWith(join(here, '../../examples/envtest-python/requirements.txt'));
  await withServer(
    async (KUBECONFIG, server) => {
      const expired = server.faults.add({
        match: { verb: 'watch', resource: 'configmaps', user: 'kubernetes-admin' },
        times: 1,
        action: { type: 'cutWatch', how: 'expire', afterEvents: 2 },
      });
      assert.equal(await run(python, ['-B', join(here, 'python/main.py')], { env: { KUBECONFIG } }), '');
      assert.equal(expired.hits, 1);
    },
    { faultInjection: true },
  );
});
