import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerRevision } from '@binnacle/client/kinds/apps/v1';
import { revisionHash } from '../hashes/index.js';
import { expiredRevisions, nextRevision, sortRevisions } from './history.js';
import { hasData, restores, revisionData, revisionText, templateOfRevision } from './revision-data.js';

function revision(name: string, number: number, given: Partial<ControllerRevision> = {}): ControllerRevision {
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name }, revision: number, ...given };
}

const names = (revisions: readonly ControllerRevision[]) => revisions.map(({ metadata }) => metadata.name);

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'a<b' }] } };

describe('the data of a revision', () => {
  it('is sorted text, escaped as Go does', () => {
    const text = revisionText(revisionData(template));
    assert.equal(
      text,
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},' +
        '"spec":{"containers":[{"image":"a\\u003cb","name":"c"}]}}}}',
    );
    assert.match(revisionHash(text, 0), /^[bcdfghjklmnpqrstvwxz2456789]+$/);
  });

  it('gives the template back', () => {
    assert.deepEqual(templateOfRevision(revision('a', 1, { data: revisionData(template) })), template);
    assert.throws(() => templateOfRevision(revision('a', 1)), /revision a has no template/);
  });

  for (const [what, data, same, restored] of [
    ['its own', revisionData(template), true, true],
    ['none', undefined, false, false],
    ['another template', revisionData({ ...template, metadata: {} }), false, false],
    ['nulls', revisionData({ ...template, metadata: { ...template.metadata, creationTimestamp: null } }), false, true],
  ] as const) {
    it(`is compared with ${what}`, () => {
      const present = revision('a', 1, { data });
      assert.deepEqual(
        [hasData(present, revisionData(template)), restores(present, revisionData(template))],
        [same, restored],
      );
    });
  }
});

describe('a history', () => {
  it('is sorted by number, age and name', () => {
    const at = (name: string, number: number, creationTimestamp: string) =>
      revision(name, number, { metadata: { name, creationTimestamp } });
    const sorted = sortRevisions([
      at('d', 2, '2026-01-01T00:00:00Z'),
      at('c', 1, '2026-01-02T00:00:00Z'),
      at('b', 1, '2026-01-01T00:00:00Z'),
      at('a', 1, '2026-01-02T00:00:00Z'),
    ]);
    assert.deepEqual(names(sorted), ['b', 'a', 'c', 'd']);
  });

  it('is numbered from 1', () => {
    assert.equal(nextRevision([]), 1);
    assert.equal(nextRevision([revision('a', 4), revision('b', 2)]), 5);
  });

  it('loses the oldest revisions that no pod needs', () => {
    const all = [revision('c', 3), revision('a', 1), revision('b', 2), revision('d', 4)];
    const isLive = ({ metadata }: ControllerRevision) => metadata.name === 'a';
    assert.deepEqual(names(expiredRevisions(all, isLive, 2)), ['b', 'c']);
    assert.deepEqual(expiredRevisions(all, isLive, -1), []);
  });
});
