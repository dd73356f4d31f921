import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import { unionAuthenticator } from '../authentication/index.js';
import {
  makeSigningKeyText,
  readSigningKey,
  serviceAccountAuthenticator,
  tokenKeys,
} from '../serviceaccounts/index.js';
import { answer } from '../testing/index.js';
import { testResourceApi } from './server.testing.js';

const NOW = Date.UTC(2026, 0, 2);
const ISSUER = 'https://issuer.example';
const ownKeys = tokenKeys(readSigningKey(await makeSigningKeyText()));
const keys = async () => ownKeys;

interface Document {
  readonly message?: string;
  readonly metadata: { readonly uid: string; readonly name?: string; readonly creationTimestamp?: string };
  readonly spec: { readonly audiences: readonly string[]; readonly expirationSeconds: number };
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

type Answered = Document & { readonly code: number; readonly warnings: readonly string[] };

interface Server {
  readonly send: (method: string, url: string, body?: object) => Promise<Answered>;
  /** Requests a token of `bot` in `n`. */
  readonly request: (spec: object, metadata?: object) => Promise<Answered>;
  readonly authenticate: (token: string) => Promise<unknown>;
  readonly clock: VirtualClock;
}

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot' } };
const accounts = '/api/v1/namespaces/n/serviceaccounts';
const pod = (serviceAccountName: string, nodeName?: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { serviceAccountName, nodeName, containers: [{ name: 'c', image: 'i' }] },
});

async function withServer(options: { maximumSeconds?: number }, run: (server: Server) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const clock = new VirtualClock(NOW);
  const issuing = { issuer: ISSUER, apiAudiences: [ISSUER], keys, maximumSeconds: 0, extendsExpiration: true };
  const api = testResourceApi(kv, { clock, tokens: { ...issuing, ...options } });
  const authenticator = serviceAccountAuthenticator({
    issuers: [ISSUER],
    apiAudiences: [ISSUER],
    keys,
    subjects: api.sources.subjects,
    now: () => clock.now(),
    used: () => undefined,
  });
  const authenticate = unionAuthenticator({ authenticators: [authenticator], anonymous: true });
  const send = async (method: string, url: string, body?: object): Promise<Answered> => {
    const [, resource = ''] = /^\/api\/v1\/(?:namespaces\/n\/)?([a-z]+)/.exec(url) ?? [];
    const endpoint = api.catalog.find('', resource);
    assert.ok(endpoint !== undefined, url);
    const request = { method, url, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const { status, body: text, warnings } = await answer({ ...endpoint, plugins: [] }, request);
    return { ...(JSON.parse(text) as Document), code: status, warnings };
  };
  try {
    assert.equal((await send('POST', accounts, account)).code, 201);
    const request = (spec: object, metadata: object = {}): Promise<Answered> =>
      send('POST', `${accounts}/bot/token`, { ...head, metadata, spec });
    await run({ send, request, authenticate: async (bearerToken) => authenticate({ bearerToken }), clock });
  } finally {
    api.catalog.stop();
  }
}

const head = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };

