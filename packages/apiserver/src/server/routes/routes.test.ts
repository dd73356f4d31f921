import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import type { KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { respondText } from '../../http/index.js';
import { parseRequestInfo, parseTarget, RequestContext } from '../../request/index.js';
import { FakeExchange } from '../../testing/index.js';
import { createRoutes, type Routes } from './routes.js';
import { testResourceApi } from '../server.testing.js';

const nothing = { handlerFor: () => undefined, paths: [] };

/** The routes over a store, and a function that returns their refusal of a request, if any. */
function serve(kv: KV, { isKnown = () => true, catchUp }: Pick<Routes, 'catchUp'> & { isKnown?: () => boolean } = {}) {
  const { router, catalog } = testResourceApi(kv);
  const handled: string[] = [];
  // The first request waits until its definition is compiled.
  const opening = [Promise.resolve()];
  const extensions = {
    opening: () => opening.pop(),
    handlerFor: () =>
      isKnown()
        ? (context: RequestContext) => {
            handled.push(context.path);
            return respondText(context, 200, '');
          }
        : undefined,
  };
  const routes = createRoutes({
    router,
    serializers: [],
    unsafeDeletion: false,
    aggregator: undefined,
    // Routes use nothing else of it.
    extensions: extensions as unknown as Routes['extensions'],
    discovery: nothing,
    health: nothing,
    metrics: { ...nothing, textOf: () => Promise.resolve('') },
    flowControl: nothing,
    forks: nothing,
    openId: nothing,
    zpages: nothing,
    profiling: nothing,
    openApi: () => Promise.reject(new Error('not asked for')),
    catchUp,
    faults: undefined,
  });
  const refusal = async (method: string, url: string): Promise<StatusError | undefined> => {
    const { path, query } = parseTarget(url);
    const context = new RequestContext(new FakeExchange({ method, url }), path, query, 0);
    context.info = parseRequestInfo(method, path, query);
    try {
      await routes(context);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  };
  return { refusal, handled, router, catalog };
}

const pod = '/api/v1/namespaces/n/pods/p';
const UNKNOWN = 'the server could not find the requested resource';

test('built-in resources refuse HEAD, custom ones accept it, and proxies pass it on', async () => {
  await using kv = openMemoryKV();
  const { refusal, handled, catalog } = serve(kv);
  const head = async (url: string) => (await refusal('HEAD', url))?.code;
  for (const url of ['/api/v1/pods', '/api/v1/namespaces', pod, `${pod}/status`, `${pod}/log`]) {
    assert.equal(await head(url), 405, url);
  }
  assert.equal(await head(`${pod}/proxy`), 404, 'the pod is looked for');
  assert.equal(await head('/apis/example.com/v1/widgets'), undefined);
  assert.deepEqual(handled, ['/apis/example.com/v1/widgets']);
  catalog.stop();
});

test('a path that continues after a subresource is unknown, except for a proxy; so is a path that lacks a namespace', async () => {
  await using kv = openMemoryKV();
  const { refusal, catalog } = serve(kv);
  const unknown = [`${pod}/log/x`, `${pod}/exec/x`, `${pod}/status/x`, '/api/v1/namespaces/n/status/x'];
  const legacy = ['watch/namespaces/n/pods/p/log', 'watch/pods/p', 'proxy/namespaces/n/pods/p'];
  for (const path of [...unknown, ...legacy.map((rest) => `/api/v1/${rest}`)]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      assert.equal((await refusal(method, path))?.message, UNKNOWN, `${method} ${path}`);
    }
  }
  assert.equal((await refusal('GET', `${pod}/proxy/x`))?.message, 'pods "p" not found');
  catalog.stop();
});

test('no path leads through a namespace to what is in none, not even to another namespace', async () => {
  await using kv = openMemoryKV();
  const { refusal, catalog } = serve(kv);
  const foreign = [
    'namespaces',
    'namespaces/kube-system',
    'namespaces/kube-system/finalize',
    'namespaces/n',
    'nodes/x',
  ];
  const paths = foreign.map((rest) => `namespaces/n/${rest}`);
  for (const path of [...paths, 'watch/namespaces/n/namespaces/kube-system', 'namespaces//namespaces/kube-system']) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await refusal(method, `/api/v1/${path}`))?.message, UNKNOWN, `${method} ${path}`);
    }
    assert.equal((await refusal('GET', `/binnacle/v1/history/api/v1/${path}`))?.message, UNKNOWN, path);
  }
  for (const path of ['namespaces/n', 'namespaces/n/status']) {
    assert.notEqual((await refusal('GET', `/api/v1/${path}`))?.message, UNKNOWN, path);
  }
  catalog.stop();
});

test('the core group has no path under /apis', async () => {
  await using kv = openMemoryKV();
  const { router, catalog } = serve(kv);
  assert.equal(router.handlerFor(parseRequestInfo('GET', '/apis//v1/pods', new URLSearchParams())), undefined);
  assert.notEqual(router.handlerFor(parseRequestInfo('GET', '/api/v1/pods', new URLSearchParams())), undefined);
  catalog.stop();
});

test('paths under watch/ accept only GET', async () => {
  await using kv = openMemoryKV();
  const { refusal, handled, catalog } = serve(kv);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
    for (const path of ['/api/v1/watch/pods', '/api/v1/watch/namespaces/n/pods', '/api/v1/watch/namespaces/n/pods/p']) {
      assert.equal((await refusal(method, path))?.code, 405, `${method} ${path}`);
    }
  }
  assert.equal(await refusal('DELETE', '/apis/example.com/v1/watch/widgets'), undefined, 'custom resources answer any');
  assert.equal(handled.length, 1);
  catalog.stop();
});

test('a server of several processes looks again at what may have changed in another one, once', async () => {
  await using kv = openMemoryKV();
  let known = false;
  let looked = 0;
  const { refusal, handled, catalog } = serve(kv, {
    isKnown: () => known,
    catchUp: async () => {
      looked++;
      known = true;
    },
  });
  assert.equal(await refusal('GET', '/apis/example.com/v1/widgets'), undefined);
  assert.deepEqual([handled.length, looked], [1, 1]);
  await refusal('GET', '/apis/example.com/v1/widgets');
  assert.equal(looked, 1, 'it is known now');
  known = false;
  await refusal('GET', '/healthz');
  await refusal('GET', pod);
  assert.equal(looked, 1);
  catalog.stop();
});

test('reviews have one path each', async () => {
  await using kv = openMemoryKV();
  const { refusal, router, catalog } = serve(kv);
  const group = { group: 'authorization.k8s.io', version: 'v1' };
  for (const [resource, namespaced] of [
    ['selfsubjectaccessreviews', false] as const,
    ['localreviews', true] as const,
  ]) {
    router.addNonStored({
      resource: { ...group, resource },
      namespaced,
      verbs: new Set(['create']),
      deprecationWarning: undefined,
      handle: () => Promise.resolve(),
    });
  }
  const reviews = '/apis/authorization.k8s.io/v1';
  assert.equal(await refusal('POST', `${reviews}/selfsubjectaccessreviews`), undefined);
  assert.equal(await refusal('POST', `${reviews}/namespaces/n/localreviews`), undefined);
  assert.equal((await refusal('GET', `${reviews}/selfsubjectaccessreviews`))?.code, 405);
  for (const path of ['selfsubjectaccessreviews/x', 'localreviews', 'namespaces/n/localreviews/x']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      assert.equal((await refusal(method, `${reviews}/${path}`))?.message, UNKNOWN, `${method} ${path}`);
    }
  }
  catalog.stop();
});
