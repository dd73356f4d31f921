import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { StatusError, timeout } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../admission/index.js';
import { configMap, create, observing, sourcesOf, validating, validatingBinding } from './policies.testing.js';
import { validatingPolicies } from './validating-plugin.js';

interface Case {
  readonly policies: readonly ValidatingAdmissionPolicy[];
  readonly bindings?: readonly ValidatingAdmissionPolicyBinding[];
  readonly parameters?: Readonly<Record<string, JsonObject>>;
  readonly overrides?: Partial<AdmissionAttributes>;
}

/** What a request gets: refusals, warnings, annotations. */
async function told({ policies, bindings, parameters, overrides }: Case): Promise<string[]> {
  const texts: string[] = [];
  const plugin = validatingPolicies(
    sourcesOf({
      policies,
      bindings: bindings ?? policies.map(({ metadata }) => validatingBinding('b', metadata?.name ?? '')),
      ...(parameters && { parameters }),
    }),
    observing().observation,
  );
  const attributes = create(configMap(), {
    warn: (text) => texts.push(`warning: ${text}`),
    annotate: (key, value) => texts.push(`${key}=${value}`),
    ...overrides,
  });
  try {
    await plugin.validate?.(attributes);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    assert.deepEqual(
      error.status.details?.causes?.map(({ message }) => `configmaps "a" is forbidden: ${message ?? ''}`),
      [error.message],
    );
    texts.push(`${error.code} ${error.reason ?? ''} ${error.message.replace('configmaps "a" is forbidden: ', '')}`);
  }
  return texts;
}

const denied = (why: string, policy = 'p', code = '422 Invalid') =>
  `${code} ValidatingAdmissionPolicy '${policy}' with binding 'b' denied request: ${why}`;
const failing = 'object.data.none == ""';
const failure = `expression '${failing}' resulted in error: no such key: none`;
const config = { apiVersion: 'v1', kind: 'ConfigMap' };
const binding = (paramRef: NonNullable<ValidatingAdmissionPolicyBinding['spec']>['paramRef']) => [
  validatingBinding('b', 'p', paramRef && { paramRef }),
];

