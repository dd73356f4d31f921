import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EventBatch, KVError, type WatchRequest, type WatchSink } from '../../interface/index.js';
import type { WatchAnswer, WatchedEvent } from '../messages/watch-messages.js';
import { Watcher } from './watcher.js';

function event(revision: number, key: string, createRevision = revision): WatchedEvent {
  const value = Buffer.from(String(revision));
  const previous = createRevision < revision ? { key, value, createRevision, modRevision: revision - 1 } : undefined;
  return { deleted: false, current: { key, value, createRevision, modRevision: revision }, previous };
}

function answer(events: readonly WatchedEvent[], rest: Partial<WatchAnswer> = {}): WatchAnswer {
  const nothing = {
    watchId: 1,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
  };
  return { ...nothing, revision: 100, ...rest, events };
}

function watched(
  sink: Partial<WatchSink> = {},
  more: Partial<WatchRequest> = {},
): { watcher: Watcher; calls: string[]; abort: AbortController } {
  const calls: string[] = [];
  const abort = new AbortController();
  const batch = ({ revision, events }: EventBatch): void => {
    calls.push(`${revision} ${events.map(({ type, key }) => `${type} ${key}`).join(' ')}`);
  };
  const progress = (revision: number): void => {
    calls.push(`progress ${revision}`);
  };
  const ended = (error: Error): void => {
    calls.push(`ended ${error instanceof KVError ? error.code : error.message}`);
  };
  const watcher = new Watcher(
    1,
    { prefix: '/', fromRevision: 5, ...more },
    { batch, progress, ended, ...sink },
    {
      signal: abort.signal,
      over: () => calls.push('over'),
    },
  );
  return { watcher, calls, abort };
}

describe('watcher', () => {
  it('holds events that arrive before it runs, then delivers by revision', () => {
    const { watcher, calls } = watched();
    watcher.state = 'checking';
    watcher.accept(answer([event(6, '/a'), event(6, '/b'), event(8, '/c')]));
    watcher.progress(50);
    assert.deepEqual(calls, []);
    watcher.run();
    assert.deepEqual(calls, ['6 put /a put /b', '8 put /c']);
    assert.equal(watcher.position, 8);
  });

  it('joins fragments, so that no revision is split', () => {
    const { watcher, calls } = watched();
    watcher.run();
    watcher.accept(answer([event(6, '/a')], { fragment: true }));
    watcher.accept(answer([event(6, '/b'), event(7, '/c')], { fragment: true }));
    watcher.progress(50);
    assert.deepEqual(calls, [], 'no progress ahead of what is incomplete');
    watcher.accept(answer([event(7, '/d')]));
    assert.deepEqual(calls, ['6 put /a put /b', '7 put /c put /d']);
  });

  it('drops incomplete fragments with their stream, and does not deliver twice', () => {
    const { watcher, calls } = watched();
    watcher.run();
    watcher.accept(answer([event(6, '/a')]));
    watcher.accept(answer([event(7, '/a', 6)], { fragment: true }));
    watcher.restart();
    watcher.run();
    watcher.accept(answer([event(6, '/a'), event(7, '/a', 6), event(7, '/b')]));
    assert.deepEqual(calls, ['6 put /a', '7 put /a put /b']);
  });

  it('reports progress only forwards', () => {
    const { watcher, calls } = watched();
    watcher.run();
    watcher.accept(answer([], { revision: 5 }));
    watcher.accept(answer([], { revision: 9 }));
    watcher.progress(9);
    watcher.progress(12);
    assert.deepEqual(calls, ['progress 9', 'progress 12']);
  });

  it('ends as compacted if the value before an event is gone', () => {
    for (const broken of [
      { ...event(6, '/a', 3), previous: undefined },
      { ...event(6, '/a'), deleted: true },
    ]) {
      const { watcher, calls } = watched();
      watcher.run();
      watcher.accept(answer([broken, event(7, '/b')]));
      assert.deepEqual(calls, ['over', 'ended compacted']);
    }
  });

  it('needs no value before an event if its receiver needs none', () => {
    const { watcher, calls } = watched({}, { withoutPrevious: true });
    watcher.run();
    watcher.accept(answer([event(6, '/a', 3), { ...event(7, '/b'), deleted: true }]));
    assert.deepEqual(calls, ['6 put /a', '7 delete /b']);
  });

  it('is silent once aborted, even within an answer', () => {
    const seen: number[] = [];
    const { watcher, calls, abort } = watched({
      batch: ({ revision }) => {
        seen.push(revision);
        abort.abort();
      },
    });
    watcher.run();
    watcher.accept(answer([event(6, '/a'), event(7, '/b')]));
    watcher.end(new KVError('closed', 'too late'));
    assert.deepEqual([seen, calls], [[6], ['over']]);
  });

  it('ends if its receiver throws', () => {
    const fail = (): never => {
      throw new Error('receiver');
    };
    const { watcher, calls } = watched({ batch: fail });
    watcher.run();
    watcher.accept(answer([event(6, '/a'), event(7, '/b')]));
    assert.deepEqual(calls, ['over', 'ended unavailable']);
    const silent = watched({ progress: fail, ended: fail });
    silent.watcher.run();
    silent.watcher.progress(8);
    assert.deepEqual(silent.calls, ['over']);
  });
});
