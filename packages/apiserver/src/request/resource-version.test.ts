import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  demandOfList,
  demandOfGet,
  presentDemandOf,
  hasNoStart,
  parseResourceVersion,
  type StateDemand,
} from './resource-version.js';

const atLeast = (revision: number): StateDemand => ({ type: 'at-least', revision });
const exactly = (revision: number): StateDemand => ({ type: 'exactly', revision });
const newest: StateDemand = { type: 'newest' };
const any: StateDemand = { type: 'any' };

describe('parseResourceVersion', () => {
  const cases: [text: string, expected: number | RegExp][] = [
    ['', 0],
    ['0', 0],
    ['00', 0],
    ['7', 7],
    ['007', 7],
    ['0'.repeat(100), 0],
    [`${'0'.repeat(100)}12`, 12],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9223372036854775807', Number.MAX_SAFE_INTEGER],
    ['18446744073709551615', Number.MAX_SAFE_INTEGER],
    ['18446744073709551616', /^strconv\.ParseUint: parsing "18446744073709551616": value out of range$/],
    ['9'.repeat(1_000_000), /: value out of range$/],
    ['-1', /^strconv\.ParseUint: parsing "-1": invalid syntax$/],
    ['+1', /: invalid syntax$/],
    ['1.5', /: invalid syntax$/],
    ['1e3', /: invalid syntax$/],
    [' 1', /: invalid syntax$/],
    ['__proto__', /: invalid syntax$/],
  ];
  for (const [text, expected] of cases) {
    it(`${expected instanceof RegExp ? 'refuses' : 'reads'} ${JSON.stringify(text.slice(0, 30))}`, () => {
      const result = parseResourceVersion(text);
      if (expected instanceof RegExp) assert.match(String(result), expected);
      else assert.equal(result, expected);
    });
  }
});

describe('hasNoStart', () => {
  for (const [text, expected] of [
    ['', true],
    ['0', true],
    ['00', false],
    ['1', false],
    ['x', false],
  ] as const) {
    it(`${JSON.stringify(text)}: ${expected}`, () => assert.equal(hasNoStart(text), expected));
  }
});

describe('presentDemandOf', () => {
  const cases: [text: string, expected: StateDemand][] = [
    ['', newest],
    ['0', any],
    ['00', any],
    ['5', atLeast(5)],
  ];
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)}: ${expected.type}`, () => assert.deepEqual(presentDemandOf(text), expected));
  }

  it('refuses another text with 500', () => {
    assert.throws(() => presentDemandOf('x'), {
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });
});

describe('demandOfGet', () => {
  it('accepts the same versions', () => {
    assert.deepEqual(demandOfGet('5', { group: '', resource: 'events' }), atLeast(5));
  });

  const problem = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';
  for (const [group, resource, code, message] of [
    ['', 'events', 400, `invalid resource version: ${problem}`],
    ['events.k8s.io', 'events', 400, `invalid resource version: ${problem}`],
    ['', 'pods', 500, problem],
    ['example.com', 'events', 500, problem],
  ] as const) {
    it(`refuses another text with ${code} for ${resource} of "${group}"`, () => {
      assert.throws(() => demandOfGet('x', { group, resource }), { code, message });
    });
  }
});

describe('demandOfList', () => {
  const cases: [resourceVersion: string, match: string, limit: number, expected: StateDemand][] = [
    ['', '', 0, newest],
    ['', '', 1, newest],
    ['0', '', 0, any],
    ['0', '', 1, any],
    ['0', 'NotOlderThan', 1, any],
    ['00', '', 0, any],
    ['00', 'NotOlderThan', 1, any],
    ['00', '', 1, newest],
    ['00', 'Exact', 0, newest],
    ['5', '', 0, atLeast(5)],
    ['5', '', -1, atLeast(5)],
    ['5', '', 1, exactly(5)],
    ['5', 'NotOlderThan', 0, atLeast(5)],
    ['5', 'NotOlderThan', 1, atLeast(5)],
    ['5', 'Exact', 0, exactly(5)],
    ['5', 'Exact', 1, exactly(5)],
  ];
  for (const [resourceVersion, resourceVersionMatch, limit, expected] of cases) {
    it(`"${resourceVersion}", match "${resourceVersionMatch}", limit ${limit}: ${expected.type}`, () => {
      assert.deepEqual(demandOfList({ resourceVersion, resourceVersionMatch, limit, continue: '' }), expected);
    });
  }

  it('refuses another text with 400', () => {
    const list = { resourceVersion: 'x', resourceVersionMatch: '', limit: 0, continue: '' };
    assert.throws(() => demandOfList(list), {
      code: 400,
      message:
        'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });

  it('refuses a version beside a continue token, except none and "0"', () => {
    const list = { resourceVersionMatch: '', limit: 1, continue: 'token' };
    for (const resourceVersion of ['', '0']) assert.deepEqual(demandOfList({ ...list, resourceVersion }), newest);
    for (const resourceVersion of ['00', '5', 'x']) {
      assert.throws(() => demandOfList({ ...list, resourceVersion }), {
        code: 400,
        message: 'specifying resource version is not allowed when using continue',
      });
    }
  });
});
