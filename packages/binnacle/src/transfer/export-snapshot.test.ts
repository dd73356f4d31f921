import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { readEtcdSnapshot } from '@binnacle/kv/etcd/snapshot';
import { exportToSnapshot } from './export-snapshot.js';
import { fieldsOf, itemOf, metadataOf } from './item.js';
import { planImport } from './plan.js';
import { itemsOfSnapshot } from './snapshot-source.js';

const object = (
  apiVersion: string,
  kind: string,
  metadata: JsonObject & { readonly name: string },
  rest: JsonObject = {},
) => ({
  apiVersion,
  kind,
  metadata: { uid: `${kind} ${metadata.name}`, ...metadata },
  ...rest,
});
const owner = (uid: string) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid });
const objects = [
  object('v1', 'Namespace', { name: 'shop', resourceVersion: '30' }),
  object('apps/v1', 'ReplicaSet', { name: 'web', namespace: 'shop', resourceVersion: '41' }),
  object('v1', 'Pod', {
    name: 'web-1',
    namespace: 'shop',
    resourceVersion: '42',
    ownerReferences: [owner('ReplicaSet web'), owner('gone')],
  }),
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { name: 'things.example.com', resourceVersion: '20' },
    {
      spec: { group: 'example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions: [] },
      status: { storedVersions: ['v1'] },
    },
  ),
  object('example.com/v2', 'Thing', { name: 'a', resourceVersion: '50' }, { size: 7 }),
  object('wardle.example.com/v1', 'Flunder', { name: 'a', resourceVersion: '51' }),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'manifest', namespace: 'shop', resourceVersion: '52' } },
  object('v1', 'ConfigMap', { name: 'wrong', namespace: 'shop', resourceVersion: '53' }, { data: 'text' }),
];

describe('an export to a snapshot', () => {
  let folder = '';
  let path = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-snapshot-'));
    path = join(folder, 'db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const run = () =>
    exportToSnapshot(planImport(objects.map(itemOf), { withSecrets: false }), path, {
      clock: systemClock,
      progress: () => undefined,
    });

  it('keeps UIDs and revisions, and names what it leaves out', async () => {
    const { written, ownersLost, failed, leftOut } = await run();
    assert.deepEqual([written, ownersLost], [5, 1]);
    assert.deepEqual(
      failed.map(({ object: name }) => name),
      ['ConfigMap shop/wrong'],
    );
    assert.deepEqual([...leftOut.values()], [1, 1]);
    assert.match([...leftOut.keys()].join(), /^objects without a UID.*kinds of extension API servers/);
    assert.equal(statSync(path).mode & 0o777, 0o600);

    const keys = [];
    for await (const { key, modRevision } of readEtcdSnapshot(path, '/registry/')) keys.push([modRevision, key]);
    assert.deepEqual(keys, [
      [50, '/registry/example.com/things/a'],
      [42, '/registry/pods/shop/web-1'],
      [41, '/registry/replicasets/shop/web'],
      [30, '/registry/namespaces/shop'],
      [20, '/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com'],
    ]);
    const { items } = await itemsOfSnapshot(path, false);
    assert.deepEqual(
      items.map(({ uid, name }) => `${uid} ${name}`),
      [
        'Thing a a',
        'Pod web-1 web-1',
        'ReplicaSet web web',
        'Namespace shop shop',
        `CustomResourceDefinition things.example.com things.example.com`,
      ],
    );
    const [thing, pod] = items;
    assert.equal(thing?.object['size'], 7);
    assert.deepEqual(pod && metadataOf(pod.object)['ownerReferences'], [owner('ReplicaSet web')]);
    assert.deepEqual(fieldsOf(items.at(-1)?.object['status'])['storedVersions'], ['v1', 'v2']);
  });

  it('does not replace a file', async () => {
    await run();
    await assert.rejects(run(), /exists; export to a new file/);
  });
});
