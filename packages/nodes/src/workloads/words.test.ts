import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wordsIn } from './words.js';

const cases: Record<string, readonly string[] | undefined> = {
  './bin/manager --zap-devel': ['./bin/manager', '--zap-devel'],
  '  a\t b ': ['a', 'b'],
  'node -e \'a b\' "c d"e': ['node', '-e', 'a b', 'c de'],
  'a\\ b \\"c "d\\"e" \'f\\g\'': ['a b', '"c', 'd"e', 'f\\g'],
  "a ''": ['a', ''],
  'echo $HOME *': ['echo', '$HOME', '*'],
  '': undefined,
  '   ': undefined,
  "a 'b": undefined,
};
for (const [text, words] of Object.entries(cases)) {
  it(`splits ${JSON.stringify(text)}`, () => assert.deepEqual(wordsIn(text), words));
}
