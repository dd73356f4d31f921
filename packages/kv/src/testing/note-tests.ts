import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { MAX_KEY_BYTES, MAX_NOTE_BYTES } from '../interface/index.js';
import { bytes, keysOf, noteOf, put, RecordingWatch, rejects, text, writeNote, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

/** Only for in-process stores. */
export function noteTests(open: OpenKV): void {
  it('keeps a note under each name, and replaces it', async () => {
    await using kv = await open({ clock: systemClock });
    assert.equal(noteOf(kv, '/n/'), undefined);
    await writeNote(kv, '/n/', bytes('one'));
    await writeNote(kv, '/n/ä', bytes(''));
    assert.deepEqual([text(noteOf(kv, '/n/')), text(noteOf(kv, '/n/ä'))], ['one', '']);
    await writeNote(kv, '/n/', bytes('x'.repeat(MAX_NOTE_BYTES)));
    assert.equal(noteOf(kv, '/n/')?.length, MAX_NOTE_BYTES);
    await kv.compact(await kv.currentRevision());
    assert.equal(noteOf(kv, '/n/')?.length, MAX_NOTE_BYTES);
  });

  it('takes no revision for a note, and shows it to no range or watch', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await written(put(kv, '/n/a', '1'));
    using watching = new RecordingWatch(kv, '', base);
    await Promise.all([
      writeNote(kv, '/n/b', bytes('note')),
      put(kv, '/n/c', '1'),
      writeNote(kv, '/n/a', bytes('note')),
    ]);
    await watching.reached(base + 1);
    assert.equal(await kv.currentRevision(), base + 1);
    assert.deepEqual(
      watching.batches.flatMap(({ events }) => events.map(({ key }) => key)),
      ['/n/c'],
    );
    assert.deepEqual(await keysOf(kv, '/n/'), ['/n/a', '/n/c']);
    const { items } = await kv.range({ prefix: '/n/a', exact: true });
    assert.equal(text(items[0]?.value), '1');
  });

  it('rejects a name that is not a key, and a note that is too long', async () => {
    await using kv = await open({ clock: systemClock });
    await assert.rejects(writeNote(kv, '', bytes('note')), RangeError);
    await assert.rejects(writeNote(kv, 'x'.repeat(MAX_KEY_BYTES + 1), bytes('note')), RangeError);
    await assert.rejects(writeNote(kv, '/n/', new Uint8Array(MAX_NOTE_BYTES + 1)), RangeError);
    await kv.close();
    await rejects(writeNote(kv, '/n/', bytes('note')), 'closed');
  });
}
