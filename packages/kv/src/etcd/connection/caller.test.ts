import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { status } from '@grpc/grpc-js';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type FakeCall, FakeMember, FakeMembers, serviceError } from '../fake-member.testing.js';
import { authenticateMethod } from '../messages/cluster-messages.js';
import { rangeMethod, txnMethod } from '../messages/kv-messages.js';
import { Caller } from './caller.js';

const key = Buffer.from('a');
const unavailable = () => serviceError('Connection dropped', status.UNAVAILABLE);
const notSent = () => serviceError('No connection established. Last error: refused', status.UNAVAILABLE);

/** A caller of one member that answers with these steps in order, and then repeats the last one. */
function callerOf(steps: readonly unknown[], { login = false } = {}) {
  const clock = new VirtualClock();
  const left = [...steps];
  const respond = ({ path }: FakeCall): unknown => {
    if (path === authenticateMethod.path) return `token ${member.calls.length}`;
    const step = left.length > 1 ? left.shift() : left[0];
    if (step instanceof Error) throw step;
    return step;
  };
  const member = new FakeMember(respond);
  const members = new FakeMembers(member);
  const user = login ? { user: 'root', password: 'secret' } : undefined;
  return { clock, member, members, caller: new Caller(members, user, 1000, clock) };
}

const settings = { timeoutMilliseconds: 1000 };

describe('a request', () => {
  it('is answered', async () => {
    const { caller, member } = callerOf(['answer']);
    assert.equal(await caller.call(rangeMethod, { key }, settings), 'answer');
    assert.deepEqual(member.calls, [{ path: rangeMethod.path, request: { key }, token: '' }]);
  });

  it('that was not sent is sent again, with longer and longer pauses', async () => {
    const { caller, clock, member, members } = callerOf([notSent(), notSent(), 'answer']);
    members.failed = () => undefined;
    const answered = caller.call(txnMethod, { key, expectedRevision: 0 }, settings);
    const counts: number[] = [];
    for (const milliseconds of [24, 1, 49, 1]) {
      await clock.advance(milliseconds);
      counts.push(member.calls.length);
    }
    assert.deepEqual(counts, [1, 2, 2, 3]);
    assert.equal(await answered, 'answer');
  });

  it('that may have happened is repeated only if it is a read', async () => {
    const write = callerOf([unavailable(), 'answer']);
    await assert.rejects(write.caller.call(txnMethod, { key, expectedRevision: 0 }, settings), /Connection dropped/);
    assert.equal(write.member.calls.length, 1);
    const read = callerOf([unavailable(), 'answer']);
    read.members.failed = () => undefined;
    const answered = read.caller.call(rangeMethod, { key }, settings);
    await read.clock.advance(25);
    assert.equal(await answered, 'answer');
  });

  it('that fails with its connection goes to the next member', async () => {
    const clock = new VirtualClock();
    const [first, second] = [new FakeMember(() => Promise.reject(unavailable())), new FakeMember(() => 'second')];
    const members = new FakeMembers(first, second);
    const answered = new Caller(members, undefined, 1000, clock).call(rangeMethod, { key }, settings);
    await clock.advance(25);
    assert.equal(await answered, 'second');
    assert.deepEqual(members.failures, [first.client]);
  });

  it('that etcd refuses fails at once, and its member stays in use', async () => {
    const { caller, member, members } = callerOf([
      serviceError('etcdserver: permission denied', status.PERMISSION_DENIED),
    ]);
    await assert.rejects(caller.call(rangeMethod, { key }, settings), /permission denied/);
    assert.deepEqual([member.calls.length, members.failures], [1, []]);
  });

  it('ends when its deadline leaves no time for a pause', async () => {
    const { caller, clock, member, members } = callerOf([notSent()]);
    members.failed = () => undefined;
    const failed = assert.rejects(caller.call(rangeMethod, { key }, { timeoutMilliseconds: 100 }), /refused/);
    await clock.advance(1000);
    await failed;
    assert.equal(member.calls.length, 3, 'at 0, 25 and 75 ms');
  });

  it('ends with its signal, sent or between attempts', async () => {
    for (const steps of [[new Promise(() => undefined)], [notSent()]]) {
      const { caller, clock, members } = callerOf(steps);
      members.failed = () => undefined;
      const controller = new AbortController();
      const call = caller.call(rangeMethod, { key }, { ...settings, signal: controller.signal });
      const ended = assert.rejects(call, /^Error: the client has left$/);
      await clock.advance(1);
      controller.abort(new Error('the client has left'));
      await ended;
      assert.equal(clock.waiting, 0);
    }
  });

  it('without an answer is unavailable', async () => {
    const { caller } = callerOf([undefined]);
    await assert.rejects(caller.call(rangeMethod, { key }, settings), {
      code: 'unavailable',
      message: 'etcd gave no answer to /etcdserverpb.KV/Range',
    });
  });
});

