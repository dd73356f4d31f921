import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabelSelectorError, parseLabelMap } from './index.js';

test('parseLabelMap reads labels and trims spaces', () => {
  assert.deepEqual(parseLabelMap(''), new Map());
  assert.deepEqual(
    parseLabelMap('app=web, tier = front'),
    new Map([
      ['app', 'web'],
      ['tier', 'front'],
    ]),
  );
});

for (const [text, message] of [
  ['app', /^invalid selector: \[app\]$/],
  ['a=b=c', /^invalid selector: \[a b c\]$/],
  ['a/b/c=d', /^<nil>: Invalid value: "a\/b\/c": /],
  ['a=b c', /^\[a\]: Invalid value: "b c": /],
] as const) {
  test(`parseLabelMap refuses ${text}`, () => {
    assert.throws(
      () => parseLabelMap(text),
      (error) => error instanceof LabelSelectorError && message.test(error.message),
    );
  });
}
