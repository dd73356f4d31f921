import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Client, status } from '@grpc/grpc-js';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { KVError } from '../../interface/index.js';
import { Authentication } from '../connection/authentication.js';
import { FakeMember, FakeMembers, serviceError } from '../fake-member.testing.js';
import { ALL_WATCHES, type WatchedEvent } from '../messages/watch-messages.js';
import { Watches, type WatchesContext } from './watches.js';

const event = (revision: number, key = '/a'): WatchedEvent => ({
  deleted: false,
  current: { key, value: Buffer.from('x'), createRevision: revision, modRevision: revision },
  previous: undefined,
});

/** Watches over two members, and what a watch has received. */
function watching(context: Partial<WatchesContext> = {}, { login = false } = {}) {
  const clock = new VirtualClock();
  const [first, second] = [new FakeMember(() => undefined), new FakeMember(() => undefined)];
  const members = new FakeMembers(first, second);
  let logins = 0;
  const user = login ? { user: 'root', password: 'secret' } : undefined;
  const authentication = new Authentication(user, async () => `token ${++logins}`);
  const watches = new Watches({
    members,
    authentication,
    isCompacted: async () => false,
    progressIsReliable: async () => true,
    clock,
    random: seededRandom(1),
    ...context,
  });
  const seen: string[] = [];
  const stop = new AbortController();
  const add = (prefix = '/', fromRevision = 5, signal = stop.signal): void => {
    watches.add(
      { prefix, fromRevision },
      {
        batch: ({ revision, events }) => seen.push(`${revision} ${events.map(({ key }) => key).join(' ')}`),
        progress: (revision) => seen.push(`progress ${revision}`),
        ended: (error) => seen.push(`${error instanceof KVError ? error.code : 'error'}: ${error.message}`),
      },
      signal,
    );
  };
  /** Lets everything run that needs no time. */
  const settle = () => clock.advance(0);
  /** Adds a watch that etcd confirms. */
  const start = async (): Promise<void> => {
    add();
    await settle();
    first.stream.answer({ created: true });
    await settle();
  };
  return { watches, clock, first, second, members, seen, stop, add, settle, start, logins: () => logins };
}

describe('a watch', () => {
  it('asks for what follows its revision, and delivers once its history is confirmed', async () => {
    const asked: number[] = [];
    const { add, settle, first, seen } = watching({
      isCompacted: async (revision) => {
        asked.push(revision);
        return false;
      },
    });
    add('/a/', 5);
    await settle();
    const [created] = first.stream.written;
    assert.deepEqual(created, {
      type: 'create',
      watchId: 1,
      key: Buffer.from('/a/'),
      rangeEnd: Buffer.from('/a0'),
      startRevision: 6,
      withPrevious: true,
    });
    first.stream.answer({ events: [event(7, '/a/x')] });
    assert.deepEqual(seen, []);
    first.stream.answer({ created: true });
    await settle();
    assert.deepEqual([asked, seen], [[5], ['7 /a/x']]);
  });

  it('shares the stream with others, and each gets its own events', async () => {
    const { add, start, settle, first, seen } = watching();
    await start();
    add('/b', 6);
    first.stream.answer({ watchId: 2, created: true });
    await settle();
    first.stream.answer({ watchId: 2, events: [event(8, '/b')] });
    first.stream.answer({ watchId: 3, events: [event(9, '/c')] });
    first.stream.answer({ watchId: 1, events: [event(10)] });
    assert.deepEqual(seen, ['8 /b', '10 /a']);
    assert.equal(first.streams.length, 1);
  });

  it('of an aborted signal never begins', async () => {
    const { add, settle, first } = watching();
    add('/', 5, AbortSignal.abort());
    await settle();
    assert.equal(first.streams.length, 0);
  });

  it('is canceled when its signal fires, and says nothing more', async () => {
    const { start, stop, first, seen } = watching();
    await start();
    stop.abort();
    assert.deepEqual(first.stream.written.at(-1), { type: 'cancel', watchId: 1 });
    first.stream.answer({ events: [event(7)] });
    assert.deepEqual(seen, []);
  });
});