function claimsOf({ status }: Answered): Record<string, unknown> {
  const [, payload = ''] = status.token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

describe('token requests', () => {
  it('return a token for an hour, which authenticates until the account is deleted', () =>
    withServer({}, async ({ send, request, authenticate }) => {
      const answered = await request({});
      const { uid } = (await send('GET', `${accounts}/bot`)).metadata;
      assert.equal(answered.code, 201);
      assert.equal(answered.status.expirationTimestamp, '2026-01-02T01:00:00Z');
      assert.equal(answered.metadata.uid, uid);
      assert.deepEqual(answered.spec.audiences, [ISSUER]);
      const { jti, ...claims } = claimsOf(answered);
      assert.match(String(jti), /^[0-9a-f-]{36}$/);
      assert.deepEqual(claims, {
        aud: [ISSUER],
        exp: NOW / 1000 + 3600,
        iat: NOW / 1000,
        iss: ISSUER,
        'kubernetes.io': { namespace: 'n', serviceaccount: { name: 'bot', uid } },
        nbf: NOW / 1000,
        sub: 'system:serviceaccount:n:bot',
      });
      assert.deepEqual(await authenticate(answered.status.token), {
        name: 'system:serviceaccount:n:bot',
        uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${String(jti)}`] },
      });
      assert.equal((await send('DELETE', `${accounts}/bot`)).code, 200);
      await assert.rejects(authenticate(answered.status.token), /^StatusError: Unauthorized$/);
      assert.equal((await send('POST', accounts, account)).code, 201);
      await assert.rejects(authenticate(answered.status.token), /^StatusError: Unauthorized$/);
      assert.ok(await authenticate((await request({})).status.token));
    }));

  it('expire by the clock of the server', () =>
    withServer({}, async ({ request, authenticate, clock }) => {
      const { token } = (await request({ expirationSeconds: 600 })).status;
      clock.skip(600_000);
      assert.ok(await authenticate(token));
      clock.skip(60_001);
      await assert.rejects(authenticate(token), /^StatusError: Unauthorized$/);
    }));

  it('are refused in the words of kube-apiserver', () =>
    withServer({}, async ({ send, request }) => {
      const refusal = async (spec: object, metadata?: object) => {
        const { code, message } = await request(spec, metadata);
        return `${code} ${message}`;
      };
      const invalid = '422 TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ';
      assert.equal(
        await refusal({ expirationSeconds: 599 }),
        `${invalid}599: may not specify a duration less than 10 minutes`,
      );
      assert.equal(
        await refusal({ expirationSeconds: 4294967297 }),
        `${invalid}4294967297: may not specify a duration larger than 2^32 seconds`,
      );
      assert.equal(
        await refusal({}, { name: 'x' }),
        '422 TokenRequest.authentication.k8s.io "bot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
      );
      assert.match(
        await refusal({}, { uid: 'x' }),
        /^409 .*TokenRequest\.authentication\.k8s\.io "bot": the UID in the/,
      );
      assert.match(await refusal({}, { namespace: 'x' }), /^400 the namespace of the provided object does not match/);
      const absent = await send('POST', `${accounts}/absent/token`, { ...head, spec: {} });
      assert.equal(absent.message, 'serviceaccounts "absent" not found');
    }));

  it('are shortened to the configured maximum', () =>
    withServer({ maximumSeconds: 7200 }, async ({ request }) => {
      const answered = await request({ expirationSeconds: 10_000 });
      assert.deepEqual(answered.warnings, ['requested expiration of 10000 seconds shortened to 7200 seconds']);
      assert.equal(answered.spec.expirationSeconds, 7200);
      assert.equal(claimsOf(answered)['exp'], NOW / 1000 + 7200);
    }));
});

describe('bound tokens', () => {
  const boundTo = (kind: string, name: string, uid?: string): object => ({
    boundObjectRef: { apiVersion: 'v1', kind, name, uid },
  });

  it('of a pod name its node, end with it, and outlive the requested hour', () =>
    withServer({}, async ({ send, request, authenticate, clock }) => {
      const { uid: node } = (
        await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } })
      ).metadata;
      const { uid } = (await send('POST', '/api/v1/namespaces/n/pods', pod('bot', 'm'))).metadata;
      const answered = await request({ ...boundTo('Pod', 'p', uid), expirationSeconds: 3607 });
      const claims = claimsOf(answered);
      assert.equal(claims['exp'], NOW / 1000 + 365 * 24 * 3600);
      const { uid: bot } = (await send('GET', `${accounts}/bot`)).metadata;
      assert.deepEqual(claims['kubernetes.io'], {
        namespace: 'n',
        node: { name: 'm', uid: node },
        pod: { name: 'p', uid },
        serviceaccount: { name: 'bot', uid: bot },
        warnafter: NOW / 1000 + 3607,
      });
      assert.equal(answered.status.expirationTimestamp, '2026-01-02T01:00:07Z');
      clock.skip(24 * 3600_000);
      assert.ok(await authenticate(answered.status.token));
      await send('DELETE', '/api/v1/namespaces/n/pods/p?gracePeriodSeconds=0');
      await assert.rejects(authenticate(answered.status.token), /^StatusError: Unauthorized$/);
    }));

  it('of a secret or a node end with it', () =>
    withServer({}, async ({ send, request, authenticate }) => {
      await send('POST', '/api/v1/namespaces/n/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
      await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } });
      for (const [spec, path] of [
        [boundTo('Secret', 's'), '/api/v1/namespaces/n/secrets/s'],
        [boundTo('Node', 'm'), '/api/v1/nodes/m'],
      ] as const) {
        const { token } = (await request(spec)).status;
        assert.ok(await authenticate(token));
        await send('DELETE', path);
        await assert.rejects(authenticate(token), /^StatusError: Unauthorized$/);
      }
    }));

  it('are refused for absent or unsupported objects', () =>
    withServer({}, async ({ send, request }) => {
      await send('POST', '/api/v1/namespaces/n/pods', pod('other'));
      const refusal = async (spec: object) => {
        const { code, message } = await request(spec);
        return `${code} ${message}`;
      };
      assert.equal(
        await refusal(boundTo('Pod', 'p')),
        '400 cannot bind token for serviceaccount "bot" to pod running with different serviceaccount name.',
      );
      assert.equal(await refusal(boundTo('Pod', '')), '400 Name parameter required.');
      assert.equal(await refusal(boundTo('Secret', 'absent')), '404 secrets "absent" not found');
      assert.equal(
        await refusal(boundTo('ConfigMap', 'c')),
        '400 cannot bind token to object of type /v1, Kind=ConfigMap',
      );
      assert.match(await refusal(boundTo('Node', '../x')), /^4\d\d /);
      assert.match(await refusal(boundTo('Node', '')), /^[45]\d\d /);
      await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } });
      assert.equal(
        await refusal(boundTo('Node', 'm', 'u')),
        '409 Operation cannot be fulfilled on Node "m": the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
      );
    }));
});
