import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  escapeFieldValue,
  everyField,
  FieldSelectorError,
  fieldLabelNotSupported,
  parseFieldSelector,
  parseFieldSelectorInSteps,
  unescapeFieldValue,
  validateFieldLabels,
} from './index.js';

describe('parseFieldSelector', () => {
  it('yields while it reads a long selector', () => {
    const steps = parseFieldSelectorInSteps('a=b,'.repeat(20_000));
    for (let count = 0; count < 4; count++) assert.equal(steps.next().done, false);
  });

  it('sorts terms by their text', () => {
    const selector = parseFieldSelector('status.phase!=Running,,metadata.name==a');
    assert.deepEqual(selector.requirements, [
      { field: 'metadata.name', operator: '=', value: 'a' },
      { field: 'status.phase', operator: '!=', value: 'Running' },
    ]);
    assert.equal(selector.toString(), 'metadata.name=a,status.phase!=Running');
    assert.equal(selector.requiredValue('metadata.name'), 'a');
    assert.equal(selector.requiredValue('status.phase'), undefined);
  });

  it('ignores terms without a field and a value', () => {
    for (const text of ['=', '==', '!=', '=,==']) assert.equal(parseFieldSelector(text), everyField, text);
    assert.equal(parseFieldSelector('=a').toString(), '=a');
  });

  it('decodes escapes', () => {
    assert.deepEqual(parseFieldSelector('a=b\\,c\\=d\\\\').requirements, [
      { field: 'a', operator: '=', value: 'b,c=d\\' },
    ]);
  });

  it('selects everything when empty', () => {
    assert.equal(parseFieldSelector(''), everyField);
    assert.equal(everyField.matches({}), true);
  });

  const failures: readonly (readonly [string, string])[] = [
    ['nonsense', "invalid selector: 'nonsense'; can't understand 'nonsense'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ];
  for (const [text, message] of failures) {
    it(`rejects ${text}`, () => assert.throws(() => parseFieldSelector(text), new FieldSelectorError(message)));
  }

  it('escapes and unescapes any value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        assert.equal(unescapeFieldValue(escapeFieldValue(value)), value);
        assert.equal(parseFieldSelector(`f=${escapeFieldValue(value)}`).requiredValue('f'), value);
      }),
    );
  });
});

describe('matching', () => {
  it('treats an absent field as the empty value', () => {
    assert.equal(parseFieldSelector('spec.nodeName=').matches({}), true);
    assert.equal(parseFieldSelector('constructor=').matches({}), true);
    assert.equal(parseFieldSelector('a!=b').matches({ a: 'b' }), false);
  });
});

describe('validateFieldLabels', () => {
  it('supports name and namespace by default', () => {
    assert.throws(
      () => validateFieldLabels(parseFieldSelector('data.x=y')),
      new FieldSelectorError('"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"'),
    );
    assert.equal(validateFieldLabels(parseFieldSelector('metadata.name=a')).toString(), 'metadata.name=a');
  });

  it("renames and rejects labels by a kind's rules", () => {
    const pods = {
      supported: ['spec.host'],
      fields: new Map([['spec.host', 'spec.nodeName']]),
      unsupported: fieldLabelNotSupported,
    };
    assert.equal(validateFieldLabels(parseFieldSelector('spec.host=n'), pods).toString(), 'spec.nodeName=n');
    assert.throws(
      () => validateFieldLabels(parseFieldSelector('spec.nodeName=n'), pods),
      new FieldSelectorError('field label not supported: spec.nodeName'),
    );
  });
});
