import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Indexer, Lister } from '@binnacle/client/cache';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import type { CSIDriver } from '@binnacle/client/kinds/storage/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { nodeIndexes } from '../common/index.js';
import { claim, pod, volume } from './attachdetach.testing.js';
import { needsVolumes, wantedBy } from './wanted.js';

function filled<T extends TypedObject>(indexer: Indexer<T>, objects: readonly T[]): Indexer<T> {
  for (const object of objects) indexer.set(object);
  return indexer;
}

const listed = <T extends TypedObject>(objects: readonly T[]) => new Lister(filled(new Indexer<T>(), objects));

describe('wantedBy', () => {
  const { spec, ...others } = volume('a');
  const foreign: PersistentVolume = {
    ...others,
    spec: { ...spec, claimRef: { namespace: 'default', name: 'a', uid: 'x' } },
  };
  const driver: CSIDriver = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'csi.example.com' },
    spec: { attachRequired: false },
  };
  const pending: PersistentVolumeClaim = { ...claim('a'), status: { phase: 'Pending' } };
  for (const [what, claims, volumes, drivers, expected] of [
    ['a bound volume', [claim('a')], [volume('a')], [], ['p,q']],
    ['a claim that is not bound', [pending], [volume('a')], [], []],
    ['a volume of another claim', [claim('a')], [foreign], [], []],
    ['no claim', [], [volume('a')], [], []],
    ['a driver without attachment', [claim('a')], [volume('a')], [driver], []],
  ] as const) {
    it(`${what}: ${expected.join() || 'nothing'}`, () => {
      const pods = [pod('p', 'n1', 'a'), pod('q', 'n1', 'a'), pod('r', 'n2', 'a')];
      const wanted = wantedBy('n1', {
        pods: filled(new Indexer<Pod>(nodeIndexes), pods),
        claims: listed(claims),
        volumes: listed(volumes),
        drivers: listed<CSIDriver>(drivers),
      });
      const names = [...wanted.values()].map((each) => each.pods.map(({ metadata }) => metadata.name).join());
      assert.deepEqual(names, expected);
    });
  }
});

describe('needsVolumes', () => {
  const running = {
    containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state: { running: {} } }],
  };
  const deleted = { deletionTimestamp: '2027-01-01T00:00:00Z' };
  for (const [what, metadata, status, nodeName, expected] of [
    ['on a node', {}, {}, 'n1', true],
    ['without a node', {}, {}, '', false],
    ['that ended', {}, { phase: 'Succeeded' }, 'n1', false],
    ['that is deleted and runs', deleted, running, 'n1', true],
    ['that is deleted and does not run', deleted, {}, 'n1', false],
  ] as const) {
    it(`a pod ${what}: ${expected}`, () => {
      const given = pod('p', nodeName, 'a');
      assert.equal(needsVolumes({ ...given, metadata: { ...given.metadata, ...metadata }, status }), expected);
    });
  }
});
