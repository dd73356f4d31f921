import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { AdmissionAttributes } from '../admission/index.js';
import { WebhookCallError } from '../webhooks/index.js';
import { attributesOf, configMap } from './attributes.testing.js';
import type { AnyWebhook, WebhookConfiguration } from './configured-webhook.js';
import { mutatingWebhooks } from './mutating-webhooks.js';
import type { WebhookObserver } from './observer.js';
import { validatingWebhooks } from './validating-webhooks.js';
import { WebhookCalls } from './webhook-call.js';
import { WebhookSource } from './webhook-source.js';

/** The request of a review, as a webhook reads it. */
interface Received extends JsonObject {
  readonly uid: string;
  readonly object: JsonObject & { readonly data: Readonly<Record<string, string>> };
}

/** Answers with the fields of a response; throws for a failed call. */
type Answer = (request: Received) => object | Promise<object>;

/** A webhook at a URL whose host is its name. */
function webhook(name: string, more: Partial<AnyWebhook> & { reinvocationPolicy?: string } = {}): AnyWebhook {
  const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
  return {
    name,
    clientConfig: { url: `https://${name}/` },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    ...more,
  };
}

const configuration = (name: string, ...webhooks: AnyWebhook[]): WebhookConfiguration => ({
  metadata: { name },
  webhooks,
});

function world(configurations: readonly WebhookConfiguration[], answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const observed: string[] = [];
  const clients = {
    of: ({ url = '' }) => ({
      async post(body: readonly Uint8Array[]) {
        const { hostname } = new URL(url);
        const { request } = JSON.parse(Buffer.concat(body).toString()) as { request: Received };
        asked.push(hostname);
        const response = await answers[hostname]?.(request);
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
        return Buffer.from(JSON.stringify({ ...review, response: { uid: request.uid, allowed: true, ...response } }));
      },
    }),
  };
  const observer: WebhookObserver = {
    called: ({ name }, _, code, rejected) => observed.push(`${name} called ${code} ${rejected}`),
    rejected: ({ name }, cause, code) => observed.push(`${name} rejected ${cause} ${code}`),
    failedOpen: ({ name }) => observed.push(`${name} failed open`),
    conditions: ({ name }, _, matched, errors) => observed.push(`${name} conditions ${matched} ${errors}`),
  };
  const options = { clients, clock: new VirtualClock(), random: seededRandom(1), observer };
  const source = (type: 'admit' | 'validating') =>
    new WebhookSource(type, {
      configurations: async () => configurations,
      namespaceLabels: () => ({}),
      authorize: () => ({ allowed: true, reason: '' }),
      clock: options.clock,
      observer,
    });
  const mutating = mutatingWebhooks(source('admit'), new WebhookCalls('admit', options));
  const validating = validatingWebhooks(source('validating'), new WebhookCalls('validating', options));
  return {
    asked,
    observed,
    /** Both rounds, as the chain runs them. */
    admit: async (attributes: AdmissionAttributes) => {
      do await mutating.admit?.(attributes);
      while (attributes.reinvocation.begin());
    },
    validate: async (attributes: AdmissionAttributes) => validating.validate?.(attributes),
    ordersDeletes: async (attributes: AdmissionAttributes) =>
      Promise.all([mutating, validating].map(async (plugin) => plugin.ordersDeletes?.(attributes))),
  };
}

