import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { parseLabelSelector } from '@binnacle/apimachinery/labels';
import { DynamicClient } from '../dynamic/index.js';
import { frozen, VirtualClock, type ScriptedAnswer, ScriptedTransport, settle } from '../testing/index.js';
import type { TransportRequest } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { type InformerFactoryOptions, NotSyncedError, SharedInformerFactory } from './index.js';

interface Widget extends TypedObject {
  readonly spec?: { readonly size: number };
}
const Widget: ResourceType<Widget> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const pods = { group: '', version: 'v1', resource: 'pods' };

const widget = (name: string, namespace: string, size: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1', labels: { size: String(size) } },
  spec: { size },
});
const WIDGETS = [widget('a', 'x', 1), widget('b', 'x', 2), widget('a', 'y', 1)];

/** A server that answers lists and whose watches last until they are aborted. */
function serve(options: InformerFactoryOptions = {}) {
  const failing = new Map<string, Error>();
  const watching = new Set<string>();
  const transport = new ScriptedTransport((request, { signal }) => {
    const url = new URL(request.path, 'http://server');
    const failure = failing.get(url.pathname);
    if (failure !== undefined) return failure;
    if (url.searchParams.get('watch') === 'true') return watch(watching, request, signal);
    const kind = url.pathname.endsWith('/pods') ? 'PodList' : 'WidgetList';
    const space = /\/namespaces\/([^/]*)\//.exec(url.pathname)?.[1];
    const items = WIDGETS.filter(({ metadata }) => space === undefined || metadata.namespace === space);
    const metadata = { resourceVersion: '10' };
    return { object: { apiVersion: 'v1', kind, metadata, items: kind === 'PodList' ? [] : items } };
  });
  const clock = new VirtualClock();
  const factory = new SharedInformerFactory(new DynamicClient(transport), {
    clock,
    random: randomOf(() => 0),
    ...options,
  });
  const lists = () => transport.requests.filter(({ path }) => !path.includes('watch=true'));
  return { transport, failing, watching, clock, factory, lists };
}

function watch(watching: Set<string>, { path }: TransportRequest, signal: AbortSignal | undefined): ScriptedAnswer {
  async function* lines(): AsyncGenerator {
    watching.add(path);
    try {
      yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: '11' } } };
      signal?.throwIfAborted();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    } finally {
      watching.delete(path);
    }
  }
  return { lines: lines() };
}

