import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differences } from './differences.mjs';
import { judge } from './judge.mjs';
import { mask, maskUnordered } from './mask.mjs';
import { Symbols } from './symbols.mjs';

const result = (fields) => ({ name: 'step', request: {}, status: 200, type: 'application/json', body: {}, ...fields });
const verdictOf = (recorded, given) => judge([result(recorded)], [result(given)])[0];
const object = (name, version) => ({ metadata: { name, resourceVersion: version } });

describe('symbols', () => {
  it('replace equal values by equal symbols, and only versions, UIDs and times', () => {
    const uid = '0f0f0f0f-1111-2222-3333-444444444444';
    const value = [{ uid, resourceVersion: '12' }, { resourceVersion: '13', text: `of ${uid}` }, { continue: 'abc' }];
    assert.deepEqual(new Symbols().replace(value), [
      { uid: '<uid1>', resourceVersion: '<rv1>' },
      { resourceVersion: '<rv2>', text: 'of <uid1>' },
      { continue: '<continue>' },
    ]);
    assert.deepEqual(new Symbols().replace({ resourceVersion: '0', at: '2026-01-02T03:04:05.000006Z', n: 12 }), {
      resourceVersion: '0',
      at: '<time>',
      n: 12,
    });
  });
});

describe('mask', () => {
  it('hides allocated values, not requested ones', () => {
    assert.equal(mask('10.0.0.17'), '<ip>');
    assert.equal(mask('10.0.0.1'), '10.0.0.1');
    assert.equal(mask('10.0.0.99'), '<ip>');
    assert.equal(mask('Invalid value: ["10.0.0.99"]: no'), 'Invalid value: ["10.0.0.99"]: no');
    assert.equal(mask('192.0.2.1'), '<server-ip>');
    assert.equal(mask('g-4x8zq is g-other'), 'g-<random> is g-<random>');
    assert.equal(mask(12), 12);
  });

  it('ignores the order of errors in a long message', () => {
    const long = 'x'.repeat(60);
    assert.equal(maskUnordered(`[${long}, a, b]`), maskUnordered(`[b, ${long}, a]`));
    assert.notEqual(maskUnordered('a, b'), maskUnordered('b, a'));
  });
});

describe('differences', () => {
  it('name their path', () => {
    assert.deepEqual(differences({ a: { b: 1 } }, { a: { b: 2 } }), ['.a.b: 2 recorded 1']);
    assert.deepEqual(differences({ a: 1 }, { b: 1 }), ['.a missing (recorded 1)', '.b extra (1)']);
    assert.deepEqual(differences([1, 2], [1]), [' has 1 items, recorded 2']);
  });

  it('match list items by name, and still check the order', () => {
    const items = [object('a', '1'), object('b', '2')];
    assert.deepEqual(differences({ items }, { items: items.slice(1) }), ['.items[/a] missing']);
    assert.deepEqual(differences({ items }, { items: items.toReversed() }), ['.items in another order']);
  });

  it('compare versions across the steps of a scenario', () => {
    const step = (version) => result({ body: object('a', version) });
    const exactness = (recorded, given) => judge(recorded.map(step), given.map(step)).map(({ exact }) => exact);
    assert.deepEqual(exactness(['<rv1>', '<rv2>', '<rv1>'], ['<rv5>', '<rv7>', '<rv5>']), [true, true, true]);
    assert.deepEqual(exactness(['<rv1>', '<rv2>'], ['<rv5>', '<rv5>']), [true, false]);
    assert.deepEqual(exactness(['<rv1>', '<rv1>'], ['<rv5>', '<rv6>']), [true, false]);
  });

  it('do not compare the version of a list across steps', () => {
    const list = (version) => ({ metadata: { resourceVersion: version }, items: [] });
    assert.deepEqual(differences([list('<rv1>'), list('<rv1>')], [list('<rv1>'), list('<rv2>')]), []);
  });
});

describe('verdict', () => {
  it('on status compares the code and the reason of an error', () => {
    assert.equal(verdictOf({ body: { a: 1 } }, { body: { a: 2 } }).status, true);
    assert.equal(verdictOf({}, { status: 201 }).status, false);
    const failure = (reason) => ({ status: 409, body: { reason } });
    assert.equal(verdictOf(failure('Conflict'), failure('AlreadyExists')).status, false);
    assert.equal(verdictOf(failure('Conflict'), failure('Conflict')).exact, true);
  });

  it('on exactness compares type, warnings and body', () => {
    assert.equal(verdictOf({}, {}).exact, true);
    assert.deepEqual(verdictOf({}, { type: 'text/plain' }).differences, [
      'content type text/plain, recorded application/json',
    ]);
    assert.equal(verdictOf({ warning: '299 - "a"' }, {}).exact, false);
  });

  it('accepts any answer to a setup step, and numbers repeated names', () => {
    const verdicts = judge(
      [result({ name: 'setup: x' }), result({}), result({})],
      [result({ status: 409 }), result({}), result({ status: 404 })],
    );
    assert.deepEqual(
      verdicts.map(({ step, exact }) => [step, exact]),
      [
        ['setup: x', true],
        ['step', true],
        ['step (2)', false],
      ],
    );
  });

  it('ignores periodic bookmarks', () => {
    const bookmark = (annotations) => ({ type: 'BOOKMARK', object: { metadata: { annotations } } });
    assert.equal(verdictOf({ body: [] }, { body: [bookmark(undefined)] }).exact, true);
    assert.equal(verdictOf({ body: [] }, { body: [bookmark({ a: 'true' })] }).exact, false);
  });
});