const patchOf = (operations: readonly object[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const set = (key: string, value: string) => () => patchOf([{ op: 'add', path: `/data/${key}`, value }]);
const failing: Answer = () => {
  throw new WebhookCallError('refused');
};

describe('mutating webhooks', () => {
  it('are asked in the order of their configurations and then of their own, with the changes so far', async () => {
    const seen: unknown[] = [];
    const { admit, asked } = world([configuration('b', webhook('c')), configuration('a', webhook('z'), webhook('a'))], {
      z: set('z', '1'),
      a: set('a', '2'),
      c: ({ object }) => (seen.push(object.data), {}),
    });
    const object = configMap();
    await admit(attributesOf(object));
    assert.deepEqual(asked, ['z', 'a', 'c']);
    assert.deepEqual(seen, [{ z: '1', a: '2' }]);
    assert.deepEqual(object['data'], { z: '1', a: '2' });
  });

  it('are asked again after a later change if they want to, and no other is', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' };
    const { admit, asked } = world(
      [configuration('a', webhook('first', again), webhook('never'), webhook('last', again))],
      { first: set('first', '1'), never: set('never', '1'), last: () => ({}) },
    );
    await admit(attributesOf(configMap()));
    assert.deepEqual(asked, ['first', 'never', 'last', 'first']);
  });

  it('are not asked again when nothing has changed since', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' };
    const { admit, asked } = world([configuration('a', webhook('one', again), webhook('two', again))], {
      one: set('one', '1'),
    });
    await admit(attributesOf(configMap({ one: '1' })));
    assert.deepEqual(asked, ['one', 'two']);
  });

  it('obey their failure policy when the call fails or the patch is none', async () => {
    const open = { failurePolicy: 'Ignore' };
    const none = () => ({ patchType: 'JSONPatch', patch: Buffer.from('{}').toString('base64') });
    const { admit, observed } = world(
      [configuration('a', webhook('down', open), webhook('garbled', open), webhook('closed'))],
      { down: failing, garbled: none, closed: failing },
    );
    const annotations = new Map<string, string>();
    const attributes = attributesOf(configMap(), { annotate: (key, value) => void annotations.set(key, value) });
    await assert.rejects(admit(attributes), {
      code: 500,
      message: 'Internal error occurred: failed calling webhook "closed": failed to call webhook: refused',
    });
    assert.equal(annotations.get('failed-open.mutation.webhook.admission.k8s.io/round_0_index_0'), 'down');
    assert.deepEqual(observed, [
      'down called 503 false',
      'down failed open',
      'garbled called 503 false',
      'garbled failed open',
      'closed rejected calling_webhook_error 503',
      'closed called 503 true',
    ]);
  });

  it('fail whatever the policy when the patch cannot be applied, or there is no object', async () => {
    const open = { failurePolicy: 'Ignore' };
    const bad = () => patchOf([{ op: 'frob', path: '/a' }]);
    const { admit } = world([configuration('a', webhook('bad', open))], { bad });
    await assert.rejects(admit(attributesOf(configMap())), { message: /Unexpected kind: frob$/ });
    const overrides = { operation: 'DELETE', object: undefined, oldObject: configMap() } as const;
    await assert.rejects(admit(attributesOf(configMap(), overrides)), {
      message:
        'Internal error occurred: admission webhook "bad" attempted to modify the object, which is not supported for this operation',
    });
  });

  it('change the options of a connect', async () => {
    const add = () => patchOf([{ op: 'add', path: '/data/b', value: '2' }]);
    const { admit } = world([configuration('a', webhook('add'))], { add });
    const options = configMap();
    await admit(attributesOf(options, { operation: 'CONNECT' }));
    assert.equal(JSON.stringify(options).includes('"b":"2"'), true);
  });

  it('whose failure is ignored let no request pass that has run out of time', async () => {
    const open = { failurePolicy: 'Ignore' };
    const { admit, observed } = world([configuration('a', webhook('slow', open))], { slow: failing });
    await assert.rejects(admit(attributesOf(configMap(), { deadline: 0 })), {
      code: 504,
      message: /request did not complete within requested timeout$/,
    });
    assert.deepEqual(observed, ['slow called 503 false']);
  });

  it('record what they have changed', async () => {
    const annotations = new Map<string, unknown>();
    const { admit } = world([configuration('c', webhook('w'))], { w: set('a', '1') });
    await admit(
      attributesOf(configMap(), {
        annotate: (key, value, level) => void annotations.set(`${key} ${level ?? ''}`, JSON.parse(value)),
      }),
    );
    const place = 'webhook.admission.k8s.io/round_0_index_0';
    const who = { configuration: 'c', webhook: 'w' };
    assert.deepEqual(Object.fromEntries(annotations), {
      [`mutation.${place} `]: { ...who, mutated: true },
      [`patch.${place} Request`]: {
        ...who,
        patch: [{ op: 'add', path: '/data/a', value: '1' }],
        patchType: 'JSONPatch',
      },
    });
  });
});

