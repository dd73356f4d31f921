import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  decodeFieldSet,
  encodeFieldSet,
  emptyFieldSet,
  FieldSet,
  keyElement,
  PathElementError,
  valueElement,
} from '../index.js';
import { counted } from '../../testing/index.js';
import { presentValue } from '../merge/presence.js';
import { thingSchema } from '../schema.testing.js';
import type { FieldNode } from './field-set.js';
import { fieldSetOfInSteps } from './field-set-of.js';
import { decodeFieldSetInSteps, encodeFieldSetInSteps } from './fields-v1.js';
import { formatPath } from './path-text.js';
import { reconcileWithSchema } from './schema-sets.js';

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"x"}', 'v:1', 'i:0');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const sets = fc.array(path, { maxLength: 8 }).map((paths) => FieldSet.of(...paths));

const texts = (set: FieldSet) => new Set([...set.paths()].map((each) => each.join('/')));

describe('FieldSet', () => {
  it('is sorted by kind of element, then by name, value or number', () => {
    const name = (text: string) => keyElement([['name', text]]);
    for (const ordered of [
      ['f:A', 'f:a', 'f:a-b', 'f:ab', 'f:\uffff', 'f:\u{1f600}'],
      [name(''), name('a'), name('a-b'), name('a.b'), name('a0'), name('ab'), keyElement([['namea', 'a']])],
      [name('a!'), name('a#'), name('a-')],
      ['f:b', name('a'), keyElement([['port', 9]]), keyElement([['port', 10]]), 'v:2', 'v:10', 'v:"a"', 'i:2', 'i:10'],
    ]) {
      const set = FieldSet.of(...ordered.toReversed().map((each) => [each]));
      assert.deepEqual(Object.keys(encodeFieldSet(set)), ordered);
    }
  });

  it('keeps 64-bit integers exact', () => {
    const [smaller, larger] = [9007199254740992n, 9007199254740993n];
    const ordered = [
      keyElement([['id', smaller]]),
      keyElement([['id', larger]]),
      'v:2',
      valueElement(smaller),
      valueElement(larger),
    ];
    const set = FieldSet.of(...ordered.toReversed().map((each) => [each]));
    assert.deepEqual(Object.keys(encodeFieldSet(set)), ordered);
    assert.deepEqual(texts(decodeFieldSet(encodeFieldSet(set))), texts(set));
    assert.equal(formatPath([keyElement([['id', larger]]), valueElement(larger)]), `[id=${larger}][=${larger}]`);
  });

  it('union, intersection and difference work on paths', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const left = texts(a);
        const right = texts(b);
        assert.deepEqual([...texts(a.union(b))].sort(), [...new Set([...left, ...right])].sort());
        assert.deepEqual([...texts(a.intersection(b))].sort(), [...left].filter((each) => right.has(each)).sort());
        assert.deepEqual([...texts(a.difference(b))].sort(), [...left].filter((each) => !right.has(each)).sort());
      }),
    );
  });

  it('is sorted and encoded in steps of bounded work', () => {
    let reads = 0;
    class CountedNodes extends Map<string, FieldNode> {
      override *keys(): MapIterator<string> {
        for (const key of super.keys()) {
          reads++;
          yield key;
        }
      }
    }
    const leaf = { member: true, children: emptyFieldSet };
    const names = Array.from({ length: 20_000 }, (_, index) => String(index));
    const nodes = new CountedNodes(names.map((name) => [`k:{"name":"${name}"}`, leaf]));
    const steps = encodeFieldSetInSteps(new FieldSet(nodes));
    let most = 0;
    let step = steps.next();
    for (let before = 0; step.done !== true; before = reads, step = steps.next()) most = Math.max(most, reads - before);
    assert.ok(most > 0 && most <= 1000, `${most} elements in a step`);
    assert.deepEqual(
      Object.keys(step.value),
      names.toSorted().map((name) => `k:{"name":"${name}"}`),
    );
  });

  it('is combined in steps', () => {
    const setOf = (from: number) =>
      FieldSet.of(...Array.from({ length: 40_000 }, (_, index) => ['f:a', `f:${from + index}`]));
    const [first, second] = [setOf(0), setOf(20_000)];
    const united = counted(first.unionInSteps(second));
    const shared = counted(first.intersectionInSteps(second));
    const left = counted(first.differenceInSteps(second));
    for (const { yields } of [united, shared, left]) assert.ok(yields >= 4, `${yields} steps`);
    assert.deepEqual(
      [united, shared, left].map(({ result }) => result.size - 1),
      [60_000, 20_000, 20_000],
    );
  });

  it('obeys the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        assert.ok(a.union(b).equals(b.union(a)));
        assert.ok(a.intersection(b).equals(b.intersection(a)));
        assert.ok(
          a
            .union(b)
            .union(c)
            .equals(a.union(b.union(c))),
        );
        assert.ok(a.difference(b).union(a.intersection(b)).equals(a));
        assert.ok(a.difference(a).equals(emptyFieldSet));
        assert.ok(a.intersection(b.union(c)).equals(a.intersection(b).union(a.intersection(c))));
      }),
    );
  });

  it('recursive difference removes members below', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const right = texts(b);
        const expected = [...texts(a)].filter((each) => {
          const steps = each.split('/');
          return !steps.some((_, index) => right.has(steps.slice(0, index + 1).join('/')));
        });
        assert.deepEqual([...texts(a.recursiveDifference(b))].sort(), expected.sort());
      }),
    );
  });

  it('contains the inserted paths and survives JSON', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const set = FieldSet.of(...paths);
        for (const each of paths) assert.ok(set.has(each));
        assert.ok(decodeFieldSet(encodeFieldSet(set)).equals(set));
      }),
    );
  });

  it('shares unchanged nodes', () => {
    const set = FieldSet.of(['f:a', 'f:b'], ['f:c']);
    assert.equal(set.difference(FieldSet.of(['f:a'])), set);
    assert.equal(set.union(emptyFieldSet), set);
  });
});

