import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DamageLog } from './damage-log.js';

describe('the log of damaged objects', () => {
  it('names each object once', () => {
    const lines: string[] = [];
    const log = new DamageLog((line) => lines.push(line));
    log.found(['/registry/pods/n/a']);
    log.found(['/registry/pods/n/a', '/registry/pods/n/b']);
    assert.deepEqual(lines, [
      'the stored data of "/registry/pods/n/a" is damaged, or cannot be decrypted or decoded; requests that read it fail',
      'the stored data of "/registry/pods/n/b" is damaged, or cannot be decrypted or decoded; requests that read it fail',
    ]);
  });

  it('ends after a thousand objects', () => {
    const lines: string[] = [];
    const log = new DamageLog((line) => lines.push(line));
    for (let round = 0; round < 2; round += 1)
      log.found(Array.from({ length: 1500 }, (_, index) => `/registry/${index}`));
    assert.equal(lines.length, 1001);
    assert.equal(lines.at(-1), 'the stored data of more objects cannot be read');
  });
});