describe('webhooks of both kinds', () => {
  it('order the deletes that they may see', async () => {
    const selects = { objectSelector: { matchLabels: { tier: 'db' } } };
    const creates = { operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    const { ordersDeletes } = world([configuration('a', webhook('w', selects))], {});
    const deletes = attributesOf(configMap(), { operation: 'DELETE', object: undefined });
    assert.deepEqual(await ordersDeletes(deletes), [true, true]);
    const kind = { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' };
    assert.deepEqual(await ordersDeletes({ ...deletes, kind }), [false, false]);
    const others = world([configuration('a', webhook('w', { rules: [creates] }))], {});
    assert.deepEqual(await others.ordersDeletes(deletes), [false, false]);
  });
});

describe('validating webhooks', () => {
  it('are asked side by side, and the first of them that refuses answers', async () => {
    let release = (): void => undefined;
    const waits = new Promise<object>((resolve) => (release = () => resolve({ allowed: false })));
    const { validate, asked } = world([configuration('a', webhook('slow'), webhook('fast'))], {
      slow: () => waits,
      fast: () => {
        release();
        return { allowed: false, status: { message: 'me' } };
      },
    });
    await assert.rejects(validate(attributesOf(configMap())), {
      code: 400,
      message: 'admission webhook "slow" denied the request without explanation',
    });
    assert.deepEqual(asked, ['slow', 'fast']);
  });

  it('see the request, and pass on warnings and annotations', async () => {
    const received: Received[] = [];
    const { validate } = world([configuration('a', webhook('w'))], {
      w: (request) => {
        received.push(request);
        return { warnings: ['beware'], auditAnnotations: { k: 'v', 'bad key!': 'v' } };
      },
    });
    const said: string[] = [];
    await validate(
      attributesOf(configMap({ a: '1' }), {
        oldObject: configMap({ a: '0' }),
        operation: 'UPDATE',
        warn: (text) => void said.push(text),
        annotate: (key, value) => void said.push(`${key}=${value}`),
      }),
    );
    const [{ uid, ...request } = assert.fail('not asked')] = received;
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.deepEqual(request, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace: 'default',
      operation: 'UPDATE',
      userInfo: { username: 'jane', uid: 'u1', groups: ['dev'], extra: { team: ['blue'] } },
      dryRun: false,
      options: { kind: 'CreateOptions' },
      object: configMap({ a: '1' }),
      oldObject: configMap({ a: '0' }),
    });
    assert.deepEqual(said, ['w/k=v', 'beware']);
  });

  it('are asked in a dry run only without side effects', async () => {
    const { validate, asked } = world(
      [configuration('a', webhook('none'), webhook('some', { sideEffects: 'Some' }))],
      {},
    );
    await assert.rejects(validate(attributesOf(configMap(), { dryRun: true })), {
      code: 400,
      message: 'admission webhook "some" does not support dry run',
    });
    assert.deepEqual(asked, ['none']);
  });

  it('are asked only if their conditions hold', async () => {
    const condition = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] });
    const open = { failurePolicy: 'Ignore' };
    const { validate, asked, observed } = world(
      [
        configuration(
          'a',
          webhook('yes', condition('request.operation == "CREATE" && object.data.a == "1"')),
          webhook('no', condition('!authorizer.path("/x").check("get").allowed()')),
          webhook('unknown', { ...condition('object.data.b == ""'), ...open }),
        ),
      ],
      {},
    );
    await validate(attributesOf(configMap({ a: '1' })));
    assert.deepEqual(asked, ['yes']);
    assert.deepEqual(observed, [
      'yes conditions true 0',
      'no conditions false 0',
      'unknown conditions false 1',
      'yes called 200 false',
    ]);
    const closed = world([configuration('a', webhook('unknown', condition('object.data.b == ""')))], {});
    await assert.rejects(closed.validate(attributesOf(configMap())), {
      code: 403,
      message: 'configmaps "a" is forbidden: expression \'object.data.b == ""\' resulted in error: no such key: b',
    });
  });

  it('encode an object once, however many conditions read it', async () => {
    const condition = { matchConditions: [{ name: 'c', expression: 'object.data.a == "1"' }] };
    const { validate, admit, asked } = world(
      [configuration('a', webhook('one', condition), webhook('two', condition), webhook('plain'))],
      {},
    );
    for (const plugin of [validate, admit]) {
      let encodings = 0;
      const attributes = attributesOf(configMap({ a: '1' }));
      const versions = {
        ...attributes.versions,
        encode: (...given: Parameters<typeof attributes.versions.encode>) => {
          encodings++;
          return attributes.versions.encode(...given);
        },
      };
      await plugin({ ...attributes, versions });
      assert.equal(encodings, 1);
    }
    assert.deepEqual(asked, ['one', 'two', 'plain', 'one', 'two', 'plain']);
  });

  it('are not asked about configurations of webhooks and policies, nor after the end of the request', async () => {
    const { validate, asked } = world([configuration('a', webhook('w'))], {});
    const kind = { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration' };
    await validate(attributesOf(configMap(), { kind }));
    await assert.rejects(validate(attributesOf(configMap(), { signal: AbortSignal.abort() })), {
      message: /request did not complete within requested timeout/,
    });
    assert.deepEqual(asked, []);
  });

  it('that speak no known version of reviews fail', async () => {
    const { validate } = world([configuration('a', webhook('w', { admissionReviewVersions: ['v9'] }))], {});
    await assert.rejects(validate(attributesOf(configMap())), {
      message:
        'Internal error occurred: failed calling webhook "w": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    });
  });
});
