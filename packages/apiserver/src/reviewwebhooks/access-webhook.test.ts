import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { AuthorizationAttributes } from '../authorization/index.js';
import { type CallOptions, type PostOptions, WebhookCallError } from '../webhooks/index.js';
import { type AccessWebhook, accessWebhookAuthorizer } from './access-webhook.js';

interface Sent {
  readonly apiVersion: string;
  readonly spec: JsonObject;
}

const asked: AuthorizationAttributes = {
  user: { name: 'jane', uid: 'u', groups: ['dev'], extra: { team: ['blue'] } },
  verb: 'list',
  isResourceRequest: true,
  namespace: 'team',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  name: '',
  path: '',
};
const review = (status: object, version = 'v1') => ({
  apiVersion: `authorization.k8s.io/${version}`,
  kind: 'SubjectAccessReview',
  status,
});

function setUp(answer: (sent: Sent) => unknown, changes: Partial<AccessWebhook> = {}) {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const limits: CallOptions[] = [];
  const notes: string[] = [];
  const service = {
    post: async (body: Uint8Array, { attempted, ...given }: PostOptions) => {
      limits.push(given);
      const object = JSON.parse(Buffer.from(body).toString()) as Sent;
      sent.push(object);
      const answered = answer(object);
      attempted?.(2000, answered instanceof Error ? answered : undefined);
      if (answered instanceof Error) throw answered;
      return Buffer.from(typeof answered === 'string' ? answered : JSON.stringify(answered));
    },
  };
  const webhook: AccessWebhook = {
    service: { url: '', credentials: () => ({}) },
    version: 'v1',
    timeoutMs: 2000,
    authorizedMs: 5000,
    unauthorizedMs: 1000,
    deniesOnFailure: false,
    conditions: undefined,
    ...changes,
  };
  const authorizer = accessWebhookAuthorizer(webhook, service, clock, {
    called: (result, seconds) => void notes.push(`${result} after ${seconds} s`),
    failedOpen: (result) => void notes.push(`failed open: ${result}`),
    conditionsEvaluated: (outcome) => void notes.push(outcome),
  });
  const ask = (more: Partial<AuthorizationAttributes> = {}) => authorizer.authorize({ ...asked, ...more });
  return { ask, sent, limits, clock, notes };
}

