import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../generated/types/admissionregistration-v1.js';
import {
  validateMutatingAdmissionPolicy,
  validateMutatingAdmissionPolicyBinding,
  validateValidatingAdmissionPolicy,
  validateValidatingAdmissionPolicyBinding,
  validateValidatingAdmissionPolicyStatusUpdate,
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
} from './index.js';
import { checkRule, checkUpdate } from '../rules.testing.js';

const metadata = { name: 'x', uid: 'u', resourceVersion: '1' };
const rule = {
  operations: ['CREATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  scope: '*',
};

const hooks: MutatingWebhookConfiguration = {
  metadata,
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { service: { namespace: 'n', name: 's', path: '/hook', port: 443 } },
      rules: [rule],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1'],
      reinvocationPolicy: 'Never',
      matchConditions: [{ name: 'c', expression: 'true' }],
    },
  ],
};

/** The detail of an expression with one error in its only line. */
function failed(column: number, message: string, source: string): string {
  return `compilation failed: ERROR: <input>:1:${column}: ${message}\n | ${source}\n | ${'.'.repeat(column - 1)}^`;
}

function hook(fields: object): (object: MutatingWebhookConfiguration) => void {
  return (object) => Object.assign(object.webhooks?.[0] ?? {}, fields);
}

test('webhook configurations', () => {
  const resources = (...given: string[]) => hook({ rules: [{ ...rule, resources: given }] });
  const url = (text: string) => hook({ clientConfig: { url: text } });
  const form = '; desired format: https://host[/path]';
  checkRule(validateWebhookConfiguration, hooks, [
    [
      hook({ name: 'a.b' }),
      ['webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [
      hook({ sideEffects: 'Some', timeoutSeconds: 31, reinvocationPolicy: 'Often', failurePolicy: 'Shrug' }),
      [
        'webhooks[0].failurePolicy: Unsupported value: "Shrug": supported values: "Fail", "Ignore"',
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
        'webhooks[0].reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
      ],
    ],
    [
      hook({ sideEffects: undefined }),
      ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    ],
    [
      hook({ admissionReviewVersions: ['v2', 'v2'] }),
      [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
      ],
    ],
    [
      hook({ admissionReviewVersions: [] }),
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      hook({ rules: [{ operations: ['*', 'CREATE'], apiGroups: [], apiVersions: [''], resources: [] }] }),
      [
        'webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if \'*\' is present, must not specify other operations',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions[0]: Required value',
        'webhooks[0].rules[0].resources: Required value',
      ],
    ],
    [
      resources('pods/*', 'pods/status', '*', 'pods'),
      [
        'webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status',
        'webhooks[0].rules[0].resources: Invalid value: ["pods/*","pods/status","*","pods"]: if \'*\' is present, must not specify other resources without subresources',
      ],
    ],
    [
      resources('*/*', 'pods'),
      [
        'webhooks[0].rules[0].resources: Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources',
      ],
    ],
    [
      hook({ clientConfig: {} }),
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      url('http://u:p@h/p?q#f'),
      [
        `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`,
        'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
      ],
    ],
    [
      url('https://h:port/'),
      [
        `webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "https://h:port/": invalid port ":port" after host${form}`,
      ],
    ],
    [
      hook({ clientConfig: { service: { name: '', namespace: 'n', path: 'a//', port: 443 } } }),
      [
        'webhooks[0].clientConfig.service.namespace: Required value',
        'webhooks[0].clientConfig.service.path: Invalid value: "a//": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "a//": segment[0] may not be empty',
        'webhooks[0].clientConfig.service.path: Invalid value: "a//": segment[1] may not be empty',
      ],
    ],
    [
      (object) => object.webhooks?.push(...structuredClone(object.webhooks)),
      ['webhooks[1].name: Duplicate value: "a.example.com"'],
    ],
    [
      hook({
        matchConditions: [
          { name: 'c', expression: ' ' },
          { name: 'c', expression: 'true' },
        ],
      }),
      [
        'webhooks[0].matchConditions[0].expression: Required value',
        'webhooks[0].matchConditions[1].name: Duplicate value: "c"',
      ],
    ],
  ]);
});

test('an update keeps the flaws of a stored webhook configuration', () => {
  const old: MutatingWebhookConfiguration = structuredClone(hooks);
  hook({ sideEffects: 'Some', admissionReviewVersions: ['v9'] })(old);
  checkUpdate(validateWebhookConfigurationUpdate, old, [
    [
      hook({ sideEffects: 'Odd' }),
      [
        'webhooks[0].sideEffects: Unsupported value: "Odd": supported values: "None", "NoneOnDryRun", "Some", "Unknown"',
      ],
    ],
  ]);
});

const matchConstraints = {
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [rule],
};
const policy: ValidatingAdmissionPolicy = {
  metadata,
  spec: {
    failurePolicy: 'Fail',
    paramKind: { apiVersion: 'rules.example.com/v1', kind: 'ReplicaLimit' },
    matchConstraints,
    variables: [{ name: 'limit', expression: 'params.max' }],
    validations: [{ expression: 'object.spec.replicas <= variables.limit', message: 'too many', reason: 'Invalid' }],
    auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
  },
};

test('validating admission policies', () => {
  const spec = (fields: object) => (object: ValidatingAdmissionPolicy) => Object.assign(object.spec ?? {}, fields);
  checkRule(validateValidatingAdmissionPolicy, policy, [
    [
      spec({ failurePolicy: undefined, matchConstraints: undefined }),
      ['spec.failurePolicy: Required value', 'spec.matchConstraints: Required value'],
    ],
    [
      spec({ matchConstraints: { matchPolicy: 'Exact', objectSelector: {} } }),
      [
        'spec.matchConstraints.namespaceSelector: Required value',
        'spec.matchConstraints.resourceRules: Required value',
      ],
    ],
    [
      spec({ paramKind: { apiVersion: 'a/b/c', kind: '1x' } }),
      [
        'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        "spec.paramKind.kind: Invalid value: \"1x\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      spec({ variables: [{ name: 'for', expression: '' }], validations: [{ expression: 'true' }] }),
      [
        'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
        'spec.variables[0].expression: Required value: expression is not specified',
      ],
    ],
    [
      spec({
        variables: [{ name: 'a', expression: 'variables.b' }],
        validations: [{ expression: ' 1', messageExpression: 'authorizer' }],
        auditAnnotations: [{ key: 'k', valueExpression: ' 1' }],
        matchConditions: [{ name: 'c', expression: ' other' }],
      }),
      [
        `spec.matchConditions[0].expression: Invalid value: "other": ${failed(1, "undeclared reference to 'other' (in container '')", 'other')}`,
        `spec.variables[0].expression: Invalid value: "variables.b": ${failed(10, "undefined field 'b'", 'variables.b')}`,
        'spec.validations[0].expression: Invalid value: " 1": must evaluate to bool but got int',
        `spec.validations[0].messageExpression: Invalid value: "authorizer": ${failed(1, "undeclared reference to 'authorizer' (in container '')", 'authorizer')}`,
        'spec.auditAnnotations[0].valueExpression: Invalid value: " 1": must evaluate to one of [string null_type] but got int',
      ],
    ],
    [
      spec({ validations: [], auditAnnotations: [] }),
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      spec({ validations: [{ expression: '', message: 'a\nb', messageExpression: ' ', reason: 'Odd' }] }),
      [
        'spec.validations[0].expression: Required value: expression is not specified',
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      spec({
        auditAnnotations: [
          { key: 'k', valueExpression: '' },
          { key: 'k', valueExpression: '"1"' },
        ],
      }),
      [
        'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[1].key: Duplicate value: "k"',
      ],
    ],
  ]);
  checkRule(validateValidatingAdmissionPolicyStatusUpdate, policy, [
    [
      (object) => (object.status = { typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] } }),
      [
        'status.typeChecking.expressionWarnings[0].warning: Required value',
        'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
      ],
    ],
  ]);
});

const mutating: MutatingAdmissionPolicy = {
  metadata,
  spec: {
    failurePolicy: 'Fail',
    matchConstraints,
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/a"}]' } }],
    reinvocationPolicy: 'Never',
  },
};

test('mutating admission policies', () => {
  const spec = (fields: object) => (object: MutatingAdmissionPolicy) => Object.assign(object.spec ?? {}, fields);
  checkRule(validateMutatingAdmissionPolicy, mutating, [
    [
      spec({ mutations: [], reinvocationPolicy: '' }),
      [
        'spec.mutations: Required value: mutations must contain at least one item',
        'spec.reinvocationPolicy: Required value',
      ],
    ],
    [
      spec({ matchConstraints: { ...matchConstraints, resourceRules: [{ ...rule, operations: ['DELETE'] }] } }),
      [
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [
      spec({
        mutations: [
          { patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } },
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: ' ' } },
          { patchType: 'Odd' },
          {},
          { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } },
        ],
      }),
      [
        'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
        'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
        'spec.mutations[1].applyConfiguration.expression: Required value',
        'spec.mutations[2].patchType: Unsupported value: "Odd": supported values: "ApplyConfiguration", "JSONPatch"',
        'spec.mutations[3].patchType: Required value',
        'spec.mutations[4].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
      ],
    ],
  ]);
});

