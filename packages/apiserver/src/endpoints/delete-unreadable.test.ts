import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Status } from '@binnacle/apimachinery/status';
import { statusErrorOf } from '../registry/index.js';
import { answer, configMap, testResource, type TestResource, testScope, withDamagedValue } from '../testing/index.js';

const URL = '/api/v1/namespaces/team/configmaps';
const PREFIX = '/registry/configmaps/team/';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const VERB = 'unsafe-delete-ignore-read-errors';

/** Readable objects `a` and `c`, with two between them that hold no object. */
async function filled(): Promise<TestResource & { readonly revisions: readonly number[] }> {
  const resource = testResource();
  for (const name of ['a', 'c']) await resource.store.create(testScope({ namespace: 'team' }), configMap(name));
  const revisions: number[] = [];
  for (const [name, text] of [
    ['bad', 'garbage'],
    ['worse', '{"apiVersion":"v9"}'],
  ] as const) {
    const operation = { type: 'put', value: Buffer.from(text) } as const;
    const { revision } = await resource.kv.txn({ key: PREFIX + name, expectedRevision: 0, operation });
    revisions.push(revision);
  }
  return { ...resource, revisions, [Symbol.asyncDispose]: () => resource[Symbol.asyncDispose]() };
}

type Decide = (verb: string) => { readonly allowed: boolean; readonly reason: string; readonly error?: string };

/** `decide`: undefined = the feature is off. */
async function send(resource: TestResource, method: string, path: string, body?: object, decide?: Decide) {
  const request = {
    method,
    url: URL + path,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(decide === undefined ? {} : { unsafeDeletion: decide }),
  };
  const answered = await answer(resource.endpoint, request).catch((error: unknown) => {
    const { status } = statusErrorOf(error);
    return { status: status.code, body: JSON.stringify(status) };
  });
  return { code: answered.status, status: JSON.parse(answered.body) as Status };
}

const allow: Decide = () => ({ allowed: true, reason: '' });

function corrupt(key: string, revision: number): RegExp {
  const head = `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: `;
  return new RegExp(`^(Internal error occurred: )?${head}object not decodable revision=${revision}: .`);
}

