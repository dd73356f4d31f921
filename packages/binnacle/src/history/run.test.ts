import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { runHistory } from './index.js';
import type { HistoryAction, Scope } from './requests/request.js';

const NOW = Date.parse('2026-11-28T10:05:00Z');
const MAPS = '/api/v1/namespaces/default/configmaps';
const MAP = `${MAPS}/web`;

const map = (resourceVersion: string, data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', namespace: 'default', uid: 'u-1', resourceVersion },
  data,
});
const first = map('10', { color: 'red' });
const second = map('12', { color: 'blue' });
const third = map('14', { color: 'blue', size: 'big' });

const writer = (user: string, verb: string) => ({
  user,
  manager: user === 'alice' ? 'kubectl' : '',
  userAgent: 'kubectl/1.36',
  verb,
  subresource: '',
  auditID: 'a-1',
});
const made = { type: 'ADDED', resourceVersion: '10', time: '2026-11-28T10:00:00Z', object: first };
const created = { ...made, writer: writer('alice', 'create') };
const painted = {
  type: 'MODIFIED',
  resourceVersion: '12',
  time: '2026-11-28T10:01:00Z',
  writer: writer('bob', 'update'),
  object: second,
  previous: first,
};
const grown = { type: 'MODIFIED', resourceVersion: '14', object: third, previous: second };
const removed = { type: 'DELETED', resourceVersion: '16', previous: third, writer: writer('bob', 'delete') };

const discovery = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: ['configmaps ConfigMap', 'secrets Secret'].map((text) => {
      const [name, kind] = text.split(' ');
      return { name, kind, singularName: kind?.toLowerCase(), namespaced: true, verbs: ['get', 'list', 'watch'] };
    }),
  },
};

const page = (items: readonly unknown[], metadata: JsonObject = {}): ScriptedAnswer => ({
  object: { items, metadata },
});
const list = (...items: readonly JsonObject[]): ScriptedAnswer => ({
  object: { apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items },
});
const status = (code: number, reason: string, message: string, details?: JsonObject): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details },
});

/** Answers by `METHOD path`. Refuses secrets; other requests fail the test. */
type Answers = Readonly<Record<string, (query: URLSearchParams, request: TransportRequest) => ScriptedAnswer>>;

async function run(action: HistoryAction, answers: Answers, scope: Scope = {}): Promise<string> {
  const transport = new ScriptedTransport((request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://server');
    const known = Object.entries(discovery).find(([path]) => path === pathname);
    if (known !== undefined) return { object: known[1] };
    const answer = answers[`${request.method} ${pathname}`];
    if (answer !== undefined) return answer(searchParams, request);
    if (pathname.endsWith('/secrets')) return status(403, 'Forbidden', 'secrets is forbidden', { kind: 'secrets' });
    return new Error(`not expected: ${request.method} ${request.path}`);
  });
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const parts = { transport, discovery: new DiscoveryClient(transport), namespace: undefined, now: () => NOW, print };
  await runHistory({ ...action, scope }, parts);
  return printed;
}

const history = (path: string, ...items: readonly unknown[]): Answers => ({
  [`GET /binnacle/v1/history${path}`]: () => page(items),
});
const web = { kind: 'configmap', name: 'web' };
const log = {
  action: 'log',
  target: web,
  since: undefined,
  until: undefined,
  by: undefined,
  field: undefined,
  patch: false,
  limit: 100,
} as const;
const at = (text: string) => ({ type: 'revision', text }) as const;

const lines = {
  removed: '16  -  bob  delete  ConfigMap default/web  deleted\n',
  grown: '14  -  (server)  modified  ConfigMap default/web  .data.size: (none) -> "big"\n',
  painted: '12  2026-11-28T10:01:00Z  bob  update  ConfigMap default/web  .data.color: "red" -> "blue"\n',
  created: '10  2026-11-28T10:00:00Z  alice (kubectl)  create  ConfigMap default/web  created\n',
};
const all = history(MAP, removed, grown, painted, created);

