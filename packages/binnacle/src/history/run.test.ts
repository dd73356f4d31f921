import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { makeKubeconfig } from '../kubeconfig/index.js';
import { type HistoryParts, runHistory } from './index.js';
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

interface Doubles {
  readonly scope?: Scope;
  readonly runCommand?: HistoryParts['runCommand'];
  readonly writeFile?: HistoryParts['writeFile'];
  readonly signal?: AbortSignal;
}

async function run(action: HistoryAction, answers: Answers, doubles: Doubles = {}): Promise<string> {
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
  const { scope = {}, ...others } = doubles;
  const unexpected = (): never => assert.fail('not expected');
  const parts = { transport, discovery: new DiscoveryClient(transport), namespace: undefined, now: () => NOW, print };
  await runHistory({ ...action, scope }, { ...parts, writeFile: unexpected, runCommand: unexpected, ...others });
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
  follow: false,
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
    assert.equal(await run({ action: 'diff', from: at('14'), to: at('14'), target: undefined }, listed, { scope }), '');
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
  const request = {
    action: 'export',
    transfer: undefined,
    target: undefined,
    at: at('10'),
    withSecrets: false,
  } as const;
  const scope = { namespace: 'default' };

  it('prints Secrets only for those who ask for them', async () => {
    const secret: JsonObject = { ...first, kind: 'Secret', metadata: { name: 'key', namespace: 'default' } };
    const secrets = '/api/v1/namespaces/default/secrets';
    const answers: Answers = {
      ...listed,
      [`GET ${secrets}`]: () => list(secret),
      [`GET ${secrets}/key`]: () => ({ object: secret }),
      [`GET /binnacle/v1/history${secrets}`]: () => page([], { resourceVersion: '10' }),
    };
    assert.doesNotMatch(await run(request, answers, { scope }), /kind: Secret/);
    assert.match(await run({ ...request, withSecrets: true }, answers, { scope }), /kind: Secret/);
    assert.match(await run({ ...request, target: { kind: 'secrets' } }, answers, { scope }), /kind: Secret/);
  });

  it('prints objects that another server can create', async () => {
    const printed = await run(request, listed, { scope });
    assert.match(printed, /^---\n/);
    assert.match(printed, /^ {2}color: red$/m);
    assert.doesNotMatch(printed, /resourceVersion|uid/);
  });
});

describe('revert', () => {
  const revert = { action: 'revert', revisions: ['12'], target: web, force: false, dryRun: false } as const;
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
    ['deletes', created, first, {}, 'is deleted', /^DELETE for real .*"uid":"u-1"((?!dryRun).)*$/],
    [
      'deletes in a dry run',
      created,
      first,
      { dryRun: true },
      'is deleted (dry run)',
      /^DELETE All .*"dryRun":\["All"\]/,
    ],
    ['creates again in a dry run', removed, undefined, { dryRun: true }, 'is created again (dry run)', /^POST All /],
    ['does nothing twice', painted, first, {}, 'is already as before', /^$/],
    ['overwrites by force', painted, map('20', { color: 'pink' }), { force: true }, 'is reverted', /"color":"red"/],
  ] as const) {
    it(name, async () => {
      const { written, answers } = server(event, live);
      assert.equal(await run({ ...revert, ...options }, answers), `ConfigMap default/web ${expected}\n`);
      assert.match(written.join('\n'), write);
    });
  }

  it('undoes several events of an object by one write, and nothing if one of them conflicts', async () => {
    const both = (live: JsonObject) => {
      const { written, answers } = server(painted, live);
      const event = (query: URLSearchParams) => page([query.get('until') === '14' ? grown : painted]);
      return { written, answers: { ...answers, [`GET /binnacle/v1/history${MAP}`]: event } };
    };
    const request = { ...revert, revisions: ['12', '14', '12'] };
    const undone = both(third);
    assert.equal(await run(request, undone.answers), 'ConfigMap default/web is reverted\n');
    assert.equal(undone.written.length, 1);
    assert.match(undone.written.join(), /"data":\{"color":"red"\}/);
    const changed = both(map('20', { color: 'pink', size: 'big' }));
    await assert.rejects(run(request, changed.answers), {
      message: 'ConfigMap default/web has changed since 12; --force overwrites these fields:\n  .data.color',
    });
    assert.deepEqual(changed.written, []);
  });

  it('rejects if the fields have changed since, and names them', async () => {
    const { written, answers } = server(painted, map('20', { color: 'pink' }));
    await assert.rejects(run(revert, answers), {
      message: 'ConfigMap default/web has changed since 12; --force overwrites these fields:\n  .data.color',
    });
    assert.deepEqual(written, []);
  });
});