describe('accessWebhookAuthorizer', () => {
  it('sends what is asked, without empty fields, and with selectors of lists alone', async () => {
    const { ask, sent, limits } = setUp(() => review({ allowed: true, reason: 'because' }));
    const selectors = {
      fieldSelector: 'spec.nodeName=n,metadata.name!=x',
      labelSelector: 'a=b,c notin (d,e),f,!g,h>1',
    };
    assert.deepEqual(await ask(selectors), { allowed: true, reason: 'because' });
    await ask({ ...selectors, verb: 'create' });
    await ask({
      isResourceRequest: false,
      path: '/metrics',
      verb: 'get',
      user: { name: 'x', uid: '', groups: [], extra: {} },
    });
    const user = { user: 'jane', groups: ['dev'], extra: { team: ['blue'] }, uid: 'u' };
    const place = { namespace: 'team', group: 'apps', version: 'v1', resource: 'deployments' };
    assert.deepEqual(
      sent.map(({ spec }) => spec),
      [
        {
          ...user,
          resourceAttributes: {
            ...place,
            verb: 'list',
            fieldSelector: {
              requirements: [
                { key: 'metadata.name', operator: 'NotIn', values: ['x'] },
                { key: 'spec.nodeName', operator: 'In', values: ['n'] },
              ],
            },
            labelSelector: {
              requirements: [
                { key: 'a', operator: 'In', values: ['b'] },
                { key: 'c', operator: 'NotIn', values: ['d', 'e'] },
                { key: 'f', operator: 'Exists' },
                { key: 'g', operator: 'DoesNotExist' },
              ],
            },
          },
        },
        { ...user, resourceAttributes: { ...place, verb: 'create' } },
        { user: 'x', nonResourceAttributes: { path: '/metrics', verb: 'get' } },
      ],
    );
    assert.equal(limits[0]?.timeoutSeconds, 2);
  });

  it('asks without a selector that is very long', async () => {
    const { ask, sent } = setUp(() => review({ allowed: true }));
    const labelSelector = `${'a,'.repeat(70_000)}b`;
    await ask({ labelSelector, fieldSelector: 'metadata.name!=x' });
    await ask({ labelSelector: 'b', fieldSelector: 'a=b,'.repeat(40_000) });
    const selectors = sent.map(({ spec }) => Object.keys(spec['resourceAttributes'] ?? {}).slice(-1));
    assert.deepEqual(selectors, [['fieldSelector'], ['labelSelector']]);
  });

  it('names groups otherwise in the older version', async () => {
    const { ask, sent } = setUp(() => review({ allowed: true }, 'v1beta1'), { version: 'v1beta1' });
    assert.equal((await ask()).allowed, true);
    assert.deepEqual(
      [sent[0]?.apiVersion, sent[0]?.spec['group'], sent[0]?.spec['groups']],
      ['authorization.k8s.io/v1beta1', ['dev'], undefined],
    );
  });

  it('decides as the answer says', async () => {
    const decision = (status: object) => setUp(() => review(status)).ask();
    assert.deepEqual(await decision({ allowed: false }), { allowed: false, denied: false, reason: '' });
    assert.deepEqual(await decision({ denied: true, reason: 'no' }), { allowed: false, denied: true, reason: 'no' });
    const both = 'webhook subject access review returned both allow and deny response';
    assert.deepEqual(await decision({ allowed: true, denied: true }), {
      allowed: false,
      denied: true,
      reason: '',
      error: both,
    });
  });

  it('caches answers for the time of their kind, and no long question', async () => {
    const { ask, sent, clock } = setUp(({ spec }) => review({ allowed: spec['uid'] === 'u' }));
    const other = { user: { ...asked.user, uid: 'other' } };
    for (const more of [{}, other, {}, other]) await ask(more);
    assert.equal(sent.length, 2);
    await clock.advance(1000);
    for (const more of [{}, other]) await ask(more);
    assert.equal(sent.length, 3);
    await clock.advance(4000);
    await ask();
    assert.equal(sent.length, 4);
    const long = { name: 'x'.repeat(10_000) };
    await ask(long);
    await ask(long);
    assert.equal(sent.length, 6);
  });

  it('denies or has no opinion when it fails, as its policy says, and asks again', async () => {
    for (const deniesOnFailure of [true, false]) {
      const { ask, sent } = setUp(() => new WebhookCallError('down'), { deniesOnFailure });
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(await ask(), { allowed: false, denied: deniesOnFailure, reason: '', error: 'down' });
      }
      assert.equal(sent.length, 2);
    }
    const wrong = await setUp(() => review({ allowed: 'yes' })).ask();
    assert.equal(wrong.error, 'the webhook answered with a field "allowed" that is not a boolean');
    assert.match(
      (await setUp(() => 'hello').ask()).error ?? '',
      /^couldn't get version\/kind; json parse error: json: cannot unmarshal string /,
    );
  });

  it('reports each attempt, and what it makes of a failure', async () => {
    const answers = [
      new WebhookCallError('slow', { timedOut: true }),
      new WebhookCallError('late', { code: 504 }),
      'hello',
      review({ allowed: true }),
    ];
    const { ask, notes } = setUp(() => answers.shift());
    for (let time = 0; time < 4; time++) await ask();
    assert.deepEqual(notes, [
      'timeout after 2 s',
      'failed open: timeout',
      'timeout after 2 s',
      'failed open: timeout',
      'error after 2 s',
      'failed open: error',
      'success after 2 s',
    ]);
    const strict = setUp(() => new WebhookCallError('down'), { deniesOnFailure: true });
    await strict.ask();
    assert.deepEqual(strict.notes, ['error after 2 s']);
  });

  it('is not asked unless its conditions match', async () => {
    const outcomes = [{ matches: false }, { error: 'unknown' }, { matches: true }];
    const conditions = { evaluate: async () => outcomes.shift() ?? { matches: true } };
    const { ask, sent, notes } = setUp(() => review({ allowed: true }), { conditions, deniesOnFailure: true });
    assert.deepEqual(await ask(), { allowed: false, reason: '' });
    assert.deepEqual(await ask(), { allowed: false, denied: true, reason: '', error: 'unknown' });
    assert.equal(sent.length, 0);
    assert.equal((await ask()).allowed, true);
    assert.deepEqual(notes, ['excluded', 'error', 'matched', 'success after 2 s']);
  });
});
