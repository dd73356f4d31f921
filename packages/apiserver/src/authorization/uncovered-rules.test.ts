import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { PolicyRule } from './role-source.js';
import { parseRule } from './rule-table.js';
import { describeRules, isTooManyRules, uncoveredRules } from './uncovered-rules.js';

const lacking = (held: readonly PolicyRule[], granted: readonly PolicyRule[]): readonly PolicyRule[] =>
  finish(uncoveredRules(held, granted));
const isTooMany = (held: readonly PolicyRule[], granted: readonly PolicyRule[]): boolean =>
  finish(isTooManyRules(held, granted));

// Upstream's tables are in component-helpers `auth/rbac/validation/policy_comparator_test.go` and kubernetes
// `pkg/registry/rbac/validation/policy_compact_test.go`.
describe('uncoveredRules', () => {
  const cases: readonly (readonly [
    held: readonly string[],
    granted: readonly string[],
    uncovered: readonly string[],
  ])[] = [
    [['get | core | pods'], ['get | core | pods'], []],
    [['get | apps | */scale'], ['get | apps | foo/scale'], []],
    [['get | apps | */scale'], ['get | apps | foo foo/status'], ['get | apps | foo', 'get | apps | foo/status']],
    [
      ['delete | apps | deployments', 'delete | apps | builds', 'update | apps | builds deployments'],
      ['delete update | apps | builds deployments'],
      [],
    ],
    [
      ['delete update | core | a b', 'delete | core | pods'],
      ['delete update | core | a b pods'],
      ['update | core | pods'],
    ],
    [
      ['one', 'two'].flatMap((group) => [`delete | ${group} | a`, `delete | ${group} | b`, `update | ${group} | a b`]),
      ['delete update | one two | a b'],
      [],
    ],
    [
      ['delete update | one two | a b'],
      ['one', 'two'].flatMap((group) => [`delete | ${group} | a`, `delete | ${group} | b`, `update | ${group} | a b`]),
      [],
    ],
    [['get | * | roles'], ['get | one two | roles'], []],
    [['get | * | roles'], ['get | * | roles'], []],
    [['* | core | roles'], ['* | core | roles'], []],
    [['get | one | roles'], ['get | * | roles'], ['get | * | roles']],
    [['* | core | roles'], ['watch list | core | roles'], []],
    [['get list watch | core | roles'], ['* | core | roles'], ['* | core | roles']],
    [['get | core | *'], ['get | core | pods/log *'], []],
    [['get | core | roles'], ['get | core | *'], ['get | core | *']],
    [['get | core | pods'], ['get | core | pods | foo bar'], []],
    [['get | core | pods | foo bar'], ['get | core | pods'], ['get | core | pods']],
    [['get | core | pods | foo'], ['get | core | pods | foo bar'], ['get | core | pods | bar']],
    [['get | core | pods | foo', 'get | core | pods | bar'], ['get | core | pods | foo bar'], []],
    [['* | /apis'], ['* | /apis'], []],
    [['* | *'], ['* | /apis /apis/v1 /'], []],
    [['* | /apis/*'], ['get | /apis /apis/v1'], ['get | /apis']],
    [['* | /apis/*'], ['get | /apis/v1/foo /apis/v1'], []],
    [['get | /api'], ['get | /api/*'], ['get | /api/*']],
    [['get | core | pods'], ['get | /healthz'], ['get | /healthz']],
    [['get | /healthz'], ['get | core | pods'], ['get | core | pods']],
    [[], ['get list | core | pods', 'watch | core | pods'], ['get list watch | core | pods']],
    [
      [],
      [
        'get | core | pods',
        'get | apps | pods',
        'list | core | pods',
        'get | core | pods | a',
        'list | core | pods | a',
      ],
      ['get list | core | pods', 'get | apps | pods', 'get list | core | pods | a'],
    ],
    [[], ['get | core | pods | a', 'list | core | pods | b'], ['get | core | pods | a', 'list | core | pods | b']],
    [[], ['get | core apps | pods', 'list | core apps | pods'], ['get list | core | pods', 'get list | apps | pods']],
    [[], ['get | core | pods jobs', 'list | core | pods'], ['get list | core | pods', 'get | core | jobs']],
    [[], ['get list | /a'], ['get | /a', 'list | /a']],
    [[], ['get | core | __proto__'], ['get | core | __proto__']],
  ];
  for (const [held, granted, uncovered] of cases) {
    it(`[${held.join(', ')}] lacks of [${granted.join(', ')}]: [${uncovered.join(', ')}]`, () => {
      assert.deepEqual(lacking(held.map(parseRule), granted.map(parseRule)), uncovered.map(parseRule));
    });
  }

  it('divides a rule for both resources and paths', () => {
    const resources = parseRule('get | core | pods');
    const paths = parseRule('get | /apis');
    const both = { ...resources, ...paths };
    assert.deepEqual(lacking([both], [both]), []);
    assert.deepEqual(lacking([resources], [both]), [paths]);
    assert.deepEqual(lacking([paths], [both]), [resources]);
    assert.deepEqual(lacking([], [both, { ...both, nonResourceURLs: ['/api'] }]), [
      paths,
      parseRule('get | /api'),
      parseRule('get get | core | pods'),
    ]);
  });

  it('distinguishes an empty resource name from none', () => {
    const nameless = { ...parseRule('get | core | pods'), resourceNames: [''] };
    assert.deepEqual(lacking([], [nameless, parseRule('list | core | pods')]), [
      nameless,
      parseRule('list | core | pods'),
    ]);
    assert.deepEqual(lacking([nameless], [parseRule('get | core | pods')]), [parseRule('get | core | pods')]);
  });

  it('treats an empty list as a missing one', () => {
    const empty = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] };
    assert.deepEqual(lacking([parseRule('get | core | pods')], [empty]), []);
    assert.deepEqual(lacking([empty], [parseRule('get | core | pods | foo')]), []);
    assert.deepEqual(lacking([], [{}, { apiGroups: [''], resources: ['pods'] }]), []);
  });

  it('searches long lists as it does short ones', () => {
    const words = Array.from({ length: 100 }, (_, index) => `w${index}`);
    const held = [{ verbs: words, apiGroups: words, resources: [...words, '*/log'], resourceNames: words }];
    const names = ['w7', 'w100'];
    assert.deepEqual(
      lacking(held, [{ verbs: ['w1'], apiGroups: ['w2'], resources: ['w3', 'a/log'], resourceNames: names }]),
      ['w3', 'a/log'].map((resource) => ({
        verbs: ['w1'],
        apiGroups: ['w2'],
        resources: [resource],
        resourceNames: ['w100'],
      })),
    );
    assert.deepEqual(lacking([{ ...held[0], verbs: ['*'] }], [{ verbs: ['x'], nonResourceURLs: ['/a'] }]), [
      { verbs: ['x'], nonResourceURLs: ['/a'] },
    ]);
  });

  it('lets other work run between a few thousand comparisons', () => {
    const many = (count: number, rule: (word: string) => PolicyRule) =>
      Array.from({ length: count }, (_, index) => rule(`w${index}`));
    const ofGroups = many(100_000, (word) => ({ verbs: ['get'], apiGroups: [word], resources: ['a'] }));
    const ofPaths = [{ verbs: ['get'], nonResourceURLs: many(100_000, () => ({})).map((_, index) => `/p${index}*`) }];
    const wide = many(20_000, (word) => ({ verbs: ['get', 'list'], apiGroups: [word], resources: ['a'] }));
    const cases: readonly (readonly [Steps<unknown>, number])[] = [
      [uncoveredRules(ofGroups, [{ verbs: ['get'], apiGroups: ['b'], resources: ['a'] }]), 20],
      [uncoveredRules(ofPaths, [{ verbs: ['get'], nonResourceURLs: ['/q'] }]), 20],
      [uncoveredRules([], wide), 8],
      [isTooManyRules(ofGroups, wide), 20],
      [describeRules(wide), 30],
    ];
    for (const [steps, least] of cases) {
      let yields = 0;
      while (steps.next().done !== true) yields++;
      assert.ok(yields >= least, `${yields} steps`);
    }
  });
});