describe('a broken stream', () => {
  it('is replaced, and a watch continues after what it has delivered', async () => {
    const { start, settle, clock, first, seen } = watching();
    await start();
    first.stream.answer({ events: [event(7)] });
    const broken = first.stream;
    broken.emit('error', serviceError('etcdserver: no leader', status.UNKNOWN));
    assert.ok(broken.isCanceled);
    await clock.advance(100);
    assert.notEqual(first.stream, broken);
    assert.deepEqual(
      first.stream.written.map((call) => call.type === 'create' && call.startRevision),
      [8],
    );
    broken.answer({ events: [event(8, '/old')] });
    first.stream.answer({ created: true });
    await settle();
    first.stream.answer({ events: [event(8)] });
    assert.deepEqual(seen, ['7 /a', '8 /a']);
  });

  it('whose connection failed moves the watches to the next member', async () => {
    const { start, clock, first, second, members } = watching();
    await start();
    first.stream.emit('error', serviceError('Connection dropped', status.UNAVAILABLE));
    await clock.advance(100);
    assert.deepEqual(members.failures, [first.client]);
    assert.equal(second.stream.written.length, 1);
  });

  it('is also one that etcd ends, or whose connection is being closed', async () => {
    for (const end of ['end', 'disconnect']) {
      const { start, clock, first } = watching();
      await start();
      if (end === 'end') first.stream.emit('end');
      else first.disconnect();
      await clock.advance(100);
      assert.equal(first.streams.length, 2, end);
    }
  });

  it('with an old token is replaced by one with a new token', async () => {
    const { start, clock, first, logins } = watching({}, { login: true });
    await start();
    first.stream.emit('error', serviceError('etcdserver: invalid auth token', status.UNAUTHENTICATED));
    await clock.advance(100);
    assert.deepEqual([logins(), first.stream.token], [1, 'token 1']);
  });

  it('is replaced after longer and longer pauses, unless it has lasted', async () => {
    const { add, clock, first } = watching();
    add();
    await clock.advance(0);
    const pause = async (): Promise<number> => {
      const count = first.streams.length;
      first.stream.emit('error', new Error('broken'));
      let waited = 0;
      for (; first.streams.length === count; waited++) await clock.advance(1);
      return waited;
    };
    const pauses: number[] = [];
    for (let count = 0; count < 8; count++) pauses.push(await pause());
    assert.ok((pauses.at(-1) ?? 0) >= 1000, pauses.join());
    await clock.advance(2001);
    const afterLong = await pause();
    assert.ok(afterLong <= 39, `${afterLong} ms, at most three times 12.5 ms`);
  });

  it('is not replaced without watches', async () => {
    const { start, stop, clock, first } = watching();
    await start();
    stop.abort();
    first.stream.emit('error', new Error('broken'));
    await clock.advance(5000);
    assert.equal(first.streams.length, 1);
  });

  it('is opened once members can be reached', async () => {
    const clock = new VirtualClock();
    const member = new FakeMember(() => undefined);
    let attempts = 0;
    const members = Object.assign(new FakeMembers(), {
      ready: (): Promise<Client> =>
        attempts++ === 0 ? Promise.reject(new KVError('unavailable', 'no')) : Promise.resolve(member.client),
    });
    const { add } = watching({ members, clock });
    add();
    await clock.advance(100);
    assert.equal(member.stream.written.length, 1);
  });
});

describe('a watch that etcd refuses', () => {
  it('ends as compacted when it begins before the oldest revision', async () => {
    const { add, settle, first, seen } = watching();
    add();
    await settle();
    first.stream.answer({ watchId: ALL_WATCHES, created: true, canceled: true, compactRevision: 9 });
    assert.deepEqual(seen, ['compacted: revision 5 has been compacted, the oldest is 9']);
  });

  it('ends as compacted when its own revision is, of which etcd accepts a watch', async () => {
    const { start, seen } = watching({ isCompacted: async () => true });
    await start();
    assert.deepEqual(seen, ['compacted: revision 5 has been compacted, the oldest is newer']);
  });

  it('ends with the reason', async () => {
    const { start, first, seen } = watching();
    await start();
    first.stream.answer({ canceled: true, cancelReason: 'etcdserver: permission denied' });
    assert.deepEqual(seen, ['unavailable: etcd ended the watch of "/": etcdserver: permission denied']);
  });

  it('gets one new token', async () => {
    const { add, settle, clock, first, seen, logins } = watching({}, { login: true });
    add();
    await settle();
    const refuse = () =>
      first.stream.answer({ watchId: ALL_WATCHES, created: true, canceled: true, cancelReason: 'permission denied' });
    refuse();
    await clock.advance(100);
    assert.deepEqual([logins(), first.streams.length, first.stream.token, seen], [1, 2, 'token 1', []]);
    refuse();
    assert.match(seen.join(), /^unavailable: etcd ended the watch/);
  });

  it('ends when the login fails', async () => {
    const authentication = new Authentication({ user: 'root', password: '' }, () => Promise.reject(new Error('no')));
    const { start, settle, first, seen } = watching({ authentication });
    await start();
    first.stream.answer({ canceled: true, cancelReason: 'invalid auth token' });
    await settle();
    assert.deepEqual(seen, ['unavailable: etcd rejected the credentials of the watch']);
  });

  it('ends when its history may not be read, and starts again when it cannot be', async () => {
    const denied = serviceError('etcdserver: permission denied', status.PERMISSION_DENIED);
    const forbidden = watching({ isCompacted: () => Promise.reject(denied) });
    await forbidden.start();
    const words = 'unavailable: etcd does not allow reading its history: etcdserver: permission denied';
    assert.deepEqual(forbidden.seen, [words]);
    const broken = watching({ isCompacted: () => Promise.reject(new KVError('unavailable', 'silence')) });
    await broken.start();
    await broken.clock.advance(100);
    assert.deepEqual([broken.seen, broken.first.streams.length], [[], 2]);
  });
});

describe('progress', () => {
  it('is requested, and passed to all watches, where the answer of the member can be trusted', async () => {
    const { watches, start, first, seen } = watching();
    assert.equal(watches.requestProgress(), false, 'without a stream');
    await start();
    assert.equal(watches.requestProgress(), true);
    assert.deepEqual(first.stream.written.at(-1), { type: 'progress' });
    first.stream.answer({ watchId: ALL_WATCHES, revision: 20 });
    assert.deepEqual(seen, ['progress 20']);
  });

  it('is not trusted from other members', async () => {
    for (const progressIsReliable of [async () => false, () => Promise.reject(new Error('unknown'))]) {
      const { watches, start, first, seen } = watching({ progressIsReliable });
      await start();
      assert.equal(watches.requestProgress(), false);
      first.stream.answer({ watchId: ALL_WATCHES, revision: 20 });
      assert.deepEqual(seen, []);
    }
  });
});

it('closing ends all watches and their stream', async () => {
  const { watches, start, clock, first, seen } = watching();
  await start();
  watches.close();
  await clock.advance(5000);
  assert.deepEqual(seen, ['closed: the store has been closed']);
  assert.deepEqual([first.stream.isCanceled, first.streams.length], [true, 1]);
});
