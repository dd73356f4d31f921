import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, testResource, withDamagedValue } from '../testing/index.js';
import { readState } from './read-state.js';

const PREFIX = '/registry/configmaps/';

describe('readState', () => {
  it('reads more than one page, past unreadable objects, all at one revision', async () => {
    // The last key of the first page.
    const damaged = `${PREFIX}default/o0499`;
    await using resource = testResource({ wrapKV: (kv) => withDamagedValue(kv, damaged) });
    const { storage } = resource;
    const names = Array.from({ length: 1100 }, (_, index) => `o${String(index).padStart(4, '0')}`);
    for (const name of names) await storage.create(`${PREFIX}default/${name}`, configMap(name), undefined);
    const revision = await storage.currentRevision();
    const reading = readState(storage, new AbortController().signal);
    await storage.create(`${PREFIX}default/late`, configMap('late'), undefined);
    const read = await reading;
    assert.equal(read?.revision, revision);
    assert.deepEqual(
      read.damaged.map(({ key }) => key),
      [damaged],
    );
    assert.deepEqual(
      Array.from(read.objects.range(PREFIX), ({ key }) => key.split('/').at(-1)),
      names.filter((name) => !damaged.endsWith(name)),
    );
  });

  it('reads nothing after it is aborted', async () => {
    await using resource = testResource();
    const stop = new AbortController();
    const reading = readState(resource.storage, stop.signal);
    stop.abort();
    assert.equal(await reading, undefined);
  });
});
