import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { configMap, testResource } from '../testing/index.js';
import { selectPage } from './list.js';

const OBJECTS = 200;

async function storedObjects() {
  const { storage, kv } = testResource();
  for (let index = 0; index < OBJECTS; index++) {
    const name = String(index).padStart(3, '0');
    const value = storage.codec.encode(configMap(name));
    const key = `${storage.prefix}default/${name}`;
    await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
  }
  return (await storage.list(storage.prefix, {})).items;
}

describe('a page of selected objects', () => {
  it('takes no turn for the objects that follow it', async (context) => {
    const objects = await storedObjects();
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => (time += 3));
    const page = await selectPage(objects, ({ key }) => key >= `${objects[2]?.key}`, 2);
    assert.deepEqual(page, { items: objects.slice(2, 4), fetched: 4, more: true });
    assert.ok(time < 200, `${time / 3} looks at the clock`);
    await loop();
  });

  it('ends where the objects end', async () => {
    const objects = await storedObjects();
    const page = await selectPage(objects, ({ key }) => key >= `${objects[198]?.key}`, 2);
    assert.deepEqual(page, { items: objects.slice(198), fetched: OBJECTS, more: false });
  });
});