const fork = { name: 'fork-1', resourceVersion: '12', time: '2026-11-28T10:05:00Z', url: 'https://127.0.0.1:7443' };
const [SNAPSHOTS, FORKS] = ['/binnacle/v1/snapshots', '/binnacle/v1/forks'];
/** A kubeconfig whose server has the revision as its port. */
const kubeconfigOf = (port: number | string): string =>
  makeKubeconfig({
    server: `https://127.0.0.1:${port}`,
    certificateAuthority: 'authority',
    clientCertificate: 'certificate',
    clientKey: 'key',
  });
const revisionIn = (kubeconfig: string): number => Number(/127\.0\.0\.1:(\d+)/.exec(kubeconfig)?.[1]);
const bodyOf = ({ body }: TransportRequest): string => Buffer.from(body ?? '').toString();
const snapshot = { action: 'snapshot', name: undefined, at: undefined, remove: false } as const;
const start = {
  action: 'fork',
  at: undefined,
  name: undefined,
  port: undefined,
  sharesCredentials: false,
  file: undefined,
  list: false,
  remove: undefined,
} as const;

describe('values that the server has forgotten', () => {
  const reference = { kind: 'ConfigMap', namespace: 'default', name: 'web' };
  const { object: _, ...plainCreated } = created;
  const { object: __, previous: ___, ...plainPainted } = painted;
  const { previous: ____, ...plainGrown } = grown;
  const events = history(
    MAP,
    { ...plainGrown, forgotten: ['previous'], reference },
    { ...plainPainted, forgotten: ['object', 'previous'], reference },
    { ...plainCreated, forgotten: ['object'], reference },
  );
  const shown = [
    '14  -  (server)  modified  ConfigMap default/web  (the value before it is forgotten)\n',
    '12  2026-11-28T10:01:00Z  bob  update  ConfigMap default/web  (the values before and after it are forgotten)\n',
    '10  2026-11-28T10:00:00Z  alice (kubectl)  create  ConfigMap default/web  created (the value is forgotten)\n',
  ];

  it('are said to be so by log, which shows who wrote them', async () => {
    assert.equal(await run(log, events), shown.join(''));
    assert.equal(await run({ ...log, field: '.data.size', limit: 1 }, events), shown[0]);
    const patch = await run({ ...log, patch: true, by: 'bob' }, events);
    assert.equal(
      patch,
      `${shown[1]}  agent kubectl/1.36, audit a-1\n  (the values before and after it are forgotten)\n\n`,
    );
  });

  it('end what blame can tell', async () => {
    const printed = await run({ action: 'blame', target: web }, events);
    assert.match(printed, /^- +before the history +\.data\.size: "big"$/m);
    assert.match(
      printed,
      /\nFields without a revision were set at 14 or before\. The values from before it are forgotten\.\n$/,
    );
  });

  it('cannot be brought back by revert', async () => {
    const revert = { action: 'revert', revisions: ['12'], target: web, force: true, dryRun: false } as const;
    const answers = history(MAP, { ...plainPainted, forgotten: ['object', 'previous'], reference });
    await assert.rejects(
      run(revert, answers),
      /^Error: the write of ConfigMap default\/web at revision 12 cannot be undone: the values before and after it are forgotten$/,
    );
  });

  it('make diff and export name the kinds that they leave out, or fail for the kind that is named', async () => {
    const gone = status(410, 'Expired', 'The values of these objects before 12 are forgotten.');
    const answers = {
      ...history(MAPS),
      [`GET ${MAPS}`]: () => list(second),
      'GET /api/v1/namespaces/default/secrets': () => gone,
    };
    const scope = { namespace: 'default' };
    const request = { action: 'export', transfer: undefined, at: at('10'), withSecrets: true } as const;
    await assert.rejects(
      run({ ...request, target: undefined }, answers, { scope }),
      /^Error: left out, because former values are forgotten: secrets$/,
    );
    await assert.rejects(
      run({ ...request, target: { kind: 'secrets' } }, answers, { scope }),
      /before 12 are forgotten/,
    );
    const all = { ...answers, [`GET ${MAPS}`]: () => gone };
    await assert.rejects(
      run({ action: 'diff', from: at('10'), to: at('12'), target: undefined }, all, { scope }),
      /before 12 are forgotten/,
      'as for a point that is compacted',
    );
  });
});

