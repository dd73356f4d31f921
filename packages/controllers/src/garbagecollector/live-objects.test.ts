import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { ApiResource } from '@binnacle/client/discovery';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '@binnacle/client/dynamic';
import { VirtualClock, ScriptedTransport } from '@binnacle/client/testing';
import { ServedKinds } from './served-kinds.js';
import { ServerObjects } from './live-objects.js';

const boat = { apiVersion: 'v1', kind: 'Boat', namespace: 'sea', name: 'a', uid: 'uid-1' };
const served: ApiResource = {
  resource: { group: '', version: 'v1', resource: 'boats' },
  kind: { group: '', version: 'v1', kind: 'Boat' },
  namespaced: true,
  verbs: ['delete', 'list', 'watch'],
  singularName: 'boat',
  shortNames: [],
  categories: [],
  subresources: [],
};
const groups = [{ name: '', versions: [{ version: 'v1', resources: [served] }] }];
const kinds = ServedKinds.of({ groups, failures: [] });

/** A server whose one object has this uid. */
function serverWith(uid: string) {
  const metadata = { name: 'a', namespace: 'sea', uid, resourceVersion: '7', finalizers: ['orphan', 'own'] };
  const object: KubernetesObject = { apiVersion: 'v1', kind: 'Boat', metadata };
  const transport = new ScriptedTransport(() => ({ object }));
  const objects = new ServerObjects(new DynamicClient(transport), () => kinds, {
    clock: new VirtualClock(),
    random: seededRandom(1),
  });
  return { objects, writes: () => transport.requests.filter(({ method }) => method !== 'GET') };
}

describe('live objects of a server', () => {
  const { signal } = new AbortController();

  it('leave an object of the same name and another uid alone', async () => {
    const { objects, writes } = serverWith('uid-2');
    assert.equal(await objects.get(boat, signal), undefined);
    await objects.removeFinalizer(boat, 'orphan', signal);
    await objects.rewriteOwners(boat, () => [], signal);
    assert.deepEqual(writes(), []);
  });

  it('are patched with the uid and version that was read, in changed fields only', async () => {
    const { objects, writes } = serverWith('uid-1');
    assert.equal((await objects.get(boat, signal))?.resourceVersion, '7');
    await objects.removeFinalizer(boat, 'orphan', signal);
    await objects.removeFinalizer(boat, 'foregroundDeletion', signal);
    assert.deepEqual(
      writes().map(({ method, body }) => [method, JSON.parse(String(body)) as unknown]),
      [['PATCH', { metadata: { uid: 'uid-1', resourceVersion: '7', finalizers: ['own'] } }]],
    );
  });
});
