import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValue } from '../../interface/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { openSnapshot } from './snapshot.js';
import { soundValue } from './sound-value.js';

/** Whether a directory holds a store. */
export const isStore = (directory: string): boolean => existsSync(join(directory, DATA_FILE));

/**
 * The current values of the keys under `prefix` in a store, running or not, at one revision. Rejects with a `KVError` that names the directory
 * or a damaged key.
 */
export async function* readStore(directory: string, prefix: string): AsyncGenerator<KeyValue, void> {
  await using snapshot = await openSnapshot(directory);
  for await (const { key, value } of snapshot.entries('index')) {
    const name = key.toString();
    if (!name.startsWith(prefix)) continue;
    const { revision, record } = soundValue(snapshot, key, value);
    yield { key: name, value: record.value, createRevision: record.createRevision, modRevision: revision };
  }
}
