import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resourceExpired } from '@binnacle/apimachinery/status';
import {
  decodeListOptions,
  parseRequestInfo,
  parseTarget,
  RequestContext,
  type ResponseStream,
  type WatchCut,
  type WatchCutEnd,
  type WebSocketUpgrade,
} from '../request/index.js';
import {
  configMap,
  describeWatchCacheModes,
  FakeExchange,
  type TestResource,
  testResource,
  testScope,
} from '../testing/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import type { EventSequence } from '../cacher/index.js';
import type { ResourceEndpoint } from './endpoint.js';
import { selectionOf } from './selection.js';
import { serveWatch } from './watch.js';

/** A client whose reads the test controls. */
class Client extends FakeExchange {
  /** The bytes it accepts before it stalls. */
  window = Number.POSITIVE_INFINITY;
  received = 0;
  broken = false;
  #drained: (() => void)[] = [];

  override respondStream(status: number, headers: Readonly<Record<string, string>>): ResponseStream {
    const stream = super.respondStream(status, headers);
    const write = (chunk: Uint8Array | string): boolean => {
      stream.write(chunk);
      this.received += chunk.length;
      return this.received <= this.window;
    };
    return {
      pendingBytes: 0,
      write,
      writeAll: (chunks) => write(Buffer.concat(chunks)),
      drained: () => new Promise((resolve) => this.#drained.push(resolve)),
      end: () => stream.end(),
      destroy: () => {
        this.broken = true;
      },
    };
  }

  read(): void {
    this.window = Number.POSITIVE_INFINITY;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** One line per event: `TYPE name version`. */
  get events(): string[] {
    return this.body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { type, object } = JSON.parse(line) as {
          type: string;
          object: { metadata: { name?: string; resourceVersion?: string } };
        };
        return [type, object.metadata.name, object.metadata.resourceVersion]
          .filter((part) => part !== undefined)
          .join(' ');
      });
  }
}

/** A client that requests an upgrade to WebSocket. */
class WebSocketClient extends Client {
  readonly messages: string[] = [];
  readonly webSocket: WebSocketUpgrade;

  constructor(handshakeIsGood: boolean) {
    super({});
    this.webSocket = {
      open: () => Promise.reject(new Error('a watch reads no messages')),
      accept: async () => {
        const stream = this.respondStream(handshakeIsGood ? 101 : 400, {});
        if (!handshakeIsGood) return undefined;
        return {
          ...stream,
          write: (chunk) => {
            this.messages.push(String(chunk));
            return stream.write(chunk);
          },
          writeAll: (chunks) => {
            for (const chunk of chunks) this.messages.push(String(chunk));
            return stream.writeAll(chunks);
          },
        };
      },
    };
  }
}

type Changes = Pick<ResourceEndpoint, 'initialEventsSent'>;

function open(resource: TestResource, query = '', accept = '', changes: Changes = {}) {
  const client = new Client({ headers: accept === '' ? {} : { accept } });
  return { client, done: openFor(client, resource, query, { changes }) };
}

interface Hooks {
  readonly cut?: WatchCut | undefined;
  readonly initialized?: (() => void) | undefined;
  readonly changes?: Changes;
}

async function openFor(
  client: Client,
  resource: TestResource,
  query = '',
  { cut, initialized = () => undefined, changes = {} }: Hooks = {},
): Promise<void> {
  const url = `/api/v1/namespaces/default/configmaps?watch=1${query}`;
  const { path, query: parameters } = parseTarget(url);
  const context = new RequestContext(client, path, parameters, resource.clock.monotonic());
  context.info = parseRequestInfo('GET', path, parameters);
  context.watchCut = cut;
  context.watchInitialized = initialized;
  const options = decodeListOptions(parameters);
  const selection = await selectionOf(resource.endpoint, context.info, options);
  const endpoint = { ...resource.endpoint, ...changes };
  const representation = negotiateRepresentation(context, endpoint.main.codec, { stream: true });
  return serveWatch(context, endpoint, options, selection, representation);
}

async function create(resource: TestResource, name: string, data = ''): Promise<number> {
  return (await resource.store.create(testScope(), configMap(name, { data: { data } }))).revision;
}

