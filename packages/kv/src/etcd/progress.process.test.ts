import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type EtcdBinary, etcdBinaries, EtcdProcess, withoutEtcd } from '../testing/index.js';
import { openEtcdKV } from './index.js';
import { until } from './clients.testing.js';
import { hasReliableProgress } from './watch/versions.js';

const limit = { timeout: 600_000 };

/** Progress requests to this version: refused if its answers cannot be trusted, and correct if they can. */
function testProgress({ path, version }: EtcdBinary): void {
  const isTrusted = hasReliableProgress(version);
  it(isTrusted ? `is true by ${version}` : `is refused by ${version}`, limit, async () => {
    await using etcd = await EtcdProcess.start({ binary: path });
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    assert.equal(kv.requestProgress?.(), false, 'no watch is running');
    const put = (key: string) =>
      kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
    const base = await kv.currentRevision();
    const calls: string[] = [];
    let reached = base;
    let ended: Error | undefined;
    const sink = {
      batch: ({ revision }: { readonly revision: number }): void => {
        assert.ok(revision > reached, 'progress was said ahead of an event');
        reached = revision;
        calls.push('batch');
      },
      progress: (revision: number): void => {
        assert.ok(revision > reached);
        reached = revision;
        calls.push('progress');
      },
      ended: (error: Error): void => {
        ended = error;
      },
    };
    const abort = new AbortController();
    kv.watch({ prefix: '/quiet/', fromRevision: base }, sink, abort.signal);
    await put('/quiet/a');
    await until(() => reached === base + 1, 'the first event');
    if (!isTrusted) {
      await delay(300);
      assert.equal(kv.requestProgress?.(), false);
      assert.deepEqual(calls, ['batch']);
      abort.abort();
      return;
    }

    const caughtUp = async (revision: number): Promise<void> => {
      await until(() => kv.requestProgress?.() === true && reached >= revision, 'progress');
    };
    let newest = 0;
    for (let count = 0; count < 100; count += 1) {
      newest = (await put(count % 10 === 0 ? `/quiet/${count}` : `/busy/${count}`)).revision;
      kv.requestProgress?.();
    }
    await caughtUp(newest);
    assert.equal(calls.filter((call) => call === 'batch').length, 11);

    await kv.compact(newest);
    await etcd.end('SIGKILL');
    await etcd.resume();
    const { revision } = await put('/quiet/after');
    await until(() => reached >= revision, 'the event after the compaction and the restart');
    assert.equal(ended, undefined, 'a quiet watch that asked for progress is not overtaken');
    abort.abort();
  });
}

describe('etcd store: progress on request', { skip: withoutEtcd() }, () => {
  for (const binary of etcdBinaries()) testProgress(binary);
});
