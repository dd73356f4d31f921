import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createZPages, type ZPagesOptions } from './index.js';

const startedAt = Date.UTC(2026, 10, 5, 16, 20, 0);

async function get(path: string, accept?: string, options: Partial<ZPagesOptions> = {}): Promise<FakeExchange> {
  const pages = createZPages({
    clock: new VirtualClock(startedAt + 3_723_000),
    random: seededRandom(1),
    startedAt,
    goVersion: 'node-v20',
    version: '1.36.2',
    paths: ['/api/v1', '/healthz', '/healthz/ping', '/metrics', '/openapi/v2', '/version'],
    statusz: true,
    flags: { v: '3', 'bind-address': '127.0.0.1' },
    ...options,
  });
  const exchange = new FakeExchange({ url: path, ...(accept === undefined ? {} : { headers: { accept } }) });
  const handler = pages.handlerFor(path);
  assert.ok(handler !== undefined, path);
  const context = new RequestContext(exchange, path, new URLSearchParams(), 0);
  await handler(context);
  return exchange;
}

const statusz = (version: string) => `application/json;g=config.k8s.io;v=${version};as=Statusz`;

describe('/statusz', () => {
  it('is text for people', async () => {
    for (const accept of [undefined, 'text/plain', '*/*', 'application/json, */*']) {
      const { status, body, responseHeaders } = await get('/statusz', accept);
      assert.equal(status, 200);
      assert.equal(responseHeaders['content-type'], 'text/plain; charset=utf-8');
      assert.match(body, /^\napiserver statusz\nWarning: This endpoint is not meant to be machine parseable/);
      assert.match(body, /\nStarted[:= ]+Thu Nov {2}5 16:20:00 UTC 2026\nUp[:= ]+1 hr 02 min 03 sec\n/);
      assert.match(
        body,
        /\nBinary version[:= ]+1.36.2\nEmulation version[:= ]+1.36\nPaths.* \/flagz \/healthz \/metrics/,
      );
    }
  });

  it('is an object for programs', async () => {
    const { body, responseHeaders } = await get('/statusz', statusz('v1beta1'));
    assert.equal(responseHeaders['content-type'], statusz('v1beta1'));
    assert.equal(responseHeaders['warning'], undefined);
    assert.deepEqual(JSON.parse(body), {
      kind: 'Statusz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'apiserver' },
      startTime: '2026-11-05T16:20:00Z',
      uptimeSeconds: 3723,
      goVersion: 'node-v20',
      binaryVersion: '1.36.2',
      emulationVersion: '1.36',
      paths: ['/flagz', '/healthz', '/metrics', '/version'],
    });
    const yaml = await get('/statusz', statusz('v1beta1').replace('json', 'yaml'));
    assert.match(yaml.body, /^apiVersion: config\.k8s\.io\/v1beta1\n/);
  });

  it('warns about the older version, and refuses other forms', async () => {
    const { responseHeaders } = await get('/statusz', statusz('v1alpha1'));
    assert.match(String(responseHeaders['warning']), /This version of the statusz endpoint is deprecated/);
    for (const accept of [
      'application/json',
      'image/png',
      statusz('v1'),
      statusz('v1beta1').replace('Statusz', 'Flagz'),
    ]) {
      await assert.rejects(get('/statusz', accept), { code: 406 }, accept);
    }
  });
});

describe('/flagz', () => {
  it('lists the flags', async () => {
    const { body } = await get('/flagz');
    assert.match(body, /\n\nbind-address[:= ]+127\.0\.0\.1\nv[:= ]+3\n$|\nbind-address[:= ]+127\.0\.0\.1\nv[:= ]+3\n$/);
    const object = await get('/flagz', 'application/json;g=config.k8s.io;v=v1beta1;as=Flagz');
    assert.deepEqual(JSON.parse(object.body), {
      kind: 'Flagz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'apiserver' },
      flags: { v: '3', 'bind-address': '127.0.0.1' },
    });
  });
});

describe('pages that are off', () => {
  it('do not exist', async () => {
    const off = { statusz: false, flags: undefined };
    for (const path of ['/statusz', '/flagz']) await assert.rejects(get(path, undefined, off), /statusz|flagz/);
  });
});