describe('describeRules', () => {
  it('quotes each list, one rule on each line, sorted and without duplicates', () => {
    const rules = [
      parseRule('get list | core apps | pods/log'),
      parseRule('get | /b'),
      parseRule('get | /b'),
      { verbs: ['get'], apiGroups: ['"\n'], resources: ['p'], resourceNames: ['n'] },
    ];
    assert.equal(
      finish(describeRules(rules)),
      [
        '{APIGroups:["" "apps"], Resources:["pods/log"], Verbs:["get" "list"]}',
        '{APIGroups:["\\"\\n"], Resources:["p"], ResourceNames:["n"], Verbs:["get"]}',
        '{NonResourceURLs:["/b"], Verbs:["get"]}',
      ].join('\n'),
    );
  });
});

describe('isTooManyRules', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
  const held = (count: number) => words(count).map((word) => parseRule(`get | core | ${word}`));

  it('counts combinations and comparisons', () => {
    const square = [{ verbs: words(200), apiGroups: words(200), resources: ['a'] }];
    assert.equal(isTooMany(held(1), square), false);
    assert.equal(isTooMany(held(1), [{ ...square[0], resourceNames: words(2) }]), true);
    assert.equal(isTooMany(held(300), square), true);
    assert.equal(isTooMany([{ verbs: ['get'], nonResourceURLs: words(300) }], square), true);
  });

  it('counts the other lists of a rule with an empty list', () => {
    assert.equal(isTooMany([], [{ apiGroups: words(300), resources: words(300) }]), true);
    assert.equal(isTooMany([], [{ nonResourceURLs: words(60_000) }]), true);
  });
});