describe('fieldsV1', () => {
  it("writes keys in upstream's order", () => {
    const set = FieldSet.of(
      [
        'f:ports',
        keyElement([
          ['protocol', 'TCP'],
          ['containerPort', 443],
        ]),
      ],
      [
        'f:ports',
        keyElement([
          ['containerPort', 80],
          ['protocol', 'TCP'],
        ]),
      ],
      [
        'f:ports',
        keyElement([
          ['containerPort', 80],
          ['protocol', 'TCP'],
        ]),
        'f:name',
      ],
      ['f:finalizers', valueElement('b')],
      ['f:finalizers', valueElement('a')],
      ['f:ports'],
    );
    assert.equal(
      JSON.stringify(encodeFieldSet(set)),
      '{"f:finalizers":{"v:\\"a\\"":{},"v:\\"b\\"":{}},"f:ports":{".":{},"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{}},' +
        '"k:{\\"containerPort\\":443,\\"protocol\\":\\"TCP\\"}":{}}}',
    );
  });

  it('is read as the same set, and written as the same object, each time', () => {
    const read = (name: string) => decodeFieldSet({ 'f:data': { '.': {}, [`f:${name}`]: {} } });
    assert.equal(read('a'), read('a'));
    assert.notEqual(read('a'), read('b'));
    assert.equal(encodeFieldSet(read('a')), encodeFieldSet(read('a')));
  });

  it('reads path elements in any form and drops unknown kinds', () => {
    const set = decodeFieldSet({
      'k:{"b": 1.0, "a":"x"}': { '.': {}, 'f:y': {} },
      'z:what': { 'f:a': {} },
      'i:+1': {},
    });
    assert.deepEqual([...set.paths()], [['k:{"a":"x","b":1}'], ['k:{"a":"x","b":1}', 'f:y'], ['i:1']]);
  });

  for (const fields of [
    { f: {} },
    { 'f-a': {} },
    { 'v:{': {} },
    { 'k:1': {} },
    { 'i:x': {} },
    { 'f:a': 1 },
    { 'v:1e999': {} },
    { [`v:${'['.repeat(5000)}${']'.repeat(5000)}`]: {} },
    { [`k:{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`]: {} },
    'text',
    [],
  ]) {
    it(`rejects ${JSON.stringify(fields).slice(0, 40)}`, () =>
      assert.throws(() => decodeFieldSet(fields), PathElementError));
  }

  it('is decoded in steps', () => {
    const items: Record<string, unknown> = {};
    for (let index = 0; index < 5000; index++) items[`k:{"name":"a${index}"}`] = { '.': {}, 'f:value': {} };
    const { result, yields } = counted(decodeFieldSetInSteps({ 'f:list': items }));
    assert.equal(yields, 11);
    assert.equal(result.below('f:list').nodes.size, 5000);
  });

  it('is made, encoded, decoded and reconciled in steps, though no part is large', () => {
    const limits = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`l${index}`, '1']));
    const containers = Array.from({ length: 400 }, (_, index) => ({ name: `c${index}`, resources: { limits } }));
    const made = counted(fieldSetOfInSteps({ spec: { containers } }, thingSchema, presentValue));
    const encoded = counted(encodeFieldSetInSteps(made.result));
    const decoded = counted(decodeFieldSetInSteps(encoded.result));
    const reconciled = counted(reconcileWithSchema(decoded.result, thingSchema));
    for (const { yields } of [made, encoded, decoded, reconciled]) assert.ok(yields >= 8, `${yields} steps`);
    assert.equal(reconciled.result, decoded.result);
  });

  it('keeps keys as JSON spells them', () => {
    for (const [text, canonical = text] of [
      ['k:{"name":"a-b.c/d_1"}'],
      ['k:{"name":""}'],
      ['k:{"name":"a\\u0062"}', 'k:{"name":"ab"}'],
      ['k:{ "name":"a"}', 'k:{"name":"a"}'],
      ['k:{"b":"2","a":"1"}', 'k:{"a":"1","b":"2"}'],
      ['k:{"port":80}'],
    ] as const) {
      assert.equal(JSON.stringify(encodeFieldSet(decodeFieldSet({ [text]: {} }))), JSON.stringify({ [canonical]: {} }));
    }
  });

  it('treats __proto__ as an ordinary name', () => {
    const fields: unknown = JSON.parse('{"f:data":{"f:__proto__":{}}}');
    assert.equal(JSON.stringify(encodeFieldSet(decodeFieldSet(fields))), '{"f:data":{"f:__proto__":{}}}');
  });
});
