import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { openMemoryKV } from '@binnacle/kv/memory';
import { FakeExchange, RequestContext, respondText } from '../http/index.js';
import { parseRequestInfo, parseTarget } from '../request/index.js';
import { createRoutes, type Routes } from './routes.js';
import { testResourceApi } from './testing.js';

const nothing = { handlerFor: () => undefined, paths: [] };

test('built-in resources answer no HEAD, custom ones do, and proxies pass it on', async () => {
  await using kv = openMemoryKV();
  const { router, catalog } = testResourceApi(kv);
  const handled: string[] = [];
  const extensions = {
    handlerFor: () => (context: RequestContext) => {
      handled.push(context.path);
      return respondText(context, 200, '');
    },
  };
  const routes = createRoutes({
    router,
    serializers: [],
    // Routes ask nothing else of it.
    extensions: extensions as unknown as Routes['extensions'],
    discovery: nothing,
    health: nothing,
    metrics: nothing,
    openId: nothing,
    openApi: () => Promise.reject(new Error('not asked for')),
    faults: undefined,
  });
  const head = async (url: string): Promise<number> => {
    const { path, query } = parseTarget(url);
    const context = new RequestContext(new FakeExchange({ method: 'HEAD', url }), path, query, 0);
    context.info = parseRequestInfo('HEAD', path, query);
    try {
      await routes(context);
      return 200;
    } catch (error) {
      if (error instanceof StatusError) return error.code;
      throw error;
    }
  };
  const pod = '/api/v1/namespaces/n/pods/p';
  for (const url of ['/api/v1/pods', '/api/v1/namespaces', pod, `${pod}/status`, `${pod}/log`]) {
    assert.equal(await head(url), 405, url);
  }
  assert.equal(await head(`${pod}/proxy`), 404, 'the pod is looked for');
  assert.equal(await head('/apis/example.com/v1/widgets'), 200);
  assert.deepEqual(handled, ['/apis/example.com/v1/widgets']);
  catalog.stop();
});