async function settle(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const gone = new DOMException('the client has gone', 'AbortError');

describeWatchCacheModes('serveWatch', (mode) => {
  it('sends the current objects, then changes', async () => {
    await using resource = testResource(mode);
    const a = await create(resource, 'a');
    const { client, done } = open(resource);
    await settle();
    const b = await create(resource, 'b');
    await resource.store.delete(testScope(), 'a', {});
    await settle();
    assert.deepEqual(client.events, [`ADDED a ${a}`, `ADDED b ${b}`, `DELETED a ${b + 1}`]);
    client.abort(gone);
    await done;
    assert.equal(client.ended, true);
  });

  it('begins with the current objects for any spelling of zero', async () => {
    await using resource = testResource(mode);
    const a = await create(resource, 'a');
    const { client, done } = open(resource, '&resourceVersion=00&allowWatchBookmarks=1');
    await settle();
    assert.deepEqual(client.events, [`ADDED a ${a}`]);
    client.abort(gone);
    await done;
  });

  it('reports a revision that the server does not reach in an event', async () => {
    await using resource = testResource(mode);
    const client = new Client({});
    const initial = '&sendInitialEvents=1&resourceVersionMatch=NotOlderThan';
    const done = openFor(client, resource, `${initial}&resourceVersion=9000000`);
    await settle();
    await resource.clock.advance(3000);
    await done;
    assert.deepEqual([client.status, client.ended], [200, true]);
    assert.match(client.body, /^\{"type":"ERROR","object":\{.*"Timeout: Too large resource version: 9000000,/);
  });

  it('sends every event as a separate WebSocket message', async () => {
    await using resource = testResource(mode);
    for (const name of ['a', 'b', 'c']) await create(resource, name);
    const client = new WebSocketClient(true);
    const done = openFor(client, resource);
    await settle();
    assert.deepEqual(
      client.messages.map((message) => message.slice(0, 15)),
      Array.from({ length: 3 }, () => '{"type":"ADDED"'),
    );
    assert.ok(client.messages.every((message) => message.indexOf('\n') === message.length - 1));
    client.abort(gone);
    await done;
    assert.equal(client.ended, true);
  });

  it('opens no watch when the WebSocket does not open', async () => {
    await using resource = testResource(mode);
    const client = new WebSocketClient(false);
    await openFor(client, resource);
    assert.equal(client.status, 400);
    assert.equal(client.body, '');
  });

  it('marks the end of the initial events right after them', async () => {
    await using resource = testResource(mode);
    const a = await create(resource, 'a');
    const watch = resource.reader.watch.bind(resource.reader);
    // One more event arrives between the opening of the watch and its first piece.
    resource.reader.watch = async (...parameters) => {
      const opened = await watch(...parameters);
      await create(resource, 'b');
      return opened;
    };
    const { client, done } = open(
      resource,
      '&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan',
    );
    await settle();
    assert.deepEqual(client.events, [`ADDED a ${a}`, `BOOKMARK ${a}`, `ADDED b ${a + 1}`]);
    assert.match(client.body, /"annotations":\{"k8s.io\/initial-events-end":"true"\}/);
    client.abort(gone);
    await done;
  });

  it('tells when the client has the bookmark that it asked for after the initial events', async () => {
    await using resource = testResource(mode);
    await create(resource, 'a');
    const initial = '&sendInitialEvents=1&resourceVersionMatch=NotOlderThan';
    for (const [query, isTold] of [
      ['&resourceVersion=1&allowWatchBookmarks=1', false],
      [initial, false],
      [`${initial}&allowWatchBookmarks=1`, true],
    ] as const) {
      const told: string[] = [];
      const initialEventsSent: Changes['initialEventsSent'] = (info, milliseconds) =>
        told.push(`${info.resource} ${milliseconds}`);
      const { client, done } = open(resource, query, '', { initialEventsSent });
      await settle();
      client.abort(gone);
      await done;
      assert.deepEqual(told, isTold ? ['configmaps 0'] : [], query);
    }
  });

  it('ends early when the server asks, after the events already passed', async () => {
    await using resource = testResource(mode);
    const a = await create(resource, 'a');
    const b = await create(resource, 'b');
    const endings: [WatchCutEnd, string[]][] = [
      [{ error: undefined, isBroken: false }, []],
      [{ error: undefined, isBroken: true }, []],
      [{ error: resourceExpired('gone'), isBroken: false }, ['ERROR']],
    ];
    for (const [end, last] of endings) {
      const cut = { wake: () => undefined as void, end: undefined as WatchCutEnd | undefined };
      const client = new Client({});
      const watchCut: WatchCut = {
        opened: (wake) => {
          cut.wake = wake;
        },
        pass: () => 1,
        get end() {
          return cut.end;
        },
      };
      const done = openFor(client, resource, '', { cut: watchCut });
      await settle();
      assert.deepEqual(client.events, [`ADDED a ${a}`], `${b} is held back`);
      cut.end = end;
      cut.wake();
      await done;
      assert.deepEqual(client.events.slice(1), last);
      assert.deepEqual([client.broken, client.ended], [end.isBroken, !end.isBroken]);
    }
  });

  it('sends a bookmark with the revision of the whole store before its timeout', async () => {
    await using resource = testResource(mode);
    await resource.cacher.ready();
    const { client, done } = open(resource, '&allowWatchBookmarks=1&resourceVersion=1&timeoutSeconds=30');
    const pass = async (seconds: number): Promise<void> => {
      await settle();
      await resource.clock.advance(seconds * 1000);
    };
    await resource.kv.txn({ key: '/other', expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
    const revision = await resource.storage.currentRevision();
    await pass(28);
    assert.deepEqual(client.events, [`BOOKMARK ${revision}`]);
    assert.equal(client.ended, false);
    await pass(2);
    await done;
    assert.equal(client.ended, true);
    assert.equal(client.events.length, 1);
  });

  it('waits any requested time', async () => {
    await using resource = testResource(mode);
    await resource.cacher.ready();
    const { client, done } = open(resource, '&resourceVersion=1&timeoutSeconds=99999999999');
    await settle();
    assert.equal(resource.clock.untilNext, 99_999_999_999_000);
    client.abort(gone);
    await done;
    assert.equal(resource.clock.waiting, 0);
  });

  it('sets no timer for an event', async () => {
    await using resource = testResource(mode);
    await resource.cacher.ready();
    const { client, done } = open(resource, '&resourceVersion=1&timeoutSeconds=30');
    await settle();
    const timers = resource.clock.waiting;
    const set: number[] = [];
    const setTimer = resource.clock.setTimer.bind(resource.clock);
    resource.clock.setTimer = (run, milliseconds) => {
      set.push(milliseconds);
      return setTimer(run, milliseconds);
    };
    for (const name of ['a', 'b', 'c']) {
      await create(resource, name);
      await settle();
    }
    assert.equal(client.events.length, 3);
    assert.deepEqual([set, resource.clock.waiting], [[], timers]);
    client.abort(gone);
    await done;
  });

  it('sends no bookmark older than the requested revision', async () => {
    await using resource = testResource(mode);
    await resource.cacher.ready();
    const { client, done } = open(resource, '&allowWatchBookmarks=1&resourceVersion=999&timeoutSeconds=30');
    await settle();
    await resource.clock.advance(30_000);
    await settle();
    await done;
    assert.deepEqual(client.events, []);
  });

  it('reports a revision that is too old', async () => {
    await using resource = testResource(mode);
    for (const name of ['a', 'b', 'c']) await create(resource, name);
    await resource.kv.compact(await resource.storage.currentRevision());
    const { client, done } = open(resource, '&resourceVersion=1');
    await done;
    assert.match(client.body, /^\{"type":"ERROR","object":\{"kind":"Status".*"reason":"Expired","code":410\}\}\n$/);
  });

  it('holds frames back from a client that does not read, and resumes when it does', async () => {
    await using resource = testResource(mode);
    const names = Array.from({ length: 60 }, (_, index) => `o${String(index).padStart(2, '0')}`);
    for (const [index, name] of names.entries()) await create(resource, name, 'x'.repeat(index < 40 ? 1000 : 50_000));
    const { client, done } = open(resource);
    client.window = 1;
    await settle();
    // Many watches wait at once, each with as much.
    assert.ok(client.received > 0 && client.received <= 17_000, `${client.received} bytes are on their way`);
    client.read();
    await settle(30);
    assert.deepEqual(
      client.events.map((line) => line.split(' ')[1]),
      names,
    );
    client.abort(gone);
    await done;
  });

  it('gives its seats back when the first events are sent, or when the client does not read them', async () => {
    await using resource = testResource(mode);
    for (const name of ['a', 'b']) await create(resource, name, 'x'.repeat(20_000));
    for (const [window, seconds] of [
      [Number.POSITIVE_INFINITY, 0],
      [1, 1],
    ] as const) {
      const client = new Client({});
      client.window = window;
      let initialized = 0;
      const done = openFor(client, resource, '', { initialized: () => void initialized++ });
      await settle();
      assert.equal(initialized, 1 - seconds);
      await resource.clock.advance(seconds * 1000);
      assert.equal(initialized, 1);
      client.read();
      await settle();
      assert.deepEqual([initialized, client.events.length], [1, 2]);
      client.abort(gone);
      await done;
    }
  });

  it('disconnects a client that falls behind, without a gap before', async () => {
    await using resource = testResource({ ...mode, cacher: { watcherCapacity: 5 } });
    await resource.cacher.ready();
    const { client, done } = open(resource, '&resourceVersion=1');
    client.window = 1;
    await settle();
    const first = await create(resource, 'a');
    await settle();
    for (let index = 0; index < 10; index++) await create(resource, `b${index}`);
    await settle();
    assert.equal(client.broken, false);
    await resource.clock.advance(5000);
    await done;
    assert.equal(client.broken, true);
    assert.deepEqual(client.events, [`ADDED a ${first}`]);
  });

  it('lets a slow client read the end', async () => {
    await using resource = testResource(mode);
    await resource.cacher.ready();
    const { client, done } = open(resource, '&resourceVersion=1');
    client.window = 1;
    await settle();
    await create(resource, 'a');
    await settle();
    client.abort(new Error('the server is shutting down'));
    await settle();
    assert.equal(client.ended, false);
    client.read();
    await done;
    assert.deepEqual([client.ended, client.broken], [true, false]);
  });

  it('sends metadata, and tables with columns only in the first', async () => {
    await using resource = testResource(mode);
    await create(resource, 'a');
    const metadata = open(resource, '', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
    const table = open(resource, '', 'application/json;as=Table;v=v1;g=meta.k8s.io');
    await settle(30);
    await create(resource, 'b');
    await settle(30);
    const lines = (client: Client) =>
      client.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { object: Record<string, unknown> });
    for (const { object } of lines(metadata.client)) {
      assert.deepEqual(Object.keys(object), ['kind', 'apiVersion', 'metadata']);
      assert.equal(object.kind, 'PartialObjectMetadata');
    }
    const [first, second] = lines(table.client);
    assert.ok(Array.isArray(first?.object.columnDefinitions));
    assert.equal(second?.object.columnDefinitions, null);
    assert.ok(second !== undefined);
    assert.deepEqual((second.object.rows as { cells: unknown[] }[])[0]?.cells.slice(0, 2), ['b', 1]);
    for (const { client, done } of [metadata, table]) {
      client.abort(gone);
      await done;
    }
  });

  it('sends a bookmark in a table as one row with its annotation, whatever includeObject says', async () => {
    await using resource = testResource(mode);
    const query = '&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan';
    for (const include of ['Metadata', 'None', 'Object']) {
      const { client, done } = open(
        resource,
        `${query}&includeObject=${include}`,
        'application/json;as=Table;v=v1;g=meta.k8s.io',
      );
      await settle(30);
      const { type, object } = JSON.parse(client.body) as {
        type: string;
        object: { kind: string; rows: { cells: unknown[]; object: KubernetesObject }[] };
      };
      assert.deepEqual([type, object.kind, object.rows.length], ['BOOKMARK', 'Table', 1]);
      const [row] = object.rows;
      assert.deepEqual(row?.cells, ['', 0, '<unknown>']);
      assert.equal(row.object.kind, include === 'Object' ? 'ConfigMap' : 'PartialObjectMetadata');
      assert.deepEqual(row.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
      client.abort(gone);
      await done;
    }
  });

  it('keeps none of the events that it has sent', async () => {
    await using resource = testResource(mode);
    for (const name of ['a', 'b', 'c']) await create(resource, name);
    const { reader } = resource;
    const watch = reader.watch.bind(reader);
    const sent: WeakRef<EventSequence>[] = [];
    // Recent changes stay in the window of the cacher, but the initial events belong to the watch alone.
    reader.watch = async (...parameters) => {
      const opened = await watch(...parameters);
      const { watcher } = opened;
      const take = watcher.take.bind(watcher);
      watcher.take = () => {
        const events = take();
        sent.push(new WeakRef(events));
        return events;
      };
      return opened;
    };
    const { client, done } = open(resource);
    await settle();
    assert.deepEqual([client.events.length, sent.length], [3, 1]);
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    await settle();
    (runInNewContext('gc') as () => void)();
    assert.deepEqual(
      sent.map((each) => each.deref()?.length),
      [undefined],
    );
    client.abort(gone);
    await done;
  });

  it('leaves nothing behind when the client disconnects before the watch is open', async () => {
    await using resource = testResource(mode);
    await create(resource, 'a');
    const { client, done } = open(resource);
    client.abort(gone);
    await done;
    assert.equal(client.ended, true);
  });
});