describe('shared informer factory', () => {
  it('shares one informer for equal selections', () => {
    const { factory } = serve();
    const all = factory.informer(Widget);
    assert.equal(factory.informer<Widget>(widgets), all);
    assert.notEqual(factory.informer(Widget, { namespace: 'x' }), all);
    assert.notEqual(factory.metadata(widgets), all);
    assert.notEqual(factory.informer(Widget, { fieldSelector: 'metadata.name=a' }), all);
    const selected = factory.informer(Widget, { labelSelector: 'size=1', namespace: 'x' });
    assert.equal(factory.informer(Widget, { labelSelector: parseLabelSelector('size=1'), namespace: 'x' }), selected);
    assert.equal(factory.metadata(Widget), factory.metadata(widgets));
    assert.equal(selected.name, 'example.com/v1 widgets of size=1 in x');
    assert.equal(factory.metadata(pods).name, 'metadata of v1 pods');
  });

  it('sends nothing before start, and starts later informers at once', async () => {
    const { factory, transport, lists, watching } = serve();
    const handled: string[] = [];
    const all = factory.informer(Widget);
    all.addHandler({ onAdd: ({ metadata }, initially) => handled.push(`${metadata.name} ${initially}`) });
    await settle();
    assert.equal(transport.requests.length, 0);
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    factory.start(controller.signal);
    await factory.synced();
    assert.deepEqual(handled, ['a true', 'b true', 'a true']);
    const late = factory.informer(Widget, { namespace: 'y' });
    await factory.synced();
    assert.deepEqual(late.lister.list(), [WIDGETS[2]]);
    assert.deepEqual(
      lists().map(({ path }) => path),
      ['/apis/example.com/v1/widgets?limit=500', '/apis/example.com/v1/namespaces/y/widgets?limit=500'],
    );
    await settle();
    assert.equal(watching.size, 2);
    controller.abort();
    await running;
    assert.equal(watching.size, 0);
    assert.equal(all.state.phase, 'stopped');
  });

  it('requests only metadata, in lists and in watches', async () => {
    const { factory, transport } = serve();
    factory.metadata(Widget, { labelSelector: 'size=1' });
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await factory.synced();
    await settle();
    assert.deepEqual(
      transport.requests.map(({ headers }) => headers?.['accept']),
      [
        'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
        'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      ],
    );
    for (const { path } of transport.requests) assert.match(path, /labelSelector=size%3D1/);
    controller.abort();
    await running;
  });

  it('names the informers that have not synced, and their errors', async () => {
    const reported: unknown[] = [];
    const { factory, failing } = serve({ onError: (error, informer) => reported.push(informer, error) });
    const broken = new Error('the server is on fire');
    failing.set('/api/v1/pods', broken);
    const before = factory.informer(Widget);
    factory.informer(pods);
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await before.synced();
    const enough = new AbortController();
    const synced = factory.synced(enough.signal);
    await settle();
    enough.abort(new Error('enough'));
    await assert.rejects(synced, (error) => {
      assert.ok(error instanceof NotSyncedError);
      assert.equal(error.message, 'not synced: v1 pods (the server is on fire)');
      assert.deepEqual(error.informers, ['v1 pods']);
      assert.equal((error.cause as Error).message, 'enough');
      return true;
    });
    assert.deepEqual(reported, ['v1 pods', broken]);
    const stopped = assert.rejects(factory.synced(), /not synced: v1 pods/);
    controller.abort();
    await Promise.all([running, stopped]);
  });

  it('removes an informer, which synced then ignores', async () => {
    const { factory, failing, watching } = serve({ onError: () => undefined });
    failing.set('/api/v1/pods', new Error('no longer served'));
    const gone = factory.informer(pods);
    const kept = factory.informer(Widget);
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    const synced = factory.synced();
    await kept.synced();
    await factory.remove(gone);
    await synced;
    assert.equal(gone.state.phase, 'stopped');
    await assert.rejects(gone.synced(), /stopped before it had synced/);
    failing.clear();
    const again = factory.informer(pods);
    assert.notEqual(again, gone);
    await factory.synced();
    await settle();
    assert.equal(watching.size, 2);
    controller.abort();
    await running;
  });

  it('has the indexes of all callers', async () => {
    const { factory } = serve();
    const bySize = ({ spec }: Widget) => [spec && String(spec.size)];
    const informer = factory.informer(Widget, { indexes: { size: bySize } });
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await factory.synced();
    factory.informer(Widget, { indexes: { size: bySize, name: ({ metadata }) => [metadata.name] } });
    assert.deepEqual(informer.indexer.byIndex('name', 'b'), [WIDGETS[1]]);
    assert.deepEqual(informer.indexer.byIndex('size', '1'), [WIDGETS[0], WIDGETS[2]]);
    assert.throws(() => factory.informer(Widget, { indexes: { size: () => [] } }), RangeError);
    controller.abort();
    await running;
  });

  it('makes a handler that changes a frozen object fail', async () => {
    const errors: unknown[] = [];
    const { factory } = serve({ transform: frozen, onError: (error) => errors.push(error) });
    const informer = factory.informer(widgets);
    informer.addHandler({
      onAdd: ({ metadata }) => {
        (metadata as { resourceVersion?: string }).resourceVersion = '0';
      },
    });
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await factory.synced();
    assert.equal(errors.length, 3);
    assert.ok(errors.every((error) => error instanceof TypeError));
    controller.abort();
    await running;
  });

  it('stops all informers and rejects if onError throws', async () => {
    const fault = new Error('the log is full');
    const onError = () => {
      throw fault;
    };
    const { factory, failing, watching } = serve({ onError });
    failing.set('/api/v1/pods', new Error('no'));
    factory.informer(Widget);
    factory.informer(pods);
    await assert.rejects(factory.run(new AbortController().signal), fault);
    assert.equal(watching.size, 0);
  });

  it('does not start an informer requested after the end', async () => {
    const { factory, transport } = serve();
    await factory.run(AbortSignal.abort(new Error('over')));
    const informer = factory.informer(Widget);
    await assert.rejects(informer.synced(), /stopped before/);
    assert.equal(transport.requests.length, 0);
  });
});

describe('lister', () => {
  it('lists by namespace and labels', async () => {
    const { factory } = serve();
    const { lister } = factory.informer(Widget);
    const controller = new AbortController();
    const running = factory.run(controller.signal);
    await factory.synced();
    const x = lister.namespace('x');
    assert.equal(x.get('a'), factory.informer(Widget).indexer.get('x/a'));
    assert.equal(x.get('a')?.spec?.size, 1);
    assert.equal(x.get('c'), undefined);
    assert.equal(lister.get('a'), undefined);
    assert.equal(lister.list().length, 3);
    assert.deepEqual(x.list(), [WIDGETS[0], WIDGETS[1]]);
    assert.deepEqual(x.list({ labelSelector: 'size=2' }), [WIDGETS[1]]);
    assert.deepEqual(lister.list({ labelSelector: parseLabelSelector('size=1') }), [WIDGETS[0], WIDGETS[2]]);
    assert.throws(() => lister.list({ labelSelector: 'a b' }));
    controller.abort();
    await running;
  });
});