describe('log', () => {
  for (const [name, options, expected] of [
    ['every event, newest first', {}, lines.removed + lines.grown + lines.painted + lines.created],
    ['as many as the limit', { limit: 1 }, lines.removed],
    ['those of a user', { by: 'alice' }, lines.created],
    ['those of a manager', { by: 'kubectl' }, lines.created],
    ['those of a field', { field: '.data.color', limit: 2 }, lines.removed + lines.painted],
    [
      'their changes',
      { patch: true, field: '.data.color', by: 'bob' },
      `${lines.removed}  agent kubectl/1.36, audit a-1\n  - .apiVersion: "v1"`,
    ],
  ] as const) {
    it(`prints ${name}`, async () => {
      const printed = await run({ ...log, ...options }, all);
      assert.equal('patch' in options ? printed.slice(0, expected.length) : printed, expected);
    });
  }

  it('reads every page, between the points that the user gave', async () => {
    const answers: Answers = {
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        assert.equal(query.get('since'), '2026-11-28T09:55:00.000Z');
        assert.equal(query.get('until'), '12');
        return query.get('continue') === null ? page([painted], { continue: 'more' }) : page([created]);
      },
    };
    const bounds = { since: { type: 'ago', milliseconds: 600_000 }, until: at('12') } as const;
    assert.equal(await run({ ...log, ...bounds }, answers), lines.painted + lines.created);
  });

  it('leaves out kinds that the user may not read', async () => {
    const answers: Answers = {
      ...history('/api/v1/configmaps', painted),
      'GET /binnacle/v1/history/api/v1/secrets': () => status(403, 'Forbidden', 'secrets is forbidden', {}),
    };
    assert.equal(await run({ ...log, target: undefined }, answers), lines.painted);
  });

  const gone = 'The provided resource version is too old';
  const etcd = 'the store of this server, etcd, tells no history of events; lists at an older resourceVersion work';
  for (const [name, answer, expected] of [
    ['forbids the kind', status(403, 'Forbidden', 'configmaps is forbidden', {}), /^configmaps is forbidden$/],
    ['no longer has that history', status(410, 'Expired', gone, {}), /^The provided resource version is too old$/],
    [
      'keeps its objects in etcd',
      status(400, 'BadRequest', etcd),
      /^the store of this server, etcd, tells no history of events; /,
    ],
    [
      'is another',
      status(404, 'NotFound', 'not found'),
      /^the server keeps no history that can be read; it is not Binnacle$/,
    ],
  ] as const) {
    it(`rejects when the server ${name}`, async () => {
      const answers: Answers = { [`GET /binnacle/v1/history${MAP}`]: () => answer };
      await assert.rejects(run(log, answers), { message: expected });
    });
  }

  it('rejects for a kind that the server does not have', async () => {
    await assert.rejects(run({ ...log, target: { kind: 'gizmo' } }, {}), /gizmo/);
  });
});

describe('show', () => {
  it('prints the event of a revision', async () => {
    const expected = `${lines.painted}  agent kubectl/1.36, audit a-1\n  - .data.color: "red"\n  + .data.color: "blue"\n`;
    const printed = await run({ action: 'show', revision: '12', target: web }, history(MAP, painted));
    assert.equal(printed, expected);
  });

  it('rejects if nothing changed then', async () => {
    await assert.rejects(
      run({ action: 'show', revision: '13', target: web }, history(MAP)),
      /^Error: no object that you may read changed at revision 13$/,
    );
  });
});

const listed: Answers = {
  [`GET ${MAPS}`]: (query) => {
    assert.equal(query.get('resourceVersionMatch'), 'Exact');
    return query.get('resourceVersion') === '9' ? list() : list(query.get('resourceVersion') === '10' ? first : third);
  },
  [`GET /binnacle/v1/history${MAP}`]: () => page([], { resourceVersion: '10' }),
};

describe('diff', () => {
  it('prints what differs between two points', async () => {
    const time = { type: 'time', text: '2026-11-28T10:00:00Z' } as const;
    assert.equal(
      await run({ action: 'diff', from: time, to: at('14'), target: web }, listed),
      'configmaps/default/web\n  - .data.color: "red"\n  + .data.color: "blue"\n  + .data.size: "big"\n',
    );
  });

  it('leaves out kinds that the user did not name and may not read', async () => {
    const scope = { namespace: 'default' };
    assert.equal(await run({ action: 'diff', from: at('14'), to: at('14'), target: undefined }, listed, scope), '');
  });
});

