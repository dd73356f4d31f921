import assert from 'node:assert/strict';
import { type KV, KVError, type RangeRequest, type RangeResult, type ValueReader } from '@binnacle/kv';
import { withMethods } from './test-resource.js';

/** For tests: fails to read the value of this key, like an embedded store with a damaged value. */
export function withDamagedValue(kv: KV, damagedKey: string): KV {
  const error = (revision: number): KVError =>
    new KVError('corrupt', `the stored data of ${JSON.stringify(damagedKey)} is damaged`, {
      damaged: [{ key: damagedKey, revision }],
    });
  let lostRevision = 0;
  const range = async (request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> => {
    const result = await kv.range(request, signal);
    const lost = result.items.find(({ key }) => key === damagedKey);
    if (lost === undefined) return result;
    lostRevision = lost.modRevision;
    // Keys and revisions come from the index, which is intact.
    if (request.keysOnly === true) return result;
    if (request.damaged !== 'report') throw error(lostRevision);
    const items = result.items.filter((item) => item !== lost);
    return { ...result, items, damaged: [{ key: damagedKey, revision: lostRevision }] };
  };
  const openReader = (revision: number): ValueReader => {
    const reader = kv.openReader?.(revision);
    assert.ok(reader !== undefined, 'the store is in this process');
    return {
      advance: (to) => reader.advance(to),
      read: (modRevision) => reader.read(modRevision),
      load: (modRevision) => {
        if (modRevision === lostRevision) throw error(modRevision);
        return reader.load(modRevision);
      },
      close: () => reader.close(),
    };
  };
  return withMethods(kv, { range, openReader });
}
