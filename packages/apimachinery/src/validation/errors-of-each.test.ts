import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS_MAXIMUM, invalidValue } from '../status/index.js';
import { errorsOfEach, errorsOfEntries } from './index.js';

const wrong = (value: unknown, index?: number) => [invalidValue(`a[${index ?? ''}]`, value, 'wrong')];

describe('errorsOfEach', () => {
  it('returns the errors of each item in order, and none of an absent list', () => {
    const errors = errorsOfEach(['a', 'b', 'c'], (item, index) => (item === 'b' ? [] : wrong(item, index)));
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['a[0]', 'a[2]'],
    );
    assert.deepEqual(errorsOfEach(undefined, wrong), []);
    assert.deepEqual(errorsOfEach(null, wrong), []);
  });

  it('stops after the largest number of errors', () => {
    let seen = 0;
    const items = Array.from({ length: 3 * ERRORS_MAXIMUM }, () => 'a');
    const errors = errorsOfEach(items, (item) => {
      seen++;
      return wrong(item);
    });
    assert.equal(errors.length, ERRORS_MAXIMUM);
    assert.equal(seen, ERRORS_MAXIMUM);
  });

  it('takes more errors from one item than a call has arguments', () => {
    const many = Array.from({ length: 300_000 }, () => wrong('a')).flat();
    assert.equal(errorsOfEach(['a', 'b'], () => many).length, many.length);
  });
});

describe('errorsOfEntries', () => {
  it('passes the own keys of a map, whatever their names', () => {
    const map = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const errors = errorsOfEntries(map, (key, value) => [invalidValue(key, value, '')]);
    assert.deepEqual(
      errors.map(({ field, shownValue }) => [field, shownValue]),
      [
        ['__proto__', '"a"'],
        ['constructor', '"b"'],
      ],
    );
  });
});