describe('an object that cannot be decoded, with the feature', () => {
  it('is named by the answers, as by kube-apiserver', async () => {
    await using resource = await filled();
    const [bad = 0, worse = 0] = resource.revisions;
    const key = '/configmaps/team/bad';
    for (const method of ['GET', 'DELETE']) {
      const { code, status } = await send(resource, method, '/bad', undefined, allow);
      assert.deepEqual([code, status.reason], [500, 'InternalError']);
      assert.match(status.message ?? '', corrupt(key, bad));
      assert.match(status.details?.causes?.[0]?.message ?? '', corrupt(key, bad));
    }
    const writes = [
      ['PUT', configMap('bad')],
      ['PATCH', {}],
    ] as const;
    for (const [method, body] of writes) {
      const { code, status } = await send(resource, method, '/bad', body, allow);
      assert.deepEqual([code, status.reason], [500, undefined]);
      assert.match(status.message ?? '', new RegExp(`^object not decodable revision=${bad}: .`));
    }
    const { code } = await send(resource, 'POST', '', configMap('bad'), allow);
    assert.equal(code, 409);
    const { status } = await send(resource, 'GET', '', undefined, allow);
    const { causes = [], ...details } = status.details ?? {};
    assert.deepEqual(
      [status.code, status.reason, status.message, details],
      [
        500,
        'StorageReadError',
        'failed to read one or more configmaps from the storage',
        { name: 'list', kind: 'configmaps' },
      ],
    );
    assert.deepEqual(
      causes.map(({ reason, field }) => [reason, field]),
      [
        ['UnexpectedServerResponse', `${PREFIX}bad`],
        ['UnexpectedServerResponse', `${PREFIX}worse`],
      ],
    );
    assert.match(causes[1]?.message ?? '', corrupt(`${PREFIX}worse`, worse));
    for (const [query, count] of [
      ['limit=1', 0],
      ['limit=2', 1],
      ['limit=2&labelSelector=x', 2],
      ['limit=3', 2],
    ] as const) {
      const page = await send(resource, 'GET', `?${query}`, undefined, allow);
      assert.equal(page.status.details?.causes?.length ?? 0, count, query);
    }
  });

  it('is deleted with the option and the right to do so', async () => {
    await using resource = await filled();
    const asked: string[] = [];
    const decide: Decide = (verb) => {
      asked.push(verb);
      return { allowed: true, reason: '' };
    };
    const answered = await send(resource, 'DELETE', '/bad', { [OPTION]: true }, decide);
    assert.deepEqual(answered.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'bad', kind: 'ConfigMap' },
      code: 200,
    });
    assert.deepEqual(asked, [VERB]);
    assert.equal(await resource.storage.get(`${PREFIX}bad`), undefined);
    assert.equal((await send(resource, 'DELETE', `/worse?${OPTION}=true`, undefined, decide)).code, 200);
    assert.equal((await send(resource, 'GET', '')).code, 200);
  });

  const exclusively = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  const collection = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  const invalid = (why: string): string => `is invalid: ${OPTION}: Invalid value: true: ${why}`;
  const cases: readonly (readonly [what: string, path: string, decide: Decide, code: number, message: string])[] = [
    ['a readable object', '/c', allow, 422, `configmaps "c" ${invalid(exclusively)}`],
    ['an absent object', '/absent', allow, 422, `configmaps "absent" ${invalid(exclusively)}`],
    ['a collection', '', allow, 422, `DeleteOptions.meta.k8s.io "" ${invalid(collection)}`],
    [
      'a user without the right',
      '/bad',
      () => ({ allowed: false, reason: 'no rule' }),
      403,
      `configmaps "bad" is forbidden: not permitted to do "${VERB}", reason: no rule`,
    ],
    [
      'an authorizer that fails',
      '/bad',
      () => ({ allowed: false, reason: '', error: 'away' }),
      403,
      `configmaps "bad" is forbidden: error while checking permission for "${VERB}", away`,
    ],
  ];
  for (const [what, path, decide, code, message] of cases) {
    it(`is not deleted for ${what}`, async () => {
      await using resource = await filled();
      const answered = await send(resource, 'DELETE', path, { [OPTION]: true }, decide);
      assert.deepEqual([answered.code, answered.status.message], [code, message]);
      assert.equal((await resource.kv.range({ prefix: PREFIX, keysOnly: true })).count, 4);
    });
  }

  it('is kept where upstream has no unsafe deleter', async () => {
    await using resource = testResource({ strategy: { keepsUnreadable: true } });
    const answered = await send(resource, 'DELETE', '/bad', { [OPTION]: true }, allow);
    const message = `Internal error occurred: no unsafe deleter provided, can not honor ${OPTION}`;
    assert.deepEqual([answered.code, answered.status.message], [500, message]);
  });

  it('is deleted in its newest revision', async () => {
    await using resource = await filled();
    const { kv } = resource;
    let writes = 0;
    const key = `${PREFIX}bad`;
    const overtaken = testResource({
      wrapKV: () => ({
        ...withDamagedValue(kv, key),
        txn: async (request) => {
          if (writes++ === 0) {
            const { items } = await kv.range({ prefix: key, exact: true });
            const operation = { type: 'put', value: Buffer.from('more garbage') } as const;
            await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation });
          }
          return kv.txn(request);
        },
      }),
    });
    assert.equal(await overtaken.storage.deleteUnreadable(key), true);
    assert.equal(writes, 2);
    assert.equal(await overtaken.storage.deleteUnreadable(key), false);
    await overtaken[Symbol.asyncDispose]();
  });
});

describe('an object that cannot be decoded, without the feature', () => {
  it('is named by the answers, and the option is ignored', async () => {
    await using resource = await filled();
    for (const [method, path] of [
      ['GET', '/bad'],
      ['DELETE', '/bad'],
      ['DELETE', `/bad?${OPTION}=true&dryRun=All`],
      ['GET', ''],
    ] as const) {
      const { code, status } = await send(resource, method, path);
      assert.deepEqual([code, status.reason], [500, 'InternalError'], path);
      const text = `Internal error occurred: the stored data of "${PREFIX}bad" cannot be decoded: `;
      assert.ok(status.message?.startsWith(text), status.message);
      if (path === '') assert.ok(status.message?.endsWith(`; other objects cannot be read either: "${PREFIX}worse"`));
    }
    assert.equal((await send(resource, 'DELETE', `/c?${OPTION}=true`)).code, 200);
    assert.equal((await send(resource, 'DELETE', `?${OPTION}=true`)).code, 500);
  });
});
