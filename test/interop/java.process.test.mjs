import assert from 'node:assert/strict';
import { it } from 'node:test';
import { join } from 'node:path';
import { hasMaven, here, mavenIn, unlessAsked, withServer } from './programs.mjs';

const skip = unlessAsked('java', hasMaven(), 'there is no mvn with Java 17 or newer on the PATH');

const maven = mavenIn(join(here, 'java'));

it('fabric8', { skip, timeout: 10 * 60_000 }, async () => {
  await maven(['compiler:compile']);
  await withServer(
    async (KUBECONFIG, server) => {
      const expired = ['vertx5', 'vertx5-http', 'jdk', 'jdk-http'].map((name) =>
        server.faults.add({
          match: { verb: 'watch', resource: 'configmaps', namespace: `java-${name}-informers` },
          times: 1,
          action: { type: 'cutWatch', how: 'expire', afterEvents: 12 },
        }),
      );
      assert.equal(await maven(['exec:java'], { KUBECONFIG }), '');
      assert.deepEqual(
        expired.map(({ hits }) => hits),
        [1, 1, 1, 1],
      );
    },
    { faultInjection: true },
  );
});