describe('get', () => {
  const get = { action: 'get', target: web, at: at('10'), output: 'json' } as const;
  it('prints the object as it was', async () => {
    assert.deepEqual(JSON.parse(await run(get, listed)), first);
    assert.match(await run({ ...get, output: 'yaml' }, listed), /^data:\n {2}color: red$/m);
  });

  it('prints a list of a kind', async () => {
    const printed: unknown = JSON.parse(await run({ ...get, target: { kind: 'configmaps' } }, listed));
    assert.deepEqual(printed, { apiVersion: 'v1', kind: 'List', items: [first] });
  });

  it('rejects if there was none', async () => {
    await assert.rejects(run({ ...get, at: at('9') }, listed), /^Error: there was no configmap\/web then$/);
  });
});

describe('blame', () => {
  it('prints who wrote each field', async () => {
    const printed = await run({ action: 'blame', target: web }, history(MAP, grown, painted, created));
    assert.match(printed, /^12 {2}2026-11-28T10:01:00Z {2}bob +\.data\.color: "blue"$/m);
    assert.match(printed, /^14 {2}- +\(server\) +\.data\.size: "big"$/m);
    assert.match(printed, /^10 {2}2026-11-28T10:00:00Z {2}alice \(kubectl\) {2}\.kind: "ConfigMap"$/m);
  });

  it('rejects for an object without history', async () => {
    await assert.rejects(
      run({ action: 'blame', target: web }, history(MAP)),
      /^Error: the server has no history of configmap\/web$/,
    );
  });
});

describe('export', () => {
  it('prints objects that another server can create', async () => {
    const printed = await run({ action: 'export', target: undefined, at: at('10') }, listed, { namespace: 'default' });
    assert.match(printed, /^---\n/);
    assert.match(printed, /^ {2}color: red$/m);
    assert.doesNotMatch(printed, /resourceVersion|uid/);
  });
});

describe('revert', () => {
  const revert = { action: 'revert', revision: '12', target: web, force: false, dryRun: false } as const;
  const absent = status(404, 'NotFound', 'configmaps "web" not found', { name: 'web', kind: 'configmaps' });

  /** A server with this event and this object; `written` has each write. */
  function server(event: unknown, live: JsonObject | undefined) {
    const written: string[] = [];
    const write = (query: URLSearchParams, { method, body }: TransportRequest): ScriptedAnswer => {
      const text = typeof body === 'string' ? body : Buffer.from(body instanceof Uint8Array ? body : []).toString();
      written.push([method, query.get('dryRun') ?? 'for real', text].join(' '));
      return { object: { kind: 'Status', status: 'Success' } };
    };
    const answers: Answers = {
      ...history(MAP, event),
      [`GET ${MAP}`]: () => (live === undefined ? absent : { object: live }),
      [`PUT ${MAP}`]: write,
      [`DELETE ${MAP}`]: write,
      [`POST ${MAPS}`]: write,
    };
    return { written, answers };
  }

  for (const [name, event, live, options, expected, write] of [
    ['updates', painted, second, {}, 'is reverted', /^PUT for real .*"color":"red"/],
    ['updates in a dry run', painted, second, { dryRun: true }, 'is reverted (dry run)', /^PUT All /],
    ['creates again', removed, undefined, {}, 'is created again', /^POST for real .*"size":"big"/],
    ['deletes', created, first, {}, 'is deleted', /^DELETE for real .*"uid":"u-1"/],
    ['does nothing twice', painted, first, {}, 'is already as before', /^$/],
    ['overwrites by force', painted, map('20', { color: 'pink' }), { force: true }, 'is reverted', /"color":"red"/],
  ] as const) {
    it(name, async () => {
      const { written, answers } = server(event, live);
      assert.equal(await run({ ...revert, ...options }, answers), `ConfigMap default/web ${expected}\n`);
      assert.match(written.join('\n'), write);
    });
  }

  it('rejects if the fields have changed since, and names them', async () => {
    const { written, answers } = server(painted, map('20', { color: 'pink' }));
    await assert.rejects(run(revert, answers), {
      message: 'ConfigMap default/web has changed since 12; --force overwrites these fields:\n  .data.color',
    });
    assert.deepEqual(written, []);
  });
});
