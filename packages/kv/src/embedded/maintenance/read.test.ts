import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { isStore, readStore } from './read.js';
import { fill, inDirectory } from './store.testing.js';

it('reads the current values under a prefix, without the deleted ones', () =>
  inDirectory(async (directory) => {
    const { items } = await fill(directory, 300);
    const found = [];
    for await (const { key, value, createRevision, modRevision } of readStore(directory, '/registry/things/')) {
      found.push({ key, value: Buffer.from(value), createRevision, modRevision });
    }
    const expected = items.filter(({ key }) => key.startsWith('/registry/things/'));
    assert.deepEqual(
      found,
      expected.map(({ key, value, createRevision, modRevision }) => ({
        key,
        value: Buffer.from(value),
        createRevision,
        modRevision,
      })),
    );
    assert.equal(found.length, 299);
    assert.deepEqual([isStore(directory), isStore(join(directory, 'absent'))], [true, false]);
  }));
