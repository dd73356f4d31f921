import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLogging } from './open-log.js';

test('a log is text or JSON, with a verbosity', () => {
  for (const loggingFormat of [undefined, 'text', 'json']) checkLogging({ loggingFormat, verbosity: 9 });
});

for (const [options, message] of [
  [{ loggingFormat: 'xml' }, '--logging-format: Invalid value: "xml": Unsupported log format'],
  [{ verbosity: -1 }, '--v -1 is not a verbosity: give 0 or more'],
] as const) {
  test(`${JSON.stringify(options)} is refused`, () => {
    assert.throws(() => checkLogging(options), { code: 'usage', message });
  });
}
