import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  validateClusterRole,
  validateClusterRoleUpdate,
  validateConfigMap,
  validateConfigMapUpdate,
  validateHorizontalPodAutoscaler,
  validateIngress,
  validateLimitRange,
  validateNode,
  validateNodeUpdate,
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimUpdate,
  validatePodDisruptionBudget,
  validatePriorityClass,
  validateRole,
  validateRoleBindingUpdate,
  validateRoleUpdate,
  validateResourceQuota,
  validateSecret,
  validateService,
  validateServiceUpdate,
} from './index.js';
import { texts } from './rules.testing.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' };

test('config maps', () => {
  assert.match(
    texts(validateConfigMap({ data: { 'bad key!': 'x' } }))[0] ?? '',
    /^data\[bad key!\]: Invalid value: "bad key!": a valid config key/,
  );
  assert.deepEqual(texts(validateConfigMap({ data: { a: 'x'.repeat(1024 * 1024 + 1) } })), [
    ': Too long: may not be more than 1048576 bytes',
  ]);
  const old = { metadata, immutable: true, data: { a: '1' } };
  assert.deepEqual(texts(validateConfigMapUpdate({ ...old, data: { a: '2' } }, old)), [
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
});

test('secrets require the data of their type', () => {
  assert.deepEqual(texts(validateSecret({ type: 'kubernetes.io/tls', data: {} })), [
    'data[tls.crt]: Required value',
    'data[tls.key]: Required value',
  ]);
  assert.deepEqual(
    texts(validateSecret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{}') } })),
    [],
  );
});

const spec = { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' };
const port = { port: 80, targetPort: 80, protocol: 'TCP' };

test('services', () => {
  assert.deepEqual(texts(validateService({ spec })), ['spec.ports: Required value']);
  assert.deepEqual(texts(validateService({ spec: { ...spec, ports: [port, { ...port, port: 81 }] } })), [
    'spec.ports[0].name: Required value',
    'spec.ports[1].name: Required value',
  ]);
  const old = { metadata, spec: { ...spec, ports: [port], clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } };
  const changed = { metadata, spec: { ...old.spec, clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } };
  assert.deepEqual(texts(validateServiceUpdate(changed, old)), [
    'spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set',
  ]);
});

test('claims are immutable except for their size', () => {
  assert.deepEqual(texts(validatePersistentVolumeClaim({ spec: {} })), [
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ]);
  const claim = (storage: string, mode = 'ReadWriteOnce') => ({
    metadata,
    spec: { accessModes: [mode], resources: { requests: { storage } } },
    status: { phase: 'Bound', capacity: { storage: '2Gi' } },
  });
  assert.deepEqual(texts(validatePersistentVolumeClaimUpdate(claim('4Gi'), claim('2Gi'))), []);
  assert.deepEqual(texts(validatePersistentVolumeClaimUpdate(claim('1Gi'), claim('2Gi'))), [
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ]);
  const [what = '', ...difference] =
    texts(validatePersistentVolumeClaimUpdate(claim('2Gi', 'ReadOnlyMany'), claim('2Gi')))[0]?.split('\n') ?? [];
  assert.match(what, /^spec: Forbidden: spec is immutable after creation except/);
  assert.deepEqual(difference, [
    '@@ -1,6 +1,6 @@',
    ' {',
    '  "AccessModes": [',
    '-  "ReadWriteOnce"',
    '+  "ReadOnlyMany"',
    '  ],',
    '  "Selector": null,',
    '  "Resources": {',
    '',
  ]);
});

test('other kinds reject invalid fields', () => {
  assert.deepEqual(texts(validateIngress({ spec: {} })), [
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ]);
  const scaleTargetRef = { kind: 'Deployment', name: 'd' };
  assert.deepEqual(
    texts(validateHorizontalPodAutoscaler({ spec: { minReplicas: 5, maxReplicas: 3, scaleTargetRef } })),
    [
      'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
  );
  const selector = { matchLabels: { a: 'b' } };
  assert.deepEqual(texts(validatePodDisruptionBudget({ spec: { minAvailable: 1, maxUnavailable: 1, selector } })), [
    'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ]);
  assert.deepEqual(texts(validatePriorityClass({ metadata: { name: 'system-x' }, value: 5 })), [
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
  ]);
  assert.deepEqual(texts(validateRole({ rules: [{ verbs: [], apiGroups: [''], resources: ['pods'] }] })), [
    'rules[0].verbs: Required value: verbs must contain at least one value',
  ]);
  const binding = (name: string) => ({
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
  });
  assert.deepEqual(texts(validateRoleBindingUpdate(binding('other'), binding('r'))), [
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
  ]);
});

test("a docker config that is not a JSON object is rejected with Go's message", () => {
  const key = '.dockerconfigjson';
  for (const [content, problem] of [
    ['{"auths":', 'unexpected end of JSON input'],
    [' ', 'unexpected end of JSON input'],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1}}', "invalid character '}' after top-level value"],
    ['[1]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
    ['{"a":1e400}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ] as const) {
    const errors = texts(validateSecret({ type: 'kubernetes.io/dockerconfigjson', data: { [key]: btoa(content) } }));
    assert.deepEqual(errors, [`data[${key}]: Invalid value: "<secret contents redacted>": ${problem}`]);
  }
  assert.deepEqual(
    texts(validateSecret({ type: 'kubernetes.io/dockerconfigjson', data: { [key]: btoa('null') } })),
    [],
  );
});

test('the entries of large config maps, secrets, quotas and limit ranges are validated in steps', () => {
  const named = (value: string) => Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, value]));
  const validations = [
    validateConfigMap({ data: named('v') }),
    validateConfigMapUpdate({ metadata, data: named('v') }, { metadata, data: {} }),
    validateSecret({ data: named('YQ==') }),
    validateResourceQuota({ spec: { hard: named('1') } }),
    validateLimitRange({ spec: { limits: [{ type: 'PersistentVolumeClaim', max: named('1') }] } }),
  ];
  for (const steps of validations) {
    let yields = 0;
    for (const _ of steps) yields++;
    assert.ok(yields >= 10, String(yields));
  }
});

test('rules of roles, and prefixes of nodes, are checked in steps', () => {
  const rules = Array.from({ length: 20_000 }, () => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }));
  const podCIDRs = Array.from({ length: 20_000 }, () => '10.0.0.0/24');
  for (const steps of [
    validateRole({ rules }),
    validateRoleUpdate({ metadata, rules }),
    validateClusterRole({ rules }),
    validateClusterRoleUpdate({ metadata, rules }),
    validateNode({ metadata, spec: { podCIDRs } }),
    validateNodeUpdate({ metadata, spec: { podCIDRs } }, { metadata }),
  ]) {
    let yields = 0;
    for (const _ of steps) yields++;
    assert.ok(yields >= 20, `${yields} steps`);
  }
});
