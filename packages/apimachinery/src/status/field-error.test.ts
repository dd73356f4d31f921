import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  duplicate,
  type FieldError,
  fieldErrorDetail,
  forbiddenField,
  formatBadValue,
  formatFieldErrors,
  internalFieldError,
  invalidValue,
  invalidWithoutValue,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.js';

describe('the words of a field error', () => {
  const cases: readonly (readonly [error: FieldError, words: string])[] = [
    [required('a', ''), 'Required value'],
    [required('a', 'must be set'), 'Required value: must be set'],
    [invalidValue('a', 'x"y', 'is wrong'), 'Invalid value: "x\\"y": is wrong'],
    [invalidWithoutValue('a', 'is wrong'), 'Invalid value: is wrong'],
    [typeInvalid('a', 1, 'is wrong'), 'Invalid value: 1: is wrong'],
    [notSupported('a', 'x', ['b', 'c']), 'Unsupported value: "x": supported values: "b", "c"'],
    [notSupported('a', 'x', []), 'Unsupported value: "x"'],
    [duplicate('a', 'x'), 'Duplicate value: "x"'],
    [notFoundField('a', 'x'), 'Not found: "x"'],
    [forbiddenField('a', 'may not change'), 'Forbidden: may not change'],
    [internalFieldError('a', 'oops'), 'Internal error: oops'],
    [tooLong('a', 63), 'Too long: may not be more than 63 bytes'],
    [tooLong('a', -1), 'Too long: value is too long'],
    [tooMany('a', 3, 1), 'Too many: 3: must have at most 1 item'],
    [tooMany('a', 3, 2), 'Too many: 3: must have at most 2 items'],
    [tooMany('a', 3, -1), 'Too many: 3: has too many items'],
  ];
  for (const [error, words] of cases) it(`are ${words}`, () => assert.equal(fieldErrorDetail(error), words));
});

describe('the value of an error', () => {
  const cases: readonly (readonly [value: unknown, text: string])[] = [
    [undefined, 'null'],
    [null, 'null'],
    ['a\n', '"a\\n"'],
    [1.5, '1.5'],
    [2n ** 60n, '1152921504606846976'],
    [false, 'false'],
    [{ a: [1, 'x', null], b: undefined }, '{"a":[1,"x",null]}'],
    [[], '[]'],
  ];
  for (const [value, text] of cases) it(`is ${text}`, () => assert.equal(formatBadValue(value), text));

  it('is formatted once, and only when it is read', () => {
    let read = 0;
    const value = {
      get a() {
        read += 1;
        return 'x';
      },
    };
    const error = invalidValue('a', value, '');
    assert.equal(read, 0);
    assert.equal(error.shownValue, '{"a":"x"}');
    const once = read;
    assert.equal(error.shownValue, '{"a":"x"}');
    assert.equal(read, once);
  });
});

it('several errors are a list without repetition, and one has no brackets', () => {
  const [a, b] = [required('a', ''), required('b', '')];
  assert.equal(formatFieldErrors([a]), 'a: Required value');
  assert.equal(formatFieldErrors([a, a]), 'a: Required value');
  assert.equal(formatFieldErrors([a, b, a]), '[a: Required value, b: Required value]');
});
