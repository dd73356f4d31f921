import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource } from '../testing/index.js';
import { ChangeWindow } from './change-window.js';
import { ObjectChange } from './event.js';

describe('ChangeWindow', () => {
  for (const what of ['writes', 'deletions'] as const) {
    it(`holds a limited number of bytes of ${what}`, async () => {
      await using resource = testResource();
      const value = resource.storage.codec.encode(configMap('x', { data: { big: 'x'.repeat(1000) } }));
      const window = new ChangeWindow({ ageMs: 1000, size: 100, bytes: 10 * value.length });
      for (let revision = 1; revision <= 50; revision++) {
        const object = resource.storage.wrap({ key: 'x', value, createRevision: 1, modRevision: revision });
        const [current, previous] = what === 'writes' ? [object, undefined] : [undefined, object];
        window.push(new ObjectChange('x', revision, current, previous), 0);
        window.trim(0);
      }
      const held = Array.from(window.after(window.start), ({ revision }) => revision);
      assert.ok(held.length >= 10 && held.length <= 12, `${held.length} changes`);
      assert.equal(held.at(-1), 50);
    });
  }
});
