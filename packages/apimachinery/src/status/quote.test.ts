import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteGo, quoteGoList } from './quote.js';

const cases: [text: string, quoted: string][] = [
  ['', '""'],
  [' !#az[]^~', '" !#az[]^~"'],
  ['a"b', '"a\\"b"'],
  ['a\\b', '"a\\\\b"'],
  ['a\n', '"a\\n"'],
  ['a\b\t\f\r"\\~', '"a\\b\\t\\f\\r\\"\\\\~"'],
  ['\u0007\v\u0001', '"\\a\\v\\x01"'],
  ['\u007f', '"\\x7f"'],
  ['é\u200b\u{e0001}', '"é\\u200b\\U000e0001"'],
];
for (const [text, quoted] of cases) {
  test(`${JSON.stringify(text)} is quoted as Go quotes it`, () => assert.equal(quoteGo(text), quoted));
}

test('a list of strings is printed as Go prints it', () => {
  assert.equal(quoteGoList([]), '[]string{}');
  assert.equal(quoteGoList(['a', 'b"']), '[]string{"a", "b\\""}');
});