describe('a request without a connected member', () => {
  const unconnected = () => {
    const clock = new VirtualClock();
    return { clock, caller: new Caller(new FakeMembers(), undefined, 1000, clock) };
  };

  it('waits until its deadline', async () => {
    const { caller, clock } = unconnected();
    const late = assert.rejects(caller.call(rangeMethod, { key }, settings), {
      code: 'unavailable',
      message: 'etcd: none can be reached',
    });
    await clock.advance(1000);
    await late;
  });

  it('waits until its signal fires', async () => {
    const { caller, clock } = unconnected();
    const controller = new AbortController();
    const call = caller.call(rangeMethod, { key }, { ...settings, signal: controller.signal });
    const ended = assert.rejects(call, /the client has left/);
    controller.abort(new Error('the client has left'));
    await ended;
    assert.equal(clock.waiting, 0);
  });
});

describe('a request of a user', () => {
  const rejected = () => serviceError('etcdserver: invalid auth token', status.UNAUTHENTICATED);

  it('logs in when its token is rejected, and is sent again at once', async () => {
    const { caller, member } = callerOf([rejected(), 'answer'], { login: true });
    assert.equal(await caller.call(txnMethod, { key, expectedRevision: 0 }, settings), 'answer');
    assert.deepEqual(
      member.calls.map(({ path, token }) => [path, token]),
      [
        [txnMethod.path, ''],
        [authenticateMethod.path, ''],
        [txnMethod.path, 'token 2'],
      ],
    );
  });

  it('logs in once', async () => {
    const { caller, member } = callerOf([rejected()], { login: true });
    await assert.rejects(caller.call(rangeMethod, { key }, settings), /invalid auth token/);
    assert.equal(member.calls.filter(({ path }) => path === authenticateMethod.path).length, 1);
  });

  it('needs no token when the cluster has no authentication', async () => {
    const member = new FakeMember(({ path, token }) => {
      if (path !== authenticateMethod.path) return `token ${JSON.stringify(token)}`;
      throw serviceError('etcdserver: authentication is not enabled', status.FAILED_PRECONDITION);
    });
    const caller = new Caller(new FakeMembers(member), { user: 'root', password: '' }, 1000, new VirtualClock());
    const { authentication } = caller;
    await authentication.renew(authentication.current);
    assert.equal(await caller.call(rangeMethod, { key }, settings), 'token ""');
  });

  it('fails when the login fails', async () => {
    const member = new FakeMember(({ path }) => {
      throw path === authenticateMethod.path ? serviceError('etcdserver: authentication failed') : rejected();
    });
    const caller = new Caller(new FakeMembers(member), { user: 'root', password: '' }, 1000, new VirtualClock());
    await assert.rejects(caller.call(rangeMethod, { key }, settings), {
      code: 'unavailable',
      message: 'etcd: authentication failed',
    });
  });
});
