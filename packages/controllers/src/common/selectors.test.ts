import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasLabels, selectorOf, selectorOfMap, selectorText } from './selectors.js';

describe('selectors of workloads', () => {
  it('match labels, and are parsed once for each object', () => {
    const object = { matchLabels: { app: 'web' } };
    assert.ok(selectorOf(object).matches({ app: 'web', tier: 'front' }));
    assert.ok(!selectorOf(object).matches({ app: 'db' }));
    assert.equal(selectorOf(object), selectorOf(object));
    assert.ok(selectorOfMap({ app: 'web' }).matches({ app: 'web' }));
  });

  for (const [what, selector] of [
    ['missing', selectorOf(undefined)],
    ['empty', selectorOf({})],
    ['invalid', selectorOf({ matchExpressions: [{ key: 'app', operator: 'Like', values: ['w'] }] })],
    ['missing map', selectorOfMap(undefined)],
    ['empty map', selectorOfMap({})],
  ] as const) {
    it(`match nothing if ${what}`, () => assert.ok(!selector.matches({ app: 'web' })));
  }

  it('compare plain labels', () => {
    assert.ok(hasLabels({ a: '1', b: '2' }, { a: '1' }));
    assert.ok(hasLabels(undefined, undefined));
    assert.ok(!hasLabels({ a: '1' }, { a: '2' }));
    assert.ok(!hasLabels(undefined, { a: '1' }));
  });
});

describe('the text of a selector', () => {
  for (const [selector, expected] of [
    [undefined, 'nil'],
    [{}, '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}'],
    [
      { matchLabels: { b: '2', a: '1' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['x', 'y'] }] },
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[x y],},},}',
    ],
  ] as const) {
    it(expected.slice(0, 60), () => assert.equal(selectorText(selector), expected));
  }
});
