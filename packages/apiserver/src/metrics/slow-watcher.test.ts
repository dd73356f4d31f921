import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { ResourceRouter } from '../endpoints/index.js';
import {
  parseRequestInfo,
  parseTarget,
  RequestContext,
  type ResponseHeaders,
  type ResponseStream,
} from '../request/index.js';
import { configMap, FakeExchange, testResource, testScope } from '../testing/index.js';
import { ResourceMetrics } from './resource-metrics.js';
import { readStorages } from './storage-readings.js';

const CAPACITY = 50;
const WATCHERS = 500;
const WRITES = 120;
const RESOURCE = { group: '', resource: 'configmaps' };

/** A client that reads nothing until the test lets it. */
class StalledExchange extends FakeExchange {
  #read: () => void = () => undefined;
  readonly #reading = new Promise<void>((resolve) => {
    this.#read = resolve;
  });

  override respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    const stream = super.respondStream(status, headers);
    return {
      ...stream,
      write: (chunk) => {
        stream.write(chunk);
        return false;
      },
      writeAll: (chunks) => {
        stream.writeAll(chunks);
        return false;
      },
      drained: () => this.#reading,
    };
  }

  read(): void {
    this.#read();
  }
}

describe('a watch whose client does not read', () => {
  it('is ended and counted, and affects neither the writer nor 499 other watches', async () => {
    await using test = testResource({ cacher: { watcherCapacity: CAPACITY } });
    const registry = new MetricRegistry();
    const eventSent = new ResourceMetrics(registry, test.clock).watchEvents({ ...RESOURCE, version: 'v1' });
    readStorages({
      registry,
      storages: () => [{ resource: RESOURCE, storage: test.storage, cacher: test.cacher }],
      sizeBytes: () => Promise.resolve(0),
      clock: test.clock,
    });
    const router = new ResourceRouter(() => true);
    router.add({ ...test.endpoint, eventSent });
    const watch = async (exchange: FakeExchange): Promise<void> => {
      const { path, query } = parseTarget(exchange.url);
      const context = new RequestContext(exchange, path, query, test.clock.monotonic());
      context.info = parseRequestInfo(exchange.method, path, query);
      await router.handlerFor(context.info)?.(context);
    };
    const request = { url: '/api/v1/configmaps?watch=1' };
    const stalled = new StalledExchange(request);
    const others = Array.from({ length: WATCHERS - 1 }, () => new FakeExchange(request));
    const watching = [stalled, ...others].map(watch);
    while (test.cacher.watching < WATCHERS) await turn();

    const expected: string[] = [];
    for (let index = 0; index < WRITES; index++) {
      const name = `o${index}`;
      await test.store.create(testScope(), configMap(name));
      expected.push(name);
      // Lets the other clients read; the stalled one does not.
      await turn();
    }
    const namesIn = ({ body }: FakeExchange): string[] =>
      Array.from(body.matchAll(/"metadata":\{"name":"(\w+)"/g), ([, name = '']) => name);
    while (others.some((exchange) => namesIn(exchange).length < WRITES)) await turn();
    for (const exchange of others) assert.deepEqual(namesIn(exchange), expected);
    assert.equal(test.cacher.watching, WATCHERS - 1);

    stalled.read();
    await watching[0];
    assert.equal(stalled.ended, true, 'a clean end, so that the client resumes');
    const sent = namesIn(stalled);
    assert.deepEqual(sent, expected.slice(0, sent.length), 'nothing is left out before it');
    assert.ok(sent.length < WRITES);
    const lines = formatText(await registry.gather()).split('\n');
    const labels = 'group="",resource="configmaps"';
    assert.ok(lines.includes(`apiserver_terminated_watchers_total{${labels}} 1`));
    const delivered = (WATCHERS - 1) * WRITES + sent.length;
    assert.ok(lines.includes(`apiserver_watch_events_total{${labels},version="v1"} ${delivered}`));
    assert.ok(lines.includes(`apiserver_watch_cache_events_dispatched_total{${labels}} ${WRITES}`));
    assert.ok(lines.includes(`apiserver_resource_objects{${labels}} ${WRITES}`));
    for (const exchange of others) exchange.abort(new Error('the test is over'));
    await Promise.all(watching);
  });
});
