import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LabelSelectorError } from '@binnacle/apimachinery/labels';
import { finish } from '@binnacle/apimachinery/work';
import type { ClusterRole, PolicyRule } from '@binnacle/client/kinds/rbac/v1';
import { aggregatedRules, hasRules } from './aggregated-rules.js';

const rulesOf = (...given: Parameters<typeof aggregatedRules>) => finish(aggregatedRules(...given));

type Selectors = NonNullable<NonNullable<ClusterRole['aggregationRule']>['clusterRoleSelectors']>;

/** Servers send null before the first aggregation, whatever the type says. */
const unfilled = JSON.parse('{"rules":null}') as Pick<ClusterRole, 'rules'>;

const role = (name: string, tier: string, rules: readonly PolicyRule[] | null): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels: { tier } },
  ...(rules === null ? unfilled : { rules }),
});

const aggregate = (...clusterRoleSelectors: Selectors): ClusterRole => ({
  ...role('harbour', 'shore', null),
  aggregationRule: { clusterRoleSelectors },
});

const rule = (verb: string, resource: string) => ({ verbs: [verb], apiGroups: [''], resources: [resource] });
const shore = { matchLabels: { tier: 'shore' } };
const sea = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['sea'] }] };

describe('aggregated rules', () => {
  const roles = [
    role('pilot', 'shore', [rule('get', 'boats'), rule('list', 'boats')]),
    role('chandler', 'shore', [rule('get', 'ropes')]),
    role('diver', 'sea', [rule('get', 'wrecks'), rule('get', 'ropes')]),
    role('harbour', 'shore', [rule('get', 'everything')]),
    role('empty', 'shore', null),
  ];

  it('are ordered by role name, without those of the aggregating role', () => {
    assert.deepEqual(rulesOf(aggregate(shore), roles), [
      rule('get', 'ropes'),
      rule('get', 'boats'),
      rule('list', 'boats'),
    ]);
  });

  it('are ordered by selector, without duplicates', () => {
    assert.deepEqual(rulesOf(aggregate(sea, shore), roles), [
      rule('get', 'wrecks'),
      rule('get', 'ropes'),
      rule('get', 'boats'),
      rule('list', 'boats'),
    ]);
  });

  it('come from all roles for an empty selector, and from none without selectors', () => {
    assert.equal(rulesOf(aggregate({}), roles).length, 4);
    assert.deepEqual(rulesOf(aggregate(), roles), []);
    assert.deepEqual(rulesOf({ ...role('harbour', 'shore', null), aggregationRule: {} }, roles), []);
  });

  it('differ by the order of their parts, but not by empty lists', () => {
    const both = { verbs: ['get', 'list'], resources: ['boats'] };
    const turned = { verbs: ['list', 'get'], resources: ['boats'] };
    const padded = { ...both, resourceNames: [], nonResourceURLs: [] };
    const given = [role('a', 'shore', [both]), role('b', 'shore', [turned]), role('c', 'shore', [padded])];
    assert.deepEqual(rulesOf(aggregate(shore), given), [both, turned]);
  });

  it('read each role once, however many selectors match it', () => {
    let reads = 0;
    const counted = Object.defineProperty(role('pilot', 'shore', []), 'rules', {
      get: () => {
        reads++;
        return [rule('get', 'boats')];
      },
    });
    assert.deepEqual(rulesOf(aggregate(shore, shore, {}), [counted]), [rule('get', 'boats')]);
    assert.equal(reads, 1);
  });

  it('are collected and compared in steps', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => rule('get', `r${index}`));
    const steps = aggregatedRules(aggregate(shore), [role('pilot', 'shore', many)]);
    let yields = 0;
    for (const _ of steps) yields++;
    assert.ok(yields >= 10, `${yields} steps`);
    yields = 0;
    for (const _ of hasRules(role('pilot', 'shore', many), many)) yields++;
    assert.ok(yields >= 10, `${yields} steps`);
  });

  it('throw for an invalid selector', () => {
    const odd = aggregate({ matchExpressions: [{ key: 'tier', operator: 'Like', values: ['s'] }] });
    assert.throws(() => rulesOf(odd, roles), LabelSelectorError);
  });
});

describe('hasRules', () => {
  const wanted = [rule('get', 'boats'), rule('get', 'ropes')];

  it('accepts equal rules', () => {
    assert.ok(finish(hasRules(role('a', 'shore', wanted), wanted)));
    assert.ok(finish(hasRules(role('a', 'shore', null), [])));
    const { rules: _, ...without } = role('a', 'shore', null);
    assert.ok(finish(hasRules(without, [])));
  });

  for (const [what, rules] of [
    ['missing rules', wanted.slice(1)],
    ['additional rules', [...wanted, rule('get', 'sails')]],
    ['another order', wanted.toReversed()],
    ['no rules', null],
  ] as const) {
    it(`rejects ${what}`, () => assert.ok(!finish(hasRules(role('a', 'shore', rules), wanted))));
  }
});