describe('log -f', () => {
  it('prints the newest events, oldest first, and then each new one', async () => {
    const stop = new AbortController();
    const heads = ['12', '16'];
    const reads: (string | null)[] = [];
    const answers: Answers = {
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        // The second one is asked for when the watch has ended.
        if (query.get('limit') === '1') return page([], { resourceVersion: heads.shift() ?? '16' });
        reads.push(query.get('since'));
        if (query.get('until') === '12') return page([painted, created]);
        if (query.get('since') === '12') return page([removed, grown]);
        assert.equal(query.get('since'), '16');
        stop.abort();
        return page([]);
      },
      [`GET ${MAPS}`]: (query) => {
        const asked = ['watch', 'resourceVersion', 'fieldSelector'].map((name) => query.get(name));
        assert.deepEqual(asked, ['true', '12', 'metadata.name=web']);
        const deleted = { ...third, metadata: { name: 'web', namespace: 'default', resourceVersion: '16' } };
        return {
          lines: [
            { type: 'MODIFIED', object: third },
            { type: 'DELETED', object: deleted },
          ],
        };
      },
    };
    const printed = await run({ ...log, follow: true, limit: 2 }, answers, { signal: stop.signal });
    assert.equal(printed, lines.created + lines.painted + lines.grown + lines.removed);
    assert.deepEqual(reads, [null, '12', '16'], 'the second event needs no read of its own');
  });
});

describe('snapshot', () => {
  it('names a point, lists, deletes, and is a point itself', async () => {
    const bodies: string[] = [];
    const one = { ...fork, name: 'before' };
    const answers: Answers = {
      [`POST ${SNAPSHOTS}`]: (_, request) => {
        bodies.push(bodyOf(request));
        return { status: 201, object: one };
      },
      [`GET ${SNAPSHOTS}`]: () => ({ object: { items: [one] } }),
      [`GET ${SNAPSHOTS}/before`]: () => ({ object: one }),
      [`DELETE ${SNAPSHOTS}/before`]: () => ({ object: one }),
      [`GET ${MAPS}`]: (query) => {
        assert.equal(query.get('resourceVersion'), '12');
        return list(second);
      },
      [`GET /binnacle/v1/history${MAP}`]: (query) => {
        assert.equal(query.get('since'), '12');
        return page([grown]);
      },
    };
    const named = { ...snapshot, name: 'before' };
    assert.equal(await run(named, answers), 'snapshot before is revision 12\n');
    await run({ ...named, at: { type: 'ago', milliseconds: 60_000 } }, answers);
    assert.deepEqual(bodies, ['{"name":"before"}', '{"name":"before","at":"2026-11-28T10:04:00.000Z"}']);
    assert.equal(await run(snapshot, answers), 'before  12  2026-11-28T10:05:00Z\n');
    assert.equal(await run({ ...named, remove: true }, answers), 'snapshot before is deleted\n');
    const point = { type: 'snapshot', text: 'before' } as const;
    assert.match(await run({ action: 'get', target: web, at: point, output: 'yaml' }, answers), /color: blue/);
    assert.equal(await run({ ...log, since: point }, answers), lines.grown);
  });

  it('needs a server that has them', async () => {
    const unknown = { [`GET ${SNAPSHOTS}`]: () => ({ status: 404, chunks: [Buffer.from('404 page not found\n')] }) };
    await assert.rejects(
      run(snapshot, unknown),
      /the server has none: it is not Binnacle, or keeps its objects in etcd/,
    );
    const refused = { [`GET ${SNAPSHOTS}`]: () => status(403, 'Forbidden', 'not an administrator', {}) };
    await assert.rejects(run(snapshot, refused), /not an administrator/);
  });
});

