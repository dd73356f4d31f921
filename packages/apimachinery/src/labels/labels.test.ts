import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { finish } from '../work/index.js';
import {
  everything,
  formatLabelSelector,
  LabelSelectorError,
  labelSelectorFromMap,
  labelSelectorFromObject,
  nothing,
  parseLabelSelector,
  parseLabelSelectorInSteps,
  checkLabelSelectorInSteps,
} from './index.js';

describe('parseLabelSelector', () => {
  const canonical: readonly (readonly [string, string])[] = [
    ['', ''],
    [' a = b ', 'a=b'],
    ['x==y,a!=b', 'a!=b,x==y'],
    ['a in (z,b,,b)', 'a in (,b,z)'],
    ['a notin ()', 'a notin ()'],
    ['a in (,)', 'a in ()'],
    ['!b,a', 'a,!b'],
    ['n>4,m < 7', 'm<7,n>4'],
    ['a=,b', 'a=,b'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['example.com/a\t=\nb', 'example.com/a=b'],
  ];
  for (const [text, expected] of canonical) {
    it(`parses ${JSON.stringify(text)}`, () => {
      assert.equal(parseLabelSelector(text).toString(), expected);
      assert.equal(parseLabelSelector(expected).toString(), expected);
    });
  }

  it('yields while it reads a long selector', () => {
    for (const text of ['a,'.repeat(9999), `a in (${'b,'.repeat(9999)}`]) {
      for (const steps of [parseLabelSelectorInSteps(`${text}b=c`), checkLabelSelectorInSteps(`${text}b=c`)]) {
        for (let count = 0; count < 4; count++) assert.equal(steps.next().done, false, text.slice(0, 8));
      }
    }
  });

  const failures: readonly (readonly [string, string])[] = [
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    [
      'n>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      '-a=b',
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', " +
        "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', " +
        "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ];
  for (const [text, message] of failures) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseLabelSelector(text), new LabelSelectorError(message));
      assert.throws(() => finish(checkLabelSelectorInSteps(text)), new LabelSelectorError(message));
    });
  }

  it('names the label of an invalid value', () => {
    assert.throws(
      () => parseLabelSelector('a=-'),
      /values\[0\]\[a\]: Invalid value: "-": a valid label must be an empty string or/,
    );
  });

  it('parses or rejects any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '=', '!', '(', ')', ',', '<', '>', ' ', 'in', 'notin ', '\0') }),
        (text) => {
          try {
            const selector = parseLabelSelector(text);
            assert.equal(parseLabelSelector(selector.toString()).toString(), selector.toString());
          } catch (error) {
            assert.ok(error instanceof LabelSelectorError);
          }
        },
      ),
    );
  });
});

describe('matching', () => {
  const labels = { app: 'web', n: '5', big: '9223372036854775807' };
  const cases: readonly (readonly [string, boolean])[] = [
    ['app', true],
    ['!app', false],
    ['app=web', true],
    ['app!=web', false],
    ['x!=web', true],
    ['x notin (a)', true],
    ['app in (a,web)', true],
    ['app notin (a,web)', false],
    ['n>4', true],
    ['n>5', false],
    ['n<6', true],
    ['big>9223372036854775806', true],
    ['app>1', false],
    ['x>1', false],
    ['app=web,n=6', false],
    ['constructor', false],
  ];
  for (const [text, expected] of cases) {
    it(`${text} matches: ${expected}`, () => {
      assert.equal(parseLabelSelector(text).matches(labels), expected);
    });
  }

  it('treats absent labels as empty', () => {
    assert.equal(everything.matches(undefined), true);
    assert.equal(nothing.matches({ a: 'b' }), false);
    assert.equal(parseLabelSelector('!a').matches(undefined), true);
  });

  it('returns the required value', () => {
    const selector = parseLabelSelector('a=b,c in (d),e!=f');
    assert.equal(selector.requiredValue('a'), 'b');
    assert.equal(selector.requiredValue('c'), 'd');
    assert.equal(selector.requiredValue('e'), undefined);
  });
});

describe('labelSelectorFromObject', () => {
  it('combines matchLabels and matchExpressions', () => {
    const object = {
      matchLabels: { b: '1' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['y', 'x'] },
        { key: 'c', operator: 'DoesNotExist' },
      ],
    };
    assert.equal(formatLabelSelector(object), 'a in (x,y),b=1,!c');
    assert.equal(labelSelectorFromObject(object).matches({ a: 'x', b: '1' }), true);
  });

  it('distinguishes absent from empty', () => {
    assert.equal(labelSelectorFromObject(undefined), nothing);
    assert.equal(labelSelectorFromObject({}), everything);
    assert.equal(formatLabelSelector(undefined), '<none>');
    assert.equal(formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Gt' }] }), '<error>');
  });

  it('accepts a plain map', () => {
    assert.equal(labelSelectorFromMap({ b: '1', a: '2' }).toString(), 'a=2,b=1');
  });
});

it('rejects an expression without a key', () => {
  assert.throws(
    () => labelSelectorFromObject({ matchExpressions: [{ operator: 'Exists' }] }),
    (error) =>
      error instanceof LabelSelectorError && error.message.startsWith('key: Invalid value: "": name part must'),
  );
});

it('rejects an expression without an operator', () => {
  assert.throws(
    () => labelSelectorFromObject({ matchExpressions: [{ key: 'a' }] }),
    (error) => error instanceof LabelSelectorError && error.message === '"" is not a valid label selector operator',
  );
});
