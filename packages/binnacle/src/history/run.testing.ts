import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { type HistoryParts, runHistory } from './index.js';
import type { HistoryAction, Scope } from './requests/request.js';

const NOW = Date.parse('2026-11-28T10:05:00Z');
export const MAPS = '/api/v1/namespaces/default/configmaps';
export const MAP = `${MAPS}/web`;

export const map = (resourceVersion: string, data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', namespace: 'default', uid: 'u-1', resourceVersion },
  data,
});
export const first = map('10', { color: 'red' });
export const second = map('12', { color: 'blue' });
export const third = map('14', { color: 'blue', size: 'big' });

const writer = (user: string, verb: string) => ({
  user,
  manager: user === 'alice' ? 'kubectl' : '',
  userAgent: 'kubectl/1.36',
  verb,
  subresource: '',
  auditID: 'a-1',
});
const made = { type: 'ADDED', resourceVersion: '10', time: '2026-11-28T10:00:00Z', object: first };
export const created = { ...made, writer: writer('alice', 'create') };
export const painted = {
  type: 'MODIFIED',
  resourceVersion: '12',
  time: '2026-11-28T10:01:00Z',
  writer: writer('bob', 'update'),
  object: second,
  previous: first,
};
export const grown = { type: 'MODIFIED', resourceVersion: '14', object: third, previous: second };
export const removed = { type: 'DELETED', resourceVersion: '16', previous: third, writer: writer('bob', 'delete') };

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

export const page = (items: readonly unknown[], metadata: JsonObject = {}): ScriptedAnswer => ({
  object: { items, metadata },
});
export const list = (...items: readonly JsonObject[]): ScriptedAnswer => ({
  object: { apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items },
});
export const status = (code: number, reason: string, message: string, details?: JsonObject): ScriptedAnswer => ({
  status: code,
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details },
});

/** Answers by `METHOD path`. Refuses secrets; other requests fail the test. */
export type Answers = Readonly<Record<string, (query: URLSearchParams, request: TransportRequest) => ScriptedAnswer>>;

interface Doubles {
  readonly scope?: Scope;
  readonly runCommand?: HistoryParts['runCommand'];
  readonly writeFile?: HistoryParts['writeFile'];
  readonly signal?: AbortSignal;
}

export async function run(action: HistoryAction, answers: Answers, doubles: Doubles = {}): Promise<string> {
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

export const history = (path: string, ...items: readonly unknown[]): Answers => ({
  [`GET /binnacle/v1/history${path}`]: () => page(items),
});
export const web = { kind: 'configmap', name: 'web' };
export const log = {
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
export const at = (text: string) => ({ type: 'revision', text }) as const;

export const lines = {
  removed: '16  -  bob  delete  ConfigMap default/web  deleted\n',
  grown: '14  -  (server)  modified  ConfigMap default/web  .data.size: (none) -> "big"\n',
  painted: '12  2026-11-28T10:01:00Z  bob  update  ConfigMap default/web  .data.color: "red" -> "blue"\n',
  created: '10  2026-11-28T10:00:00Z  alice (kubectl)  create  ConfigMap default/web  created\n',
};
export const all = history(MAP, removed, grown, painted, created);

export const listed: Answers = {
  [`GET ${MAPS}`]: (query) => {
    assert.equal(query.get('resourceVersionMatch'), 'Exact');
    return query.get('resourceVersion') === '9' ? list() : list(query.get('resourceVersion') === '10' ? first : third);
  },
  [`GET /binnacle/v1/history${MAP}`]: () => page([], { resourceVersion: '10' }),
};
