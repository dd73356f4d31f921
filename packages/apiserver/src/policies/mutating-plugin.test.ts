import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import { asJson } from '@binnacle/apimachinery/meta';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { type AdmissionAttributes, Reinvocation } from '../admission/index.js';
import { mutatingPolicies } from './mutating-plugin.js';
import { configMap, create, mutating, mutatingBinding, observing, sourcesOf } from './policies.testing.js';

/** The data of a ConfigMap `{ a: 1 }` after all policies, or why it is refused. */
async function mutated(
  mutations: readonly MutatingAdmissionPolicy[],
  overrides: Partial<AdmissionAttributes> = {},
  mutationBindings: readonly MutatingAdmissionPolicyBinding[] = mutations.map(({ metadata }) =>
    mutatingBinding('b', metadata?.name ?? ''),
  ),
) {
  const plugin = mutatingPolicies(sourcesOf({ mutations, mutationBindings }), observing().observation);
  const object = configMap();
  try {
    const reinvocation = new Reinvocation();
    do await plugin.admit?.(create(object, { reinvocation, ...overrides }));
    while (reinvocation.begin());
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.reason ?? ''} ${error.message}`;
    throw error;
  }
  return asJson(object).data;
}

const ifNeeded = { reinvocationPolicy: 'IfNeeded' } as const;
const append = (text: string) => `[JSONPatch{op: "add", path: "/data/a", value: object.data.a + "${text}"}]`;
const denied = (why: string) => `403 Invalid policy 'p' with binding 'b' denied request: ${why}`;

describe('mutating admission policies', () => {
  const cases: Readonly<Record<string, readonly [mutations: readonly MutatingAdmissionPolicy[], expected: unknown]>> = {
    'merge what they construct': [[mutating('p', ['Object{data: {"b": object.data.a + "2"}}'])], { a: '1', b: '12' }],
    'patch what they name': [
      [
        mutating('p', [
          '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/b", value: "2"}]',
        ]),
      ],
      { a: '1', b: '2' },
    ],
    'skip a patch whose test fails': [
      [
        mutating('p', [
          '[JSONPatch{op: "test", path: "/data/a", value: "9"}, JSONPatch{op: "remove", path: "/data/a"}]',
        ]),
      ],
      { a: '1' },
    ],
    'see earlier changes': [
      [
        mutating('p', [
          'Object{data: {"b": "2"}}',
          '[JSONPatch{op: "add", path: "/data/c", value: object.data.b + "3"}]',
        ]),
        mutating('q', ['Object{data: {"d": object.data.c}}']),
      ],
      { a: '1', b: '2', c: '23', d: '23' },
    ],
    'run again when others change the object later': [
      [
        mutating('p', ['Object{data: {"saw": string(object.?data.?late.orValue("nothing"))}}'], {
          reinvocationPolicy: 'IfNeeded',
        }),
        mutating('q', ['Object{data: {"late": "change"}}']),
      ],
      { a: '1', saw: 'change', late: 'change' },
    ],
    'run again after their own change': [[mutating('p', [append('x')], ifNeeded)], { a: '1xx' }],
    'run again after their own change by a construction': [
      [mutating('p', ['Object{data: {"a": object.data.a + "x"}}'], ifNeeded)],
      { a: '1xx' },
    ],
    'run once if they never run again': [[mutating('p', [append('x')])], { a: '1x' }],
    'run again before and after one that does not': [
      [mutating('p', [append('x')], ifNeeded), mutating('q', [append('y')]), mutating('r', [append('z')], ifNeeded)],
      { a: '1xyzxz' },
    ],
    'do not run again when no mutation has succeeded': [
      [mutating('p', ['Object{data: {"b": object.data.none}}'], { ...ifNeeded, failurePolicy: 'Ignore' })],
      { a: '1' },
    ],
    'refuse when an expression fails': [
      [mutating('p', ['Object{data: {"b": object.data.none}}'])],
      denied('expression \'Object{data: {"b": object.data.none}}\' resulted in error: no such key: none'),
    ],
    'ignore failures if they say so': [
      [mutating('p', ['Object{data: {"b": object.data.none}}'], { failurePolicy: 'Ignore' })],
      { a: '1' },
    ],
    'refuse fields that the kind does not have': [
      [mutating('p', ['Object{nope: "x"}'])],
      denied(
        'error applying patch: failed to convert patch object to typed object: .nope: field not declared in schema',
      ),
    ],
    'refuse patches that do not apply': [
      [mutating('p', ['[JSONPatch{op: "remove", path: "/data/none"}]'])],
      denied(
        "JSON Patch: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
      ),
    ],
    'refuse patches with unknown fields': [
      [mutating('p', ['[JSONPatch{op: "add", path: "/nope", value: 1}]'])],
      '500 InternalError Internal error occurred: strict decoding error: unknown field "nope"',
    ],
    'skip requests that conditions exclude': [
      [mutating('p', ['Object{data: {"b": "2"}}'], { matchConditions: [{ name: 'c', expression: 'false' }] })],
      { a: '1' },
    ],
    'read variables': [
      [
        mutating('p', ['Object{data: variables.d}'], {
          variables: [{ name: 'd', expression: '{"v": object.data.a}' }],
        }),
      ],
      { a: '1', v: '1' },
    ],
  };
  for (const [name, [mutations, expected]] of Object.entries(cases)) {
    it(name, async () => assert.deepEqual(await mutated(mutations), expected));
  }

  it('need parameters that exist', async () => {
    const policy = mutating('p', ['Object{}'], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    const binding = mutatingBinding('b', 'p', { paramRef: { name: 'x', parameterNotFoundAction: 'Deny' } });
    assert.equal(
      await mutated([policy], {}, [binding]),
      "403 Forbidden policy 'p' with binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  });

  it('fail as their failure policy says when the object has no such version', async () => {
    const versions = {
      ...create(configMap()).versions,
      document: () => Promise.reject(internalError(new Error('no v2'))),
    };
    const sources = ['Object{data: {"b": "2"}}'];
    assert.equal(
      await mutated([mutating('p', sources)], { versions }),
      '403 Forbidden policy "p" denied request: failed to configure policy: Internal error occurred: no v2',
    );
    const matchConditions = [{ name: 'c', expression: 'true' }];
    const ignoring = mutating('p', sources, { failurePolicy: 'Ignore', matchConditions });
    assert.deepEqual(await mutated([ignoring], { versions }), { a: '1' });
  });

  it('are observed, each expression by itself', async () => {
    const { observed, observation } = observing();
    const sources = ['Object{data: {"b": "2"}}', 'Object{data: {"c": object.data.none}}'];
    const mutations = [mutating('p', sources, { failurePolicy: 'Ignore' })];
    const plugin = mutatingPolicies(
      sourcesOf({ mutations, mutationBindings: [mutatingBinding('b', 'p')] }),
      observation,
    );
    await plugin.admit?.(create(configMap()));
    assert.deepEqual(observed, ['p b no_error', 'p b invalid_error']);
  });

  it('change the options of a connect', async () => {
    const connect = { operation: 'CONNECT' } as const;
    assert.deepEqual(await mutated([mutating('p', ['Object{data: {"b": "2"}}'])], connect), { a: '1', b: '2' });
  });
});
