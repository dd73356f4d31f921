import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everything, labelSelectorFromMap, nothing } from '@binnacle/apimachinery/labels';
import { finish } from '@binnacle/apimachinery/work';
import * as fc from 'fast-check';
import type { PodFacts } from '../framework/index.js';
import { podFacts } from '../testing/index.js';
import { PodCounts } from './pod-counts.js';

const apps = ['web', 'db'];
const selectors = [...apps.map((app) => labelSelectorFromMap({ app })), everything, nothing];

describe('PodCounts', () => {
  it('equals a fresh count after any changes', () => {
    const change = fc.record({
      uid: fc.nat(5),
      node: fc.constantFrom('a', 'b'),
      app: fc.constantFrom(...apps),
      namespace: fc.constantFrom('default', 'other'),
      isTerminating: fc.boolean(),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const podsOf = new Map<string, Map<string, PodFacts>>();
        const counts = new PodCounts(podsOf);
        for (const selector of selectors) finish(counts.of('default', selector));
        for (const { uid, node, isGone, app, namespace, isTerminating } of changes) {
          for (const [name, pods] of podsOf) {
            const before = pods.get(`${uid}`);
            if (before !== undefined) counts.change(before, name, -1);
            pods.delete(`${uid}`);
          }
          if (isGone) continue;
          const pod = podFacts(`${uid}`, { labels: { app }, namespace, isTerminating });
          podsOf.set(node, (podsOf.get(node) ?? new Map<string, PodFacts>()).set(`${uid}`, pod));
          counts.change(pod, node, 1);
        }
        for (const selector of selectors) {
          const fresh = finish(new PodCounts(podsOf).of('default', selector));
          assert.deepEqual(finish(counts.of('default', selector)), fresh);
        }
      }),
    );
  });

  it('counts the pods of a namespace that match and stay', () => {
    const pods = [
      podFacts('one', { labels: { app: 'web' } }),
      podFacts('two', { labels: { app: 'web' } }),
      podFacts('ending', { labels: { app: 'web' }, isTerminating: true }),
      podFacts('in-other-namespace', { labels: { app: 'web' }, namespace: 'other' }),
      podFacts('db', { labels: { app: 'db' } }),
    ];
    const counts = new PodCounts(new Map([['a', new Map(pods.map((pod) => [pod.name, pod]))]]));
    assert.deepEqual(finish(counts.of('default', labelSelectorFromMap({ app: 'web' }))), new Map([['a', 2]]));
    assert.deepEqual(finish(counts.of('default', nothing)), new Map());
  });
});
