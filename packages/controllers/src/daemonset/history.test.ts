import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daemonSet, pod, template } from './daemonset.testing.js';
import { hashOf, newRevision, planHistory, revisionsToDelete, withHash } from './history.js';
import { PodBackoff } from './pod-backoff.js';

/** `images`: of the revisions 1, 2 and so on. */
const history = (...images: readonly string[]) =>
  images.map((image, index) => newRevision(daemonSet({ template: template(image) }), index + 1));

describe('the history of a DaemonSet', () => {
  for (const [what, images, expected] of [
    ['begins with its first template', [], [undefined, 0, 0, 1]],
    ['keeps its latest revision', ['old', 'new'], [2, 0, 1, 2]],
    ['gets a new template', ['old', 'older'], [undefined, 0, 2, 3]],
    ['brings an older revision to the front', ['new', 'old'], [1, 0, 1, 3]],
    ['keeps the latest of two equal ones', ['new', 'old', 'new'], [3, 1, 1, 3]],
  ] as const) {
    it(what, () => {
      const { current, duplicates, old, number } = planHistory(daemonSet(), history(...images));
      assert.deepEqual([current?.revision, duplicates.length, old.length, number], expected);
    });
  }

  it('has a hash for each revision', () => {
    const [revision = assert.fail()] = history('new');
    assert.equal(revision.metadata.name, `agent-${hashOf(revision)}`);
    const bare = { ...revision, metadata: { name: 'earlier' } };
    assert.equal(hashOf(withHash(bare)), 'earlier');
  });

  it('loses old revisions beyond the limit, but none that pods have', () => {
    const old = history('a', 'b', 'c', 'd');
    const [first = assert.fail()] = old;
    const living = { ...pod('a1'), metadata: { labels: { 'controller-revision-hash': hashOf(first) } } };
    const lost = (limit: number, pods = [living]) =>
      revisionsToDelete(daemonSet({ revisionHistoryLimit: limit }), old, pods).map(({ revision }) => revision);
    assert.deepEqual([lost(10), lost(2), lost(0), lost(0, [])], [[], [2, 3], [2, 3, 4], [1, 2, 3, 4]]);
  });
});

describe('the backoff of failed pods', () => {
  it('doubles up to a quarter of an hour, and is forgotten after half an hour', () => {
    const backoff = new PodBackoff();
    const delays: number[] = [];
    let now = 0;
    for (let failures = 0; failures < 12; failures++) {
      backoff.next('a', now);
      delays.push(backoff.left('a', now) / 1000);
      now += backoff.left('a', now);
    }
    assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    assert.equal(backoff.left('b', now), 0);
    now += 30 * 60_000;
    backoff.next('a', now);
    assert.equal(backoff.left('a', now), 1000);
  });
});
