import assert from 'node:assert/strict';
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import { kindSchema } from '@binnacle/api/table';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { type AdmissionAttributes, Reinvocation } from '../admission/index.js';
import { anonymousUser } from '../authentication/index.js';
import type { PolicyCheck, PolicyObserver } from './observer.js';
import type { PolicySources } from './policy-sources.js';

/** Everything, so that tests name only what they are about. */
const everything: MatchResources = {
  namespaceSelector: {},
  objectSelector: {},
  matchPolicy: 'Equivalent',
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
};

type ValidatingSpec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type MutatingSpec = NonNullable<MutatingAdmissionPolicy['spec']>;

export function validating(name: string, expressions: readonly string[], more: ValidatingSpec = {}) {
  const validations = expressions.map((expression) => ({ expression }));
  return { metadata: { name }, spec: { failurePolicy: 'Fail', matchConstraints: everything, validations, ...more } };
}

export function validatingBinding(
  name: string,
  policyName: string,
  more: Partial<NonNullable<ValidatingAdmissionPolicyBinding['spec']>> = {},
): ValidatingAdmissionPolicyBinding {
  return { metadata: { name }, spec: { policyName, validationActions: ['Deny'], ...more } };
}

/** A mutation that begins with a bracket is a JSON patch. */
export function mutating(name: string, sources: readonly string[], more: MutatingSpec = {}): MutatingAdmissionPolicy {
  const mutations = sources.map(
    (expression): Mutation =>
      expression.startsWith('[')
        ? { patchType: 'JSONPatch', jsonPatch: { expression } }
        : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
  );
  return {
    metadata: { name },
    spec: { failurePolicy: 'Fail', reinvocationPolicy: 'Never', matchConstraints: everything, mutations, ...more },
  };
}

export function mutatingBinding(
  name: string,
  policyName: string,
  more: Partial<NonNullable<MutatingAdmissionPolicyBinding['spec']>> = {},
): MutatingAdmissionPolicyBinding {
  return { metadata: { name }, spec: { policyName, ...more } };
}

/** Policies of a test, with a namespace `default` that has the label `zone=a`, and parameters by name. */
export function sourcesOf(given: {
  readonly policies?: readonly ValidatingAdmissionPolicy[];
  readonly bindings?: readonly ValidatingAdmissionPolicyBinding[];
  readonly mutations?: readonly MutatingAdmissionPolicy[];
  readonly mutationBindings?: readonly MutatingAdmissionPolicyBinding[];
  readonly parameters?: Readonly<Record<string, JsonObject>>;
  readonly authorize?: PolicySources['authorize'];
}): PolicySources {
  const { policies = [], bindings = [], mutations = [], mutationBindings = [], parameters = {} } = given;
  const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'default', labels: { zone: 'a' } } };
  return {
    validatingPolicies: async () => policies,
    validatingBindings: async () => bindings,
    mutatingPolicies: async () => mutations,
    mutatingBindings: async () => mutationBindings,
    namespace: async (name) => (name === 'default' ? namespace : undefined),
    schemaOf: kindSchema,
    parameters: ({ kind }) =>
      kind === 'Unknown'
        ? undefined
        : {
            namespaced: kind === 'ConfigMap',
            find: async (_namespace, name) => parameters[name],
            list: async () => Object.values(parameters),
          },
    authorize: given.authorize ?? (() => ({ allowed: true, reason: '' })),
  };
}

export function configMap(data: Record<string, string> = { a: '1' }, metadata: { name: string } = { name: 'a' }) {
  return asObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data });
}

/** An observer that keeps a line for each observed expression, and a clock that the test does not advance. */
export function observing() {
  const observed: string[] = [];
  const note = ({ policy, binding, outcome }: PolicyCheck, ...more: readonly string[]): void => {
    observed.push([policy, binding, outcome, ...more].join(' '));
  };
  const observer: PolicyObserver = {
    validated: (check, action) => note(check, action),
    mutated: (check) => note(check),
  };
  return { observed, observation: { observer, clock: new VirtualClock() } };
}

/** A create of a ConfigMap, whose JSON is its stored form. */
export function create(object: KubernetesObject, overrides: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  return {
    operation: 'CREATE',
    kind,
    resource,
    subresource: '',
    namespace: 'default',
    name: 'a',
    object,
    oldObject: undefined,
    options: undefined,
    versions: {
      equivalents: () => [{ resource, kind }],
      encode: () => assert.fail('policies read documents, not bytes'),
      document: (shown) => ({ ...asJson(shown) }),
      decode: (document) => asObject(document),
    },
    reinvocation: new Reinvocation(),
    dryRun: false,
    user: anonymousUser,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    warn: () => undefined,
    annotate: () => undefined,
    ...overrides,
  };
}
