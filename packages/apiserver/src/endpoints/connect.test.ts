import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { BuiltInCodec } from '../codec/index.js';
import type { AdmissionPlugin } from '../admission/index.js';
import { parseRequestInfo, parseTarget, pathBehind, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { admitConnect, connectObject } from './connect.js';

function codecOf(kind: string): BuiltInCodec {
  const groupVersionKind = { group: '', version: 'v1', kind };
  const schema = kindSchema(groupVersionKind);
  assert.ok(schema);
  return new BuiltInCodec(groupVersionKind, schema);
}

function optionsIn(kind: string, query: string, path?: string): unknown {
  const codec = codecOf(kind);
  return JSON.parse(Buffer.from(codec.encode(connectObject(codec, new URLSearchParams(query), path))).toString());
}

describe('the options of a connect', () => {
  const cases: readonly (readonly [kind: string, query: string, path: string | undefined, expected: object])[] = [
    [
      'PodExecOptions',
      'command=ls&command=-l&stdin=true&tty=0&container=c&kind=Pod&bogus=1',
      undefined,
      { stdin: true, container: 'c', command: ['ls', '-l'] },
    ],
    ['PodAttachOptions', 'stdout', undefined, { stdout: true }],
    ['PodPortForwardOptions', 'ports=80&ports=443', undefined, { ports: [80, 443] }],
    ['ServiceProxyOptions', 'path=/other', '/a/b', { path: '/a/b' }],
  ];
  for (const [kind, query, path, expected] of cases) {
    it(`${kind}: ${query}`, () =>
      assert.deepEqual(optionsIn(kind, query, path), { kind, apiVersion: 'v1', ...expected }));
  }

  it('must have numbers for ports', () => {
    assert.throws(() => optionsIn('PodPortForwardOptions', 'ports=x'), {
      code: 400,
      message: 'strconv.ParseInt: parsing "x": invalid syntax',
    });
  });
});

/** The request that a handler sees after a plugin has changed the options. */
async function admitted(kind: string, url: string, changes: object, hasPath = false): Promise<RequestContext> {
  const { path, query } = parseTarget(url);
  const context = new RequestContext(new FakeExchange({ url }), path, query, 0);
  context.info = parseRequestInfo('GET', path, query);
  const plugin: AdmissionPlugin = {
    name: 'Changes',
    handles: () => true,
    admit: ({ object }) => {
      Object.assign(object ?? {}, changes);
      return Promise.resolve();
    },
  };
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const endpoint = { resource, plugins: [plugin] };
  await admitConnect(context, endpoint, { codec: codecOf(kind), hasPath });
  return context;
}

describe('a plugin that changes the options of a connect', () => {
  const exec = '/api/v1/namespaces/shop/pods/web/exec?command=ls&command=-l&stdin=true&other=1';

  it('changes the query of the request', async () => {
    const { query } = await admitted('PodExecOptions', exec, { command: ['id'], container: 'c', stdin: undefined });
    assert.deepEqual(query.getAll('command'), ['id']);
    assert.equal(query.get('container'), 'c');
    assert.equal(query.has('stdin'), false);
    assert.equal(query.get('other'), '1');
  });

  it('changes the path of a proxy', async () => {
    const proxy = '/api/v1/namespaces/shop/pods/web/proxy/a/b?c=d';
    const { info } = await admitted('PodProxyOptions', proxy, { path: '/x/y/' }, true);
    assert.equal(pathBehind(info), '/x/y/');
    assert.equal(info.path, '/api/v1/namespaces/shop/pods/web/proxy/x/y/');
  });

  it('leaves the query alone if it sets no option', async () => {
    const { query } = await admitted('PodExecOptions', exec, {});
    assert.equal(query.toString(), 'command=ls&command=-l&stdin=true&other=1');
  });
});
