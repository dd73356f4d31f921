import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { parseGetOptions, parseTableOptions } from './read-options.js';

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

describe('read options', () => {
  it('refuse export and unknown includeObject values', () => {
    assert.equal(
      refusal(() => parseGetOptions(query('export'))),
      '400 the export parameter, deprecated since v1.14, is no longer supported',
    );
    assert.equal(parseGetOptions(query('export=false&resourceVersion=0')).resourceVersion, '0');
    assert.equal(parseTableOptions(query('')).includeObject, 'Metadata');
    assert.equal(
      refusal(() => parseTableOptions(query('includeObject=All'))),
      `400 Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});
