import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { LocalKV } from '../interface/index.js';
import { openEnvironment } from './environment.js';
import { encodeLogKey, encodeMeta, FORMAT_VERSION } from './format/layout.js';
import { encodeForgotten } from './format/record.js';
import { openEmbeddedKV } from './index.js';
import { backupStore, checkStore, compactStore, purgeStore, repairStore, restoreStore } from './maintenance/index.js';
import { contentOf, inDirectory, object, remove, write } from './maintenance/store.testing.js';

const SECRETS = '/registry/secrets/';
const KEY = `${SECRETS}default/db`;
const OTHER = '/registry/pods/default/web';

async function opened<T>(directory: string, use: (kv: LocalKV) => Promise<T>): Promise<T> {
  await using kv = await openEmbeddedKV({ directory, clock: new VirtualClock(1_000_000) });
  return await use(kv);
}

/** A password of three versions, and another object; all but the last of each superseded. Returns the revision of the last. */
async function fill(directory: string): Promise<number> {
  return opened(directory, async (kv) => {
    for (const version of ['first', 'second', 'third']) {
      await write(kv, KEY, object(`the ${version} password`));
      await write(kv, OTHER, object(`the ${version} pod`));
    }
    const last = await kv.currentRevision();
    await kv.forgetValues(SECRETS, last);
    return last;
  });
}

const holds = async (directory: string, text: string): Promise<boolean> =>
  (await readFile(join(directory, 'data.mdb'))).includes(text);

const problemsOf = async (directory: string) => (await checkStore({ directory })).problems;

async function lines(kv: LocalKV): Promise<string[]> {
  const { events } = await kv.history({ prefix: SECRETS, limit: 10 });
  return events.map(({ revision, type, value, previous, isForgotten, isPreviousForgotten }) =>
    [revision, type, value?.length ?? isForgotten ?? '-', previous?.value.length ?? isPreviousForgotten ?? '-'].join(
      ' ',
    ),
  );
}

describe('values that an embedded store has forgotten', () => {
  it('are gone for good, also from the file once it is compacted', () =>
    inDirectory(async (directory) => {
      const last = await fill(directory);
      assert.deepEqual(await problemsOf(directory), []);
      await opened(directory, async (kv) => {
        await assert.rejects(kv.range({ prefix: SECRETS, revision: last - 2 }), { code: 'compacted' });
        const size = object('the third password').length;
        assert.deepEqual(await lines(kv), [
          `${last - 1} put ${size} true`,
          `${last - 3} put true true`,
          `${last - 5} put true -`,
        ]);
        assert.equal((await kv.range({ prefix: OTHER, revision: last - 4 })).items.length, 1);
      });
      await compactStore({ directory, keepSince: 0 });
      const isHeld = (version: string) => holds(directory, `the ${version} password`);
      assert.deepEqual([await isHeld('first'), await isHeld('second'), await isHeld('third')], [false, false, true]);
      assert.deepEqual(await problemsOf(directory), []);
      await opened(directory, async (kv) => assert.equal((await lines(kv)).length, 3));
    }));

  it('do not stop condensation, purge, backup and repair', () =>
    inDirectory(async (parent) => {
      const directory = join(parent, 'store');
      await fill(directory);
      await compactStore({ directory, keepSince: 0 });
      await opened(directory, async (kv) => {
        await write(kv, KEY, object('the fourth password'));
        await kv.forgetValues(SECRETS, await kv.currentRevision());
        await write(kv, KEY, object('the fifth password'));
        await remove(kv, KEY);
      });
      await compactStore({ directory, keepSince: 0 });
      assert.deepEqual(await problemsOf(directory), []);
      assert.equal((await purgeStore({ directory, key: KEY })).events, 6);
      assert.deepEqual(await problemsOf(directory), []);
      const content = await contentOf(directory);
      const file = join(parent, 'backup');
      await backupStore({ directory, file });
      const restored = join(parent, 'restored');
      await restoreStore({ directory: restored, file });
      assert.deepEqual(await contentOf(restored), content);
      assert.equal((await repairStore({ directory })).lost.length, 0);
      assert.deepEqual(await contentOf(directory), content);
    }));

  it('are a problem of a check where nothing allows it', () =>
    inDirectory(async (directory) => {
      const last = await fill(directory);
      const environment = await openEnvironment(directory, undefined);
      // The newest value of the other key, and one that it superseded.
      for (const revision of [last, last - 2]) {
        const record = Buffer.from(environment.log.get(encodeLogKey(revision))?.subarray() ?? []);
        await environment.commit(
          () => void environment.log.put(encodeLogKey(revision), encodeForgotten(revision, record)),
        );
      }
      await environment.close();
      assert.deepEqual(await problemsOf(directory), [
        `the value of "${OTHER}", of revision ${last - 2}, is forgotten too early`,
        `key "${OTHER}": the newest value is forgotten`,
      ]);
    }));

  it('need a format that older programs refuse, to which a store of the previous format is upgraded', () =>
    inDirectory(async (directory) => {
      await opened(directory, (kv) => write(kv, KEY, object('kept')));
      const meta = async (change?: string): Promise<string> => {
        const environment = await openEnvironment(directory, undefined);
        const table = environment.root.openDB<Buffer, Buffer>({
          name: 'meta',
          encoding: 'binary',
          keyEncoding: 'binary',
        });
        if (change !== undefined) {
          await environment.commit(() => {
            void table.put(Buffer.from('format'), Buffer.from(change));
            void table.put(Buffer.from('condensed'), encodeMeta('condensed', 2));
          });
        }
        const found = `${table.get(Buffer.from('format'))?.toString()} ${environment.readMeta('condensed')}`;
        await environment.close();
        return found;
      };
      assert.equal(FORMAT_VERSION, 5);
      assert.equal(await meta('4'), '4 2');
      assert.equal(await meta(), '5 2', 'what is condensed stays so');
      await meta('3');
      assert.equal(await meta(), '5 0');
    }));
});
