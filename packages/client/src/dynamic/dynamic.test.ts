import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notFound, StatusError } from '@binnacle/apimachinery/status';
import { applyObject } from '../apply/index.js';
import { type Encoding, isExpired, isNotFound, jsonEncoding, jsonFormat } from '../rest/index.js';
import { type ScriptedAnswer, ScriptedTransport } from '../testing/index.js';
import type { TransportRequest } from '../transport/index.js';
import { applyTransport, DynamicClient } from './index.js';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const widget = (name: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns' },
});
const base = '/apis/example.com/v1';

function clientOf(answer: (request: TransportRequest) => ScriptedAnswer) {
  const transport = new ScriptedTransport(answer);
  const sent = () => transport.requests.map(({ method, path }) => `${method} ${path}`);
  return { transport, sent, client: new DynamicClient(transport).resource(widgets) };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('resource client', () => {
  it('has the same verbs on a resource and on its subresources', async () => {
    const { transport, sent, client } = clientOf(() => ({ object: widget('a') }));
    const here = client.namespace('here');
    await here.get('a');
    await client.create(widget('a'));
    await here.update(widget('a'), { fieldManager: 'me' });
    await here.status.update(widget('a'));
    await here.patch('a', { type: 'json', body: [] });
    await here.apply(widget('a'), { fieldManager: 'me', force: true });
    await here.delete('a', { gracePeriodSeconds: 0 });
    await here.deleteCollection({ labelSelector: 'a', propagationPolicy: 'Orphan' });
    await here.status.patch('a', { type: 'merge', body: {} });
    await client.status.apply(widget('a'), { fieldManager: 'me' });
    await here.scale.get('a');
    await here.scale.patch('a', { type: 'merge', body: { spec: { replicas: 3 } } });
    await here.subresource('log').get('a');
    await here.subresource('finalize').update(widget('a'));
    await here.subresource('binding').create('a', {});
    await client.subresource('resize').apply(widget('a'), { fieldManager: 'me' });
    assert.deepEqual(sent(), [
      `GET ${base}/namespaces/here/widgets/a`,
      `POST ${base}/namespaces/ns/widgets`,
      `PUT ${base}/namespaces/here/widgets/a?fieldManager=me`,
      `PUT ${base}/namespaces/here/widgets/a/status`,
      `PATCH ${base}/namespaces/here/widgets/a`,
      `PATCH ${base}/namespaces/here/widgets/a?fieldManager=me&force=true`,
      `DELETE ${base}/namespaces/here/widgets/a`,
      `DELETE ${base}/namespaces/here/widgets?labelSelector=a`,
      `PATCH ${base}/namespaces/here/widgets/a/status`,
      `PATCH ${base}/namespaces/ns/widgets/a/status?fieldManager=me`,
      `GET ${base}/namespaces/here/widgets/a/scale`,
      `PATCH ${base}/namespaces/here/widgets/a/scale`,
      `GET ${base}/namespaces/here/widgets/a/log`,
      `PUT ${base}/namespaces/here/widgets/a/finalize`,
      `POST ${base}/namespaces/here/widgets/a/binding`,
      `PATCH ${base}/namespaces/ns/widgets/a/resize?fieldManager=me`,
    ]);
    assert.match(String(transport.requests[6]?.body), /"gracePeriodSeconds":0/);
    assert.doesNotMatch(String(transport.requests[7]?.body), /labelSelector/);
    assert.equal(transport.requests[14]?.body, '{"metadata":{"name":"a","namespace":"here"}}');
    await assert.rejects(client.update({ ...widget('a'), metadata: {} }), TypeError);
    await assert.rejects(client.status.update({ ...widget('a'), metadata: {} }), TypeError);
  });

  it('posts the kind of a subresource with the apiVersion of its group', async () => {
    const { transport, client } = clientOf(() => ({ object: widget('a') }));
    for (const group of ['', 'example.com']) {
      await client.subresource('binding', { group, version: 'v1', kind: 'Binding' }).create('a', {});
    }
    const bodies = transport.requests.map(({ body }) => String(body));
    assert.match(bodies[0] ?? '', /^{"apiVersion":"v1","kind":"Binding",/);
    assert.match(bodies[1] ?? '', /^{"apiVersion":"example.com\/v1","kind":"Binding",/);
  });

  it('uses the encoding of its client for a resource without a kind', async () => {
    const { transport } = clientOf(() => ({ object: widget('a') }));
    const encoding: Encoding = {
      ...jsonEncoding,
      formats: [{ ...jsonFormat, decode: () => widget('decoded') }],
      ofKind: () => encoding,
    };
    const { metadata } = await new DynamicClient(transport, { encoding }).resource(widgets).get('a');
    assert.equal(metadata.name, 'decoded');
  });

  it('rejects with the StatusError of the server', async () => {
    const { client } = clientOf(() => ({ status: 404, object: notFound(widgets, 'a').status }));
    await assert.rejects(client.get('a'), isNotFound);
    await assert.rejects(client.watch().next(), isNotFound);
  });

  it('reads a list page by page and sets the kind of items', async () => {
    const pages: Record<string, object> = {
      first: { metadata: { resourceVersion: '9', continue: 'x' }, items: [{ metadata: { name: 'a' } }] },
      x: { metadata: { resourceVersion: '9', continue: '' }, items: [widget('b')] },
    };
    const { client, sent } = clientOf(({ path }) => {
      const token = new URLSearchParams(path.split('?')[1]).get('continue') ?? 'first';
      return { object: { apiVersion: 'example.com/v1', kind: 'WidgetList', ...pages[token] } };
    });
    const items = await collect(client.items({ limit: 1, resourceVersion: '5', labelSelector: 'a' }));
    assert.deepEqual(items, [{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } }, widget('b')]);
    assert.deepEqual(sent(), [
      `GET ${base}/widgets?limit=1&resourceVersion=5&labelSelector=a`,
      `GET ${base}/widgets?limit=1&labelSelector=a&continue=x`,
    ]);
    assert.equal((await client.list()).metadata.resourceVersion, '9');
  });

  it('rejects an answer that is not a list', async () => {
    await assert.rejects(clientOf(() => ({ object: widget('a') })).client.list(), /the server answered Widget/);
  });

  it('yields events until the server ends the watch or sends an ERROR', async () => {
    const added = { type: 'ADDED', object: widget('a') };
    const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' };
    const { client, sent } = clientOf(() => ({ lines: [added, { type: 'ERROR', object: expired }] }));
    const seen: unknown[] = [];
    await assert.rejects(async () => {
      for await (const event of client.watch({ resourceVersion: '5', allowWatchBookmarks: true })) seen.push(event);
    }, isExpired);
    assert.deepEqual(seen, [added]);
    assert.deepEqual(sent(), [`GET ${base}/widgets?watch=true&resourceVersion=5&allowWatchBookmarks=true`]);
    assert.deepEqual(await collect(clientOf(() => ({ lines: [added] })).client.watch()), [added]);
  });
});

describe('applyTransport', () => {
  it('sends the requests of client-side apply', async () => {
    const { transport, sent } = clientOf(({ method }) =>
      method === 'GET' ? { status: 404, object: notFound(widgets, 'a').status } : { object: widget('a') },
    );
    const { outcome } = await applyObject(applyTransport(transport), widget('a'), { resource: widgets });
    assert.equal(outcome, 'created');
    assert.equal(
      sent()[1],
      `POST ${base}/namespaces/ns/widgets?fieldManager=kubectl-client-side-apply&fieldValidation=Strict`,
    );

    const existing = clientOf(() => ({ object: widget('a') }));
    const labelled = { ...widget('a'), metadata: { ...widget('a').metadata, labels: { a: 'b' } } };
    await applyObject(applyTransport(existing.transport), labelled, { resource: widgets });
    assert.equal(existing.transport.requests[1]?.headers?.['content-type'], 'application/merge-patch+json');
    const failing = new ScriptedTransport(() => new StatusError(notFound(widgets, 'a').status));
    await assert.rejects(applyTransport(failing).get({ resource: widgets, namespace: 'ns', name: 'a' }), isNotFound);
  });
});
