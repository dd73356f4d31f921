import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployment, replicaSet, type SetTraits, type Traits } from './deployment.testing.js';
import { type Resize, scaleSets } from './scaling.js';

const v0 = (replicas: number): SetTraits => ({ image: 'v0', revision: 0, replicas });
const v1 = (replicas: number): SetTraits => ({ image: 'v1', revision: 1, replicas });
const v2 = (replicas: number, available = replicas): SetTraits => ({ image: 'v2', revision: 2, replicas, available });

/** `v1=3`, in order. */
function sizes(resizes: readonly Resize[]): string {
  return resizes.map(({ set, replicas }) => `${set.metadata.name?.replace('web-', '') ?? ''}=${replicas}`).join(' ');
}

describe('scaling of a Deployment of 10', () => {
  const size = [10, 3] as const;
  for (const [what, traits, newSet, oldSets, expected] of [
    ['has no set to scale', {}, undefined, [], ''],
    ['empties old sets once the new one has all', {}, v2(10), [v0(0), v1(2)], 'v1=0'],
    ['keeps them while new pods are missing', {}, v2(10, 9), [v1(3)], 'v1=3 v2=10'],
    ['keeps them if another size was wanted', {}, { ...v2(10), size: [11, 3] }, [v1(3)], 'v1=3 v2=10'],
    ['leaves several sets alone with Recreate', { strategy: 'Recreate' }, v2(4), [v1(4)], ''],
    [
      'grows old sets without a new one',
      { surge: 0 },
      undefined,
      [
        { ...v0(6), size },
        { ...v1(2), size },
      ],
      'v0=8 v1=2',
    ],
    ['grows the newer of two first', { surge: 0 }, undefined, [v0(4), v1(4)], 'v1=7 v0=3'],
    ['shrinks the older of two first', { surge: 0 }, undefined, [v0(6), v1(6)], 'v0=5 v1=5'],
  ] as const satisfies readonly (readonly [string, Traits, SetTraits | undefined, readonly SetTraits[], string])[]) {
    it(what, () => {
      const given = newSet === undefined ? undefined : replicaSet(newSet);
      assert.equal(sizes(scaleSets(deployment(traits), given, oldSets.map(replicaSet))), expected);
    });
  }

  /** Sets that do not tell how large the Deployment was. */
  const unmarked = (...sets: readonly SetTraits[]) =>
    sets.map((traits) => {
      const set = replicaSet(traits);
      return { ...set, metadata: { ...set.metadata, annotations: {} } };
    });

  it('takes the present size if the former one is unknown', () => {
    const given = deployment({ replicas: 20, surge: 0, status: { replicas: 10 } });
    assert.equal(sizes(scaleSets(given, undefined, unmarked(v0(6), v1(4)))), 'v0=12 v1=8');
  });

  it('gives all to the largest set if neither is known', () => {
    const given = deployment({ replicas: 20, surge: 0 });
    assert.equal(sizes(scaleSets(given, undefined, unmarked(v0(6), v1(4)))), 'v0=16 v1=4');
  });
});
