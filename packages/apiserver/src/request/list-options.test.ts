import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { checkListOptions, decodeListOptions } from './list-options.js';

const query = (text: string): URLSearchParams => new URLSearchParams(text);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.message}`;
  }
  return 'accepted';
}

describe('list options', () => {
  const list = (text: string): string => refusal(() => checkListOptions(decodeListOptions(query(text))));
  const forbidden = '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: ';
  const cases: readonly (readonly [query: string, answer: string])[] = [
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['timeoutSeconds=1.5&limit=x', '400 strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=-1', 'accepted'],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      `${forbidden}resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
    ],
    ['resourceVersionMatch=Exact', `${forbidden}resourceVersionMatch is forbidden unless resourceVersion is provided`],
    [
      'resourceVersion=1&resourceVersionMatch=Nope',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'limit=2&continue=c&resourceVersionMatch=NotOlderThan',
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1',
      `${forbidden}resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
    ],
    [
      'watch=1&sendInitialEvents=true',
      `${forbidden}sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
    ],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
    ],
    ['watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', 'accepted'],
  ];
  for (const [text, answer] of cases) {
    it(text, () => {
      assert.equal(list(text), answer);
    });
  }

  it('fills in the default of a watch without a start', () => {
    assert.equal(decodeListOptions(query('watch=1')).sendInitialEvents, true);
    assert.equal(decodeListOptions(query('watch=1&resourceVersion=0')).resourceVersionMatch, 'NotOlderThan');
    assert.equal(decodeListOptions(query('watch=1&resourceVersion=5')).sendInitialEvents, undefined);
    assert.equal(decodeListOptions(query('')).sendInitialEvents, undefined);
  });
});
