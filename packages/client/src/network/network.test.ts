import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { Network, type NetworkClient, type SendToServer } from './network.js';
import { WatchStream } from './watch-stream.js';

const client: NetworkClient = { user: 'u', groups: [], isLoop: true, killed: new AbortController().signal };
const WATCH = { method: 'GET', path: '/api/v1/pods?watch=true', headers: {} };
const WRITE = { method: 'POST', path: '/api/v1/namespaces/default/pods', headers: {} };

/** A server that answers each write, and sends an event of `bytes` to the watches that `receives` names by their numbers. */
function serverOf(receives: (watch: number) => boolean, event = Buffer.from('{}\n')): SendToServer {
  const watches: ((event: Uint8Array) => void)[] = [];
  return async ({ method }, signal) => {
    if (method !== 'GET') {
      watches.forEach((send, index) => receives(index) && send(event));
      return { status: 200, headers: {}, body: bodyOf([Buffer.from('{}')]) };
    }
    let wake: () => void = () => undefined;
    const events: Uint8Array[] = [];
    watches.push((sent) => {
      events.push(sent);
      wake();
    });
    signal?.addEventListener('abort', () => wake());
    return {
      status: 200,
      headers: {},
      body: endless(
        events,
        (resolve) => (wake = resolve),
        () => signal?.aborted === true,
      ),
    };
  };
}

async function* bodyOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* endless(
  events: Uint8Array[],
  waits: (resolve: () => void) => void,
  isOver: () => boolean,
): AsyncGenerator<Uint8Array> {
  while (!isOver()) {
    const event = events.shift();
    if (event !== undefined) yield event;
    else await new Promise<void>(waits);
  }
}

function networkOf(send: SendToServer): Network {
  const clock = new VirtualClock();
  return new Network({ server: { send }, clock, random: seededRandom(1), faults: {}, onWrite: async () => undefined });
}

/** Opens watches, and adds the number of each to `received` for every event that it gets. */
async function openWatches(network: Network, count: number, received: number[]): Promise<AbortController> {
  const end = new AbortController();
  for (let index = 0; index < count; index++) {
    const { body } = await network.send(client, WATCH, { signal: end.signal });
    const read = async (): Promise<void> => {
      for await (const _ of body) received.push(index);
    };
    void read().catch(() => undefined);
  }
  await network.settled();
  return end;
}

describe('Network', () => {
  it('hands events over in the order in which the watches were opened, and looks at no other watch', async (context) => {
    const received: number[] = [];
    const network = networkOf(serverOf((watch) => watch === 4 || watch === 2));
    const end = await openWatches(network, 6, received);
    const { mock } = context.mock.method(WatchStream.prototype, 'flush');
    await network.send(client, WRITE, {});
    await network.settled();
    assert.deepEqual(received, [2, 4]);
    assert.equal(mock.callCount(), 2);
    end.abort();
    await network.settled();
  });

  it('looks for other work once for each who waits, after the last request', async (context) => {
    const looks = async (waiting: number): Promise<number> => {
      const network = networkOf(serverOf(() => false));
      // At rest after one look, whatever other tests of this process have left under way.
      const { mock } = context.mock.method(process, 'getActiveResourcesInfo', () => []);
      const sent = network.send(client, WRITE, {});
      await Promise.all(Array.from({ length: waiting }, () => network.settled()));
      await sent;
      context.mock.restoreAll();
      return mock.callCount();
    };
    assert.equal((await looks(5)) - (await looks(1)), 4);
  });
});
