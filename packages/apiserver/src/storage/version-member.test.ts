import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commaAt, versionLength, writeVersion } from './version-member.js';

function spliced(json: string, offset: number, revision: number): string {
  const bytes = Buffer.from(json);
  const comma = commaAt(bytes, offset);
  const member = Buffer.alloc(versionLength(revision, comma));
  writeVersion(member, 0, revision, comma);
  return Buffer.concat([bytes.subarray(0, offset), member, bytes.subarray(offset)]).toString();
}

describe('the member with the resourceVersion', () => {
  it('goes before other members, after them, or into empty metadata', () => {
    assert.equal(spliced('{"uid":"u"}', 1, 10), '{"resourceVersion":"10","uid":"u"}');
    assert.equal(spliced('{"name":"n"}', 11, 9), '{"name":"n","resourceVersion":"9"}');
    assert.equal(spliced('{}', 1, 1), '{"resourceVersion":"1"}');
  });

  it('is exact for large revisions, and absent for 0', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    assert.equal(spliced('{}', 1, largest), `{"resourceVersion":"${largest}"}`);
    assert.equal(spliced('{}', 1, 0), '{}');
  });
});