describe('fork', () => {
  it('starts one and writes its kubeconfig, lists, and stops', async () => {
    const bodies: string[] = [];
    const written: string[] = [];
    const writeFile = async (path: string, text: string): Promise<void> => void written.push(`${path}: ${text}`);
    const answers: Answers = {
      [`POST ${FORKS}`]: (_, request) => {
        bodies.push(bodyOf(request));
        return { status: 201, object: { ...fork, kubeconfig: kubeconfigOf(7443) } };
      },
      [`GET ${FORKS}`]: () => ({ object: { items: [fork] } }),
      [`DELETE ${FORKS}/fork-1`]: () => ({ object: fork }),
    };
    const shown = 'fork-1  12  2026-11-28T10:05:00Z  https://127.0.0.1:7443\n';
    assert.equal(await run(start, answers, { writeFile }), `${shown}export KUBECONFIG=fork-1.kubeconfig\n`);
    const options = { at: at('12'), name: 'fork-1', port: 7443, sharesCredentials: true, file: 'config' };
    await run({ ...start, ...options }, answers, { writeFile });
    assert.deepEqual(bodies, [
      '{"sharesCredentials":false}',
      '{"name":"fork-1","at":"12","port":7443,"sharesCredentials":true}',
    ]);
    assert.deepEqual(
      written,
      ['fork-1.kubeconfig', 'config'].map((path) => `${path}: ${kubeconfigOf(7443)}`),
    );
    assert.equal(await run({ ...start, list: true }, answers), shown);
    assert.equal(await run({ ...start, remove: 'fork-1' }, answers), 'fork fork-1 has stopped\n');
  });

  it('writes no file outside of the folder for a server that lies about the name', async () => {
    const name = '../../fork';
    const answers: Answers = {
      [`POST ${FORKS}`]: () => ({ status: 201, object: { ...fork, name, kubeconfig: kubeconfigOf(7443) } }),
    };
    const writeFile = async (path: string): Promise<void> => assert.fail(path);
    await assert.rejects(run(start, answers, { writeFile }), /an invalid name, "\.\.\/\.\.\/fork"$/);
  });

  it('rejects at a revision that no server has, which a bisection would halve for ever', async () => {
    for (const resourceVersion of ['1e300', '99999999999999999999', '']) {
      const answers: Answers = {
        [`POST ${FORKS}`]: () => ({
          status: 201,
          object: { ...fork, resourceVersion, kubeconfig: kubeconfigOf(7443) },
        }),
      };
      await assert.rejects(run(start, answers), /an invalid revision$/);
    }
  });

  it('prints what a server says without its control characters', async () => {
    const name = '\u001b[2Jx';
    const answers: Answers = {
      [`GET ${FORKS}`]: () => ({ object: { items: [{ ...fork, name }] } }),
      [`GET ${SNAPSHOTS}`]: () => ({ object: { items: [{ ...fork, name }] } }),
      [`DELETE ${FORKS}/fork-1`]: () => ({ object: { ...fork, name } }),
    };
    for (const request of [{ ...start, list: true }, snapshot, { ...start, remove: 'fork-1' }]) {
      assert.match(await run(request, answers), /^(?:fork )?\\u001b\[2Jx/);
    }
  });

  it('stops it when its kubeconfig cannot be written', async () => {
    let stopped = 0;
    const answers: Answers = {
      [`POST ${FORKS}`]: () => ({ status: 201, object: { ...fork, kubeconfig: kubeconfigOf(7443) } }),
      [`DELETE ${FORKS}/fork-1`]: () => {
        stopped += 1;
        return { object: fork };
      },
    };
    const writeFile = () => Promise.reject(new Error('the folder is read-only'));
    await assert.rejects(run(start, answers, { writeFile }), /^Error: the folder is read-only$/);
    assert.equal(stopped, 1);
  });
});

describe('bisect', () => {
  const bisect = { action: 'bisect', good: at('4'), bad: at('15'), command: ['check', 'it'] } as const;

  /** A server whose state is bad from revision 12 on. */
  const server = () => {
    const running = new Set<string>();
    const answers: Answers = {
      [`POST ${FORKS}`]: (_, request) => {
        const { at: revision } = JSON.parse(bodyOf(request)) as { at: string };
        running.add(`fork-${revision}`);
        return {
          object: { ...fork, name: `fork-${revision}`, resourceVersion: revision, kubeconfig: kubeconfigOf(revision) },
        };
      },
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, revision) => [
          `DELETE ${FORKS}/fork-${revision}`,
          () => {
            running.delete(`fork-${revision}`);
            return { object: fork };
          },
        ]),
      ),
      ...history(MAPS.replace('/namespaces/default', ''), painted),
      'GET /binnacle/v1/history/api/v1/secrets': () => page([]),
    };
    return { answers, running };
  };
  const badFrom = (revision: number) => async (command: readonly string[], kubeconfig: string) => {
    assert.deepEqual(command, ['check', 'it']);
    return revisionIn(kubeconfig) < revision ? 0 : 1;
  };

  it('runs the command on forks, and shows the event that made it fail', async () => {
    const { answers, running } = server();
    const printed = await run(bisect, answers, { runCommand: badFrom(12) });
    const tried = ['4 is good', '15 is bad', '9 is good', '12 is bad', '10 is good', '11 is good'];
    assert.ok(printed.startsWith([...tried, '12 is the first bad revision', lines.painted].join('\n')), printed);
    assert.deepEqual([...running], [], 'no fork is left');
  });

  it('refuses points that do not enclose the event, and ends with a command that is killed', async () => {
    const { answers, running } = server();
    await assert.rejects(run(bisect, answers, { runCommand: badFrom(2) }), /fails at the good revision, 4$/);
    await assert.rejects(run(bisect, answers, { runCommand: badFrom(20) }), /succeeds at the bad revision, 15$/);
    const turned = { ...bisect, good: at('15'), bad: at('4') };
    const runCommand = async (_: readonly string[], text: string): Promise<number> => (revisionIn(text) === 15 ? 0 : 1);
    await assert.rejects(run(turned, answers, { runCommand }), /the good revision is newer than the bad one/);
    await assert.rejects(run(bisect, answers, { runCommand: async () => 130 }), /the command ended with 130/);
    assert.deepEqual([...running], []);
  });

  it('leaves no fork when it is stopped', async () => {
    const { answers, running } = server();
    const stop = new AbortController();
    const runCommand = async (): Promise<number> => {
      assert.equal(running.size, 1);
      stop.abort(new Error('stopped'));
      return 143;
    };
    await assert.rejects(run(bisect, answers, { runCommand, signal: stop.signal }), /^Error: stopped$/);
    assert.deepEqual([...running], []);
  });
});