const binding: ValidatingAdmissionPolicyBinding = {
  metadata,
  spec: {
    policyName: 'p',
    validationActions: ['Deny'],
    paramRef: { name: 'limits', namespace: 'n', parameterNotFoundAction: 'Deny' },
  },
};

test('bindings of admission policies', () => {
  const spec = (fields: object) => (object: ValidatingAdmissionPolicyBinding) =>
    Object.assign(object.spec ?? {}, fields);
  checkRule(validateValidatingAdmissionPolicyBinding, binding, [
    [
      spec({ policyName: '', validationActions: [] }),
      [
        'spec.policyName: Required value',
        'spec.validationActions: Required value: at least one validation action is required',
      ],
    ],
    [
      spec({ validationActions: ['Deny', 'Warn', 'Warn', 'Odd'] }),
      [
        'spec.validationActions[2]: Duplicate value: "Warn"',
        'spec.validationActions[3]: Unsupported value: "Odd": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions: Invalid value: ["Deny","Warn","Warn","Odd"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      spec({ paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Odd' } }),
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "Odd": supported values: "Deny", "Allow"',
      ],
    ],
    [
      spec({ paramRef: {} }),
      [
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
    ],
  ]);
  const other: MutatingAdmissionPolicyBinding = {
    metadata,
    spec: { policyName: 'p', matchResources: matchConstraints },
  };
  checkRule(validateMutatingAdmissionPolicyBinding, other, [
    [
      (object) =>
        Object.assign(object.spec?.matchResources ?? {}, { resourceRules: [{ ...rule, operations: ['DELETE'] }] }),
      [
        'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
  ]);
});

test('match conditions are compiled in steps of their own', () => {
  const matchConditions = Array.from({ length: 64 }, (_, index) => ({ name: `c${index}`, expression: 'true' }));
  const webhooks = hooks.webhooks?.map((each) => ({ ...each, matchConditions })) ?? [];
  for (const steps of [
    validateWebhookConfiguration({ ...hooks, webhooks }),
    validateValidatingAdmissionPolicy({ metadata, spec: { matchConditions } }),
    validateMutatingAdmissionPolicy({ metadata, spec: { matchConditions } }),
  ]) {
    let yields = 0;
    while (steps.next().done !== true) yields++;
    assert.ok(yields >= 64);
  }
});
