import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerRevision } from '@binnacle/client/kinds/apps/v1';
import { newRevision, planRevision, revisionsToDelete } from './revisions.js';
import { pod, statefulSet, template } from './statefulset.testing.js';

/** `images`: of the revisions 1, 2 and so on. */
function history(...images: readonly string[]): ControllerRevision[] {
  return images.map((image, index) => newRevision(statefulSet({ template: template(image) }), index + 1, 0));
}

describe('the history of a set', () => {
  for (const [what, images, expected] of [
    ['begins with its first template', [], { type: 'create', number: 1 }],
    ['keeps its latest revision', ['old', 'new'], { type: 'keep', number: 2 }],
    ['gets a new template', ['old', 'older'], { type: 'create', number: 3 }],
    ['brings an older revision to the front', ['new', 'old'], { type: 'renumber', number: 3 }],
  ] as const) {
    it(what, () => {
      const revisions = history(...images);
      const plan = planRevision(statefulSet(), revisions);
      const number = plan.type === 'create' ? plan.number : plan.revision.revision;
      assert.deepEqual({ type: plan.type, number }, expected);
      if (plan.type === 'renumber') assert.equal(plan.revision.metadata.name, revisions[0]?.metadata.name);
    });
  }

  it('has names that a collision changes', () => {
    const set = statefulSet({}, { annotations: { note: 'kept' } });
    const [first, second] = [newRevision(set, 1, 0), newRevision(set, 1, 1)];
    assert.notEqual(first.metadata.name, second.metadata.name);
    assert.deepEqual(first.metadata.labels, second.metadata.labels);
    assert.equal(first.metadata.name, `db-${first.metadata.labels?.['controller.kubernetes.io/hash'] ?? ''}`);
    assert.deepEqual(first.metadata.annotations, { note: 'kept' });
  });

  for (const [limit, live, pods, expected] of [
    [10, [], [], []],
    [1, [], [], [1, 2, 3]],
    [1, [4], [], [1, 2]],
    [0, [4], [2], [1, 3]],
    [-1, [], [], []],
  ] as const) {
    it(`of 4 revisions loses ${expected.join() || 'none'} with a limit of ${limit}`, () => {
      const revisions = history('a', 'b', 'c', 'd');
      const nameOf = (number: number) => revisions[number - 1]?.metadata.name ?? '';
      const withRevision = (number: number) => ({
        ...pod('0'),
        metadata: { labels: { 'controller-revision-hash': nameOf(number) } },
      });
      const set = statefulSet({ revisionHistoryLimit: limit });
      const lost = revisionsToDelete(set, revisions, pods.map(withRevision), live.map(nameOf));
      assert.deepEqual(
        lost.map(({ revision }) => revision),
        expected,
      );
    });
  }
});
