import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import { WebhookCallError } from '../webhooks/index.js';
import { type TokenCacheObserver, tokenWebhookAuthenticator, type TokenWebhookOptions } from './token-webhook.js';

const jane = { username: 'jane', uid: 'u', groups: ['dev'], extra: { team: ['blue'] } };
const known = { authenticated: true, user: jane };

interface Sent {
  readonly apiVersion: string;
  readonly spec: { readonly token: string; readonly audiences: readonly string[] };
}

/** An authenticator over a service that answers with this, and what the service was sent. */
function setUp(answer: (sent: Sent) => unknown, options: Partial<TokenWebhookOptions> = {}) {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const deadlines: number[] = [];
  const told: string[] = [];
  const observer: TokenCacheObserver = {
    hit: () => told.push('hit'),
    missed: () => {
      told.push('blocked');
      return () => told.push('miss');
    },
    fetching: () => {
      told.push('in flight');
      return (succeeded) => told.push(succeeded ? 'ok' : 'error');
    },
  };
  const authenticator = tokenWebhookAuthenticator({
    service: {
      post: async (body, { deadline }) => {
        deadlines.push(deadline - clock.monotonic());
        const review = JSON.parse(Buffer.from(body).toString()) as Sent;
        sent.push(review);
        const given = await answer(review);
        return Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
      },
    },
    version: 'v1',
    cacheMs: 60_000,
    apiAudiences: ['api'],
    clock,
    observer,
    ...options,
  });
  const ask = async (bearerToken: string, audiences?: readonly string[]) => {
    try {
      return await authenticator.authenticate({ bearerToken, ...(audiences === undefined ? {} : { audiences }) });
    } catch (error) {
      assert.ok(error instanceof StatusError && error.code === 401, String(error));
      return String(error.cause);
    }
  };
  return { ask, sent, deadlines, told, clock };
}

const review = (status: object, version = 'v1') => ({
  apiVersion: `authentication.k8s.io/${version}`,
  kind: 'TokenReview',
  status,
});

describe('tokenWebhookAuthenticator', () => {
  it('takes the user from the answer', async () => {
    const { ask, sent, deadlines } = setUp(() => review(known));
    const user = { name: 'jane', uid: 'u', groups: ['dev'], extra: { team: ['blue'] } };
    assert.deepEqual(await ask('t'), user);
    assert.deepEqual(
      sent.map(({ apiVersion, spec }) => [apiVersion, spec]),
      [['authentication.k8s.io/v1', { token: 't', audiences: ['api'] }]],
    );
    assert.deepEqual(deadlines, [30_000]);
  });

  it('sends and expects reviews of its version', async () => {
    const { ask, sent } = setUp(() => review(known, 'v1beta1'), { version: 'v1beta1' });
    assert.equal(typeof (await ask('t')), 'object');
    assert.equal(sent[0]?.apiVersion, 'authentication.k8s.io/v1beta1');
  });

  it('asks about no empty token and no token above 64 KiB', async () => {
    const { ask, sent } = setUp(() => review(known));
    assert.deepEqual([await ask(''), await ask('x'.repeat(70_000)), sent.length], [undefined, undefined, 0]);
  });

  it('caches answers, also refusals, for their time', async () => {
    const { ask, sent, clock } = setUp(({ spec }) => review(spec.token === 't' ? known : { authenticated: false }));
    for (const token of ['t', 'no', 't', 'no']) await ask(token);
    assert.equal(sent.length, 2);
    await clock.advance(60_000);
    await ask('t');
    assert.equal(sent.length, 3);
  });

  it('caches nothing if the time is 0, and no error', async () => {
    const uncached = setUp(() => review(known), { cacheMs: 0 });
    await uncached.ask('t');
    await uncached.ask('t');
    const failing = setUp(() => review({ authenticated: false, error: 'sour' }));
    assert.deepEqual([await failing.ask('t'), await failing.ask('t')], ['sour', 'sour']);
    assert.deepEqual([uncached.sent.length, failing.sent.length], [2, 2]);
  });

  it('reports the use of the cache', async () => {
    const { ask, told } = setUp(({ spec }) =>
      review(spec.token === 't' ? known : { authenticated: false, error: 'sour' }),
    );
    for (const token of ['t', 'no', 't']) await ask(token);
    assert.deepEqual(told, ['blocked', 'in flight', 'ok', 'miss', 'blocked', 'in flight', 'error', 'miss', 'hit']);
    const together = setUp(() => review(known));
    await Promise.all([together.ask('t'), together.ask('t')]);
    assert.deepEqual(together.told, ['blocked', 'in flight', 'blocked', 'ok', 'miss', 'miss']);
  });

  it('asks once for callers that come together', async () => {
    let answer: (given: object) => void = () => undefined;
    const { ask, sent } = setUp(() => new Promise((resolve) => (answer = resolve)));
    const asked = [ask('t'), ask('t'), ask('t', ['api'])];
    await settle();
    answer(review(known));
    await Promise.all(asked);
    assert.equal(sent.length, 1);
  });

  it('accepts a token only for an audience that was asked for', async () => {
    const answers = new Map<string, object>([
      ['ours', { ...known, audiences: ['api', 'more'] }],
      ['other', { ...known, audiences: ['elsewhere'] }],
      ['any', known],
    ]);
    const { ask } = setUp(({ spec }) => review(answers.get(spec.token) ?? {}));
    const audiencesOf = async (token: string, audiences: readonly string[]) => {
      const user = await ask(token, audiences);
      return typeof user === 'object' ? user.audiences : user;
    };
    assert.equal(await ask('other'), undefined);
    assert.deepEqual(await audiencesOf('ours', ['more', 'x']), ['more']);
    assert.deepEqual(await audiencesOf('other', ['elsewhere']), ['elsewhere']);
    assert.deepEqual(await audiencesOf('any', ['api']), ['api']);
    assert.equal(await audiencesOf('any', ['elsewhere']), undefined);
  });

  it('refuses with the reason when the service fails or answers with no review', async () => {
    const wrongType = (field: string, wanted: string) =>
      `the webhook answered with a field "${field}" that is not ${wanted}`;
    const noObject = (kind: string) =>
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type ` +
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    const cases: readonly (readonly [unknown, string])[] = [
      ['hello', noObject('string')],
      ['[]', noObject('array')],
      [{}, 'the webhook answered with , Kind= instead of authentication.k8s.io/v1, Kind=TokenReview'],
      [
        review(known, 'v1beta1'),
        'the webhook answered with authentication.k8s.io/v1beta1, Kind=TokenReview instead of authentication.k8s.io/v1, Kind=TokenReview',
      ],
      [{ ...review({}), status: 1 }, wrongType('status', 'an object')],
      [review({ ...known, authenticated: 'true' }), wrongType('authenticated', 'a boolean')],
      [review({ ...known, audiences: 'api' }), wrongType('audiences', 'a list of strings')],
      [review({ ...known, user: { groups: [1] } }), wrongType('groups', 'a list of strings')],
      [review({ ...known, user: { username: 1 } }), wrongType('username', 'a string')],
      [review({ ...known, user: { extra: { a: 'b' } } }), wrongType('a', 'a list of strings')],
    ];
    for (const [answer, reason] of cases) assert.equal(await setUp(() => answer).ask('t'), reason);
    const down = setUp(() => Promise.reject(new WebhookCallError('connection refused')));
    assert.equal(await down.ask('t'), 'connection refused');
    const broken = setUp(() => Promise.reject(new TypeError('bug')));
    await assert.rejects(broken.ask('t'));
  });
});
