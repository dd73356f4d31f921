import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { PodCluster, TOKEN_LIFE } from './cluster.testing.js';
import { PodContents } from './pod-contents.js';

const { signal } = new AbortController();

function given(volumes: NonNullable<NonNullable<Pod['spec']>['volumes']> = [], serviceAccountName?: string) {
  const clock = new VirtualClock();
  const cluster = new PodCluster(clock);
  const account = serviceAccountName === undefined ? {} : { serviceAccountName };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [], volumes, ...account },
  };
  return { clock, cluster, pod, contents: new PodContents(clock) };
}

describe('the contents of a pod', () => {
  it('are the decoded values of its objects, without those that do not exist', async () => {
    const { cluster, pod, contents } = given();
    cluster.add('/api/v1/namespaces/n/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'm', namespace: 'n' },
      data: { text: 'héllo' },
      binaryData: { bytes: 'AP8=' },
    });
    cluster.add('/api/v1/namespaces/n/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'n' },
      data: { password: 'c2VjcmV0' },
    });
    const sources = [
      { kind: 'ConfigMap', name: 'm' },
      { kind: 'ConfigMap', name: 'm' },
      { kind: 'Secret', name: 's' },
      { kind: 'Secret', name: 'none' },
    ] as const;
    const found = await contents.read(pod, sources, cluster.clients, signal);
    assert.deepEqual([...found.keys()], ['ConfigMap/m', 'Secret/s']);
    assert.equal(found.get('ConfigMap/m')?.get('text')?.toString(), 'héllo');
    assert.deepEqual(found.get('ConfigMap/m')?.get('bytes'), Buffer.from([0, 255]));
    assert.equal(found.get('Secret/s')?.get('password')?.toString(), 'secret');
  });

  it('reject with another error of the server', async () => {
    const { cluster, pod, contents } = given();
    const ended = AbortSignal.abort(new Error('ended'));
    await assert.rejects(contents.read(pod, [{ kind: 'Secret', name: 's' }], cluster.clients, ended));
  });

  it('keep a token for four fifths of its life', async () => {
    const sources = [{ serviceAccountToken: { path: 'token', audience: 'vault' } }];
    const { clock, cluster, pod, contents } = given([{ name: 'v', projected: { sources } }], 'robot');
    const wish = { path: 'token', expirationSeconds: 3600 };
    const tokenNow = async () => (await contents.forVolumes(pod, cluster.clients, signal)).tokenOf('v', wish);
    assert.equal(await tokenNow(), 'token-1');
    clock.skip(TOKEN_LIFE * 0.8 - 1);
    assert.equal(await tokenNow(), 'token-1');
    clock.skip(1);
    assert.equal(await tokenNow(), 'token-2');
    const [request] = cluster.tokens as { spec: unknown }[];
    assert.deepEqual(request?.spec, {
      audiences: ['vault'],
      expirationSeconds: 3600,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' },
    });
  });
});