describe('validating admission policies', () => {
  const cases: Readonly<Record<string, readonly [Case, readonly string[]]>> = {
    'let pass what they find valid': [{ policies: [validating('p', ['true', 'object.data.a == "1"'])] }, []],
    'deny with the expression': [{ policies: [validating('p', ['false'])] }, [denied('failed expression: false')]],
    'deny with the message': [
      {
        policies: [
          validating('p', [], { validations: [{ expression: 'false', message: ' no ', reason: 'Forbidden' }] }),
        ],
      },
      [denied('no', 'p', '403 Forbidden')],
    ],
    'prefer the message expression, unless it fails': [
      {
        policies: [
          validating('p', [], {
            validations: [
              { expression: 'false', message: 'spare', messageExpression: '"name " + object.metadata.name' },
            ],
          }),
        ],
      },
      [denied('name a')],
    ],
    'fall back to the message': [
      {
        policies: [
          validating('p', [], {
            validations: [{ expression: 'false', message: 'spare', messageExpression: '"a\\nb"' }],
          }),
        ],
      },
      [denied('spare')],
    ],
    'deny when an expression fails': [{ policies: [validating('p', [failing])] }, [denied(failure)]],
    'ignore failures if they say so, but not denials': [
      {
        policies: [
          validating('o', [failing], { failurePolicy: 'Ignore' }),
          validating('p', ['false'], { failurePolicy: 'Ignore' }),
        ],
      },
      [denied('failed expression: false')],
    ],
    'deny by the first policy, and evaluate all': [
      {
        policies: [validating('q', ['false']), validating('p', ['false'])],
        bindings: [validatingBinding('b', 'p'), validatingBinding('w', 'q', { validationActions: ['Warn'] })],
      },
      [
        "warning: Validation failed for ValidatingAdmissionPolicy 'q' with binding 'w': failed expression: false",
        denied('failed expression: false'),
      ],
    ],
    annotate: [
      {
        policies: [validating('p', ['false'], { auditAnnotations: [{ key: 'k', valueExpression: '"v"' }] })],
        bindings: [validatingBinding('b', 'p', { validationActions: ['Audit'] })],
      },
      [
        'validation.policy.admission.k8s.io/validation_failure=[{"message":"failed expression: false","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}]',
        'p/k=v',
      ],
    ],
    'deny when an annotation fails, whatever the binding says': [
      {
        policies: [
          validating('p', ['true'], { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.data.none)' }] }),
        ],
        bindings: [validatingBinding('b', 'p', { validationActions: ['Warn'] })],
      },
      [denied("expression 'string(object.data.none)' resulted in error: no such key: none")],
    ],
    'skip requests that conditions exclude': [
      {
        policies: [
          validating('p', ['false'], { matchConditions: [{ name: 'c', expression: 'request.operation == "DELETE"' }] }),
        ],
      },
      [],
    ],
    'see the namespace and the authorizer': [
      {
        policies: [
          validating('p', [
            'namespaceObject.metadata.labels.zone == "a"',
            'authorizer.requestResource.check("get").allowed()',
            'request.namespace == "default" && request.userInfo.username == "system:anonymous"',
          ]),
        ],
      },
      [],
    ],
    'do not see their own kind': [
      {
        policies: [validating('p', ['false'])],
        overrides: {
          resource: { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' },
        },
      },
      [],
    ],
    'stop when the budget is spent': [
      {
        policies: [
          validating(
            'p',
            Array(12).fill(
              '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, object.data.a.size() < 9)))))',
            ),
          ),
        ],
      },
      [denied('validation failed due to running out of cost budget, no further validation rules will be run')],
    ],
    'need parameters that exist': [
      {
        policies: [validating('p', ['true'], { paramKind: config })],
        bindings: binding({ name: 'x', parameterNotFoundAction: 'Deny' }),
      },
      [denied('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction')],
    ],
    'may do without parameters': [
      {
        policies: [validating('p', ['false'], { paramKind: config })],
        bindings: binding({ name: 'x', parameterNotFoundAction: 'Allow' }),
      },
      [],
    ],
    'are evaluated for each parameter': [
      {
        policies: [validating('p', ['object.data.a != params.data.not'], { paramKind: config })],
        bindings: binding({ selector: {}, parameterNotFoundAction: 'Deny' }),
        parameters: { one: { data: { not: '2' } }, two: { data: { not: '1' } } },
      },
      [denied('failed expression: object.data.a != params.data.not')],
    ],
    'need a namespace for namespaced parameters': [
      {
        policies: [validating('p', ['true'], { paramKind: config })],
        bindings: binding({ name: 'x', parameterNotFoundAction: 'Allow' }),
        overrides: { namespace: '' },
      },
      [
        denied(
          'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
        ),
      ],
    ],
    'need a kind of parameters that exists': [
      { policies: [validating('p', ['true'], { paramKind: { apiVersion: 'g/v1', kind: 'Unknown' } })] },
      [
        "422 Invalid ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'g/v1, Kind=Unknown'",
      ],
    ],
    'are limited by their bindings': [
      {
        policies: [validating('p', ['false'])],
        bindings: [
          validatingBinding('b', 'p', {
            matchResources: { namespaceSelector: { matchLabels: { zone: 'b' } }, objectSelector: {} },
          }),
        ],
      },
      [],
    ],
    'do nothing without a binding': [{ policies: [validating('p', ['false'])], bindings: [] }, []],
  };
  for (const [name, [given, expected]] of Object.entries(cases)) {
    it(name, async () => assert.deepEqual(await told(given), expected));
  }

  it('are compiled again only when they change', async () => {
    const [policy, other] = [validating('p', ['false']), validating('p', ['true'])];
    let policies: readonly ValidatingAdmissionPolicy[] = [policy];
    const sources = {
      ...sourcesOf({ bindings: [validatingBinding('b', 'p')] }),
      validatingPolicies: async () => policies,
    };
    const plugin = validatingPolicies(sources, observing().observation);
    await assert.rejects(async () => plugin.validate?.(create(configMap())));
    policies = [other];
    await plugin.validate?.(create(configMap()));
  });

  it('are observed where they fail, with what follows from it', async () => {
    const observedOf = async (
      expressions: readonly string[],
      failurePolicy: string,
      validationActions: readonly string[],
    ) => {
      const { observed, observation } = observing();
      const policies = [
        validating('p', expressions, {
          failurePolicy,
          auditAnnotations: [{ key: 'k', valueExpression: "'x' + object.data.none" }],
        }),
      ];
      const bindings = [validatingBinding('b', 'p', { validationActions: [...validationActions] })];
      const plugin = validatingPolicies(sourcesOf({ policies, bindings }), observation);
      await Promise.resolve(plugin.validate?.(create(configMap()))).catch(() => undefined);
      return observed;
    };
    assert.deepEqual(await observedOf(['true', 'false'], 'Ignore', ['Warn', 'Audit']), [
      'p b invalid_error warn',
      'p b invalid_error audit',
    ]);
    assert.deepEqual(await observedOf([failing, 'no syntax'], 'Ignore', ['Deny']), [
      'p b invalid_error allow',
      'p b compile_error allow',
    ]);
    assert.deepEqual(await observedOf(['no syntax'], 'Fail', ['Deny']), [
      'p b compile_error deny',
      'p b invalid_error deny',
    ]);
  });

  it('order the deletes that they may see', async () => {
    const orders = async (
      overrides: Partial<AdmissionAttributes>,
      matchResources?: NonNullable<ValidatingAdmissionPolicyBinding['spec']>['matchResources'],
    ) => {
      const bindings = [validatingBinding('b', 'p', matchResources && { matchResources })];
      const sources = sourcesOf({ policies: [validating('p', ['true'])], bindings });
      const attributes = create(configMap(), { operation: 'DELETE', object: undefined, ...overrides });
      return validatingPolicies(sources, observing().observation).ordersDeletes?.(attributes);
    };
    const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] };
    assert.equal(await orders({}), true);
    assert.equal(await orders({}, { objectSelector: { matchLabels: { tier: 'db' } } }), true);
    assert.equal(await orders({}, { resourceRules: [rule] }), false);
    const group = 'admissionregistration.k8s.io';
    const resource = { group, version: 'v1', resource: 'validatingadmissionpolicies' };
    assert.equal(await orders({ resource }), false);
    const unused = validatingPolicies(sourcesOf({ policies: [validating('p', ['true'])] }), observing().observation);
    assert.equal(await unused.ordersDeletes?.(create(configMap(), { operation: 'DELETE' })), false);
  });

  it('that cost much let other requests pass in between', async () => {
    const costly =
      '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, object.data.a.size() < 9))))';
    const evaluating = told({ policies: [validating('p', Array<string>(20).fill(costly))] });
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    assert.deepEqual(await evaluating, []);
    clearImmediate(next);
    assert.ok(turns > 3, `${turns} turns of others`);
  });

  it('end with their request', async () => {
    const ended = AbortSignal.abort(new Error('gone'));
    await assert.rejects(told({ policies: [validating('p', ['true'])], overrides: { signal: ended } }), /gone/);
    const ending = new AbortController();
    // Would take minutes.
    const digits = '[0,1,2,3,4,5,6,7,8,9]';
    const inner = `${digits}.all(b, ${digits}.all(c, ${digits}.all(d, '%s'.format([variables.long]).size() > 0)))`;
    const endless = validating('p', [`${digits}.all(a, ${inner})`]);
    const spec = { ...endless.spec, variables: [{ name: 'long', expression: `lists.range(500000)` }] };
    // The reason of a request that ends is not the policy's fault.
    setImmediate(() => ending.abort(timeout('gone')));
    const sources = sourcesOf({ policies: [{ ...endless, spec }], bindings: [validatingBinding('b', 'p')] });
    const attributes = create(configMap(), { signal: ending.signal });
    const plugin = validatingPolicies(sources, observing().observation);
    await assert.rejects(async () => plugin.validate?.(attributes), { code: 504 });
  });
});
