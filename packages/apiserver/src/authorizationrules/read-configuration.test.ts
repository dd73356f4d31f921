import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAuthorizationConfiguration } from './read-configuration.js';

const HEAD = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration' };
const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook.conf' },
};
const hook = (more: object = {}) => ({ type: 'Webhook', name: 'hook', webhook: { ...webhook, ...more } });
const conditions = (...expressions: string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});

const read = (...authorizers: object[]) =>
  readAuthorizationConfiguration(JSON.stringify({ ...HEAD, authorizers }), async (path) => {
    if (path !== '/hook.conf') throw new Error('no such file');
    return { url: 'https://hook.example', credentials: () => ({}) };
  });

// The tables of upstream's `pkg/apis/apiserver/validation/validation_test.go` gave the ideas.
describe('readAuthorizationConfiguration', () => {
  it('reads authorizers in order, with the defaults of webhooks', async () => {
    const rules = await read({ type: 'Node', name: 'node' }, hook(), { type: 'RBAC', name: 'rbac' });
    assert.deepEqual(
      rules.map(({ type, name }) => [type, name]),
      [
        ['Node', 'node'],
        ['Webhook', 'hook'],
        ['RBAC', 'rbac'],
      ],
    );
    const [, second] = rules;
    assert.ok(second?.type === 'Webhook');
    const { service, ...facts } = second.webhook;
    assert.equal(service.url, 'https://hook.example');
    assert.deepEqual(facts, {
      version: 'v1',
      timeoutMs: 3000,
      authorizedMs: 300_000,
      unauthorizedMs: 30_000,
      deniesOnFailure: true,
      conditions: undefined,
    });
  });

  it('obeys every field of a webhook', async () => {
    const [rule] = await read(
      hook({
        subjectAccessReviewVersion: 'v1beta1',
        failurePolicy: 'NoOpinion',
        authorizedTTL: '7s',
        unauthorizedTTL: '8s',
        ...conditions('request.user == "jane"', 'has(request.resourceAttributes)'),
      }),
    );
    assert.ok(rule?.type === 'Webhook');
    const { version, authorizedMs, unauthorizedMs, deniesOnFailure, conditions: compiled } = rule.webhook;
    assert.deepEqual([version, authorizedMs, unauthorizedMs, deniesOnFailure], ['v1beta1', 7000, 8000, false]);
    const resource = { resourceAttributes: { verb: 'get' } };
    assert.deepEqual(await compiled?.evaluate({ user: 'jane', ...resource }), { matches: true });
    assert.deepEqual(await compiled?.evaluate({ user: 'eve', ...resource }), { matches: false });
    const [uncached] = await read(hook({ cacheAuthorizedRequests: false, cacheUnauthorizedRequests: false }));
    assert.ok(uncached?.type === 'Webhook');
    assert.deepEqual([uncached.webhook.authorizedMs, uncached.webhook.unauthorizedMs], [0, 0]);
  });

  it('reports conditions that fail, unless another is false', async () => {
    const outcome = async (...expressions: string[]) => {
      const [rule] = await read(hook(conditions(...expressions)));
      return rule?.type === 'Webhook' ? rule.webhook.conditions?.evaluate({ user: 'jane' }) : undefined;
    };
    const failing = 'request.resourceAttributes.name == "x"';
    const text = `cel evaluation error: expression '${failing}' resulted in error: no such key: resourceAttributes`;
    assert.deepEqual(await outcome(failing), { error: text });
    assert.deepEqual(await outcome(failing, 'false'), { matches: false });
    assert.deepEqual(await outcome('request.groups.size() == 0 && request.uid == "" && request.extra.size() == 0'), {
      matches: true,
    });
  });

  const A = 'authorizers[0]';
  const cases: readonly (readonly [authorizers: readonly object[], message: string])[] = [
    [[], 'authorizers: Required value: at least one authorization mode must be defined'],
    [[{ name: 'a' }], `${A}.type: Required value`],
    [
      [{ type: 'Foo', name: 'a' }],
      `${A}.type: Unsupported value: "Foo": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"`,
    ],
    [
      [
        { type: 'RBAC', name: 'a' },
        { type: 'RBAC', name: 'b' },
      ],
      'authorizers[1].type: Duplicate value: "RBAC"',
    ],
    [[{ type: 'RBAC' }], `${A}.name: Required value`],
    [
      [
        { type: 'RBAC', name: 'a' },
        { type: 'Node', name: 'a' },
      ],
      'authorizers[1].name: Duplicate value: "a"',
    ],
    [
      [{ type: 'RBAC', name: 'a', webhook }],
      `${A}.webhook: Invalid value: "non-null": may only be specified when type=Webhook`,
    ],
    [[{ type: 'Webhook', name: 'a' }], `${A}.webhook: Required value: required when type=Webhook`],
    [[hook({ timeout: undefined })], `${A}.timeout: Required value`],
    [[hook({ timeout: '31s' })], `${A}.timeout: Invalid value: "31s": must be > 0s and <= 30s`],
    [[hook({ authorizedTTL: '-1s' })], `${A}.authorizedTTL: Invalid value: "-1s": must be > 0s`],
    [[hook({ unauthorizedTTL: '-1s' })], `${A}.unauthorizedTTL: Invalid value: "-1s": must be > 0s`],
    [[hook({ subjectAccessReviewVersion: '' })], `${A}.subjectAccessReviewVersion: Required value`],
    [
      [hook({ subjectAccessReviewVersion: 'v2' })],
      `${A}.subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"`,
    ],
    [
      [hook({ matchConditions: [{ expression: 'true' }] })],
      `${A}.matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified`,
    ],
    [
      [hook({ matchConditionSubjectAccessReviewVersion: 'v1beta1' })],
      `${A}.matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"`,
    ],
    [[hook({ failurePolicy: '' })], `${A}.failurePolicy: Required value`],
    [
      [hook({ failurePolicy: 'Allow' })],
      `${A}.failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny"`,
    ],
    [[hook({ connectionInfo: {} })], `${A}.connectionInfo.type: Required value`],
    [
      [hook({ connectionInfo: { type: 'InClusterConfig' } })],
      `${A}.connectionInfo.type: Invalid value: "InClusterConfig": InClusterConfig is not supported`,
    ],
    [
      [hook({ connectionInfo: { type: 'Other' } })],
      `${A}.connectionInfo.type: Unsupported value: "Other": supported values: "InClusterConfig", "KubeConfigFile"`,
    ],
    [[hook({ connectionInfo: { type: 'KubeConfigFile' } })], `${A}.connectionInfo.kubeConfigFile: Required value`],
    [
      [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a' } })],
      `${A}.connectionInfo.kubeConfigFile: Invalid value: "a": must be an absolute path`,
    ],
    [
      [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/b' } })],
      `${A}.connectionInfo.kubeConfigFile: Invalid value: "/b": error loading file: no such file`,
    ],
    [[hook(conditions(' '))], `${A}.matchConditions[0].expression: Required value`],
    [[hook(conditions('true', 'true'))], `${A}.matchConditions[1].expression: Duplicate value: "true"`],
    [
      [hook(conditions('request.user'))],
      `${A}.matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string`,
    ],
    [
      [hook(conditions(...Array.from({ length: 65 }, (_, n) => `${n} == 1`)))],
      `${A}.matchConditions: Too many: 65: must have at most 64 items`,
    ],
  ];
  for (const [authorizers, message] of cases) {
    it(message, async () => assert.rejects(read(...authorizers), { name: 'ConfigurationError', message }));
  }

  it('names the fault of an authorizer name', async () => {
    await assert.rejects(
      read({ type: 'RBAC', name: 'A_b' }),
      /^ConfigurationError: authorizers\[0\]\.name: Invalid value: "A_b": authorizer name is invalid: /,
    );
  });
});
