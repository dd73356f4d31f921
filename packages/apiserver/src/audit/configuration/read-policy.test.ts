import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAuditPolicy } from './read-policy.js';

const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';

describe('readAuditPolicy', () => {
  it('reads every field', () => {
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        {
          level: 'RequestResponse',
          users: ['jane'],
          userGroups: ['dev'],
          verbs: ['get'],
          resources: [{ group: 'apps', resources: ['deployments'], resourceNames: ['web'] }],
          namespaces: ['shop'],
          omitStages: ['ResponseStarted'],
          omitManagedFields: false,
        },
        { level: 'None', nonResourceURLs: ['/healthz*', '*'] },
      ],
    };
    assert.deepEqual(readAuditPolicy(JSON.stringify(policy)), { policy, warnings: [] });
  });

  it('accepts any metadata', () => {
    const metadata = 'metadata: {name: a, labels: {b: c}, creationTimestamp: null}\n';
    assert.deepEqual(readAuditPolicy(`${head}${metadata}rules: [{level: None}]\n`).policy.rules, [{ level: 'None' }]);
  });

  for (const [rules, message] of [
    ['rules: []\n', 'loaded illegal policy with 0 rules'],
    ['', 'loaded illegal policy with 0 rules'],
    ['rules:\n- users: [jane]\n', 'rules[0].level: Required value'],
    [
      'rules:\n- level: All\n',
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: [version]\n',
      'rules[0].nonResourceURLs[0]: Invalid value: "version": non-resource URL rules must begin with a \'/\' character',
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: ["/a*b"]\n',
      'rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule',
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: ["/a"]\n  namespaces: [b]\n',
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      'rules:\n- level: None\n  resources: [{resourceNames: [a]}]\n',
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
    [
      'rules:\n- level: None\n  omitStages: [Sometimes]\n',
      'rules[0].omitStages[0]: Invalid value: "Sometimes": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(rules)}`, () => {
      assert.throws(() => readAuditPolicy(head + rules), { message });
    });
  }

  it('warns of unknown fields and of fields given twice, and ignores them', () => {
    const { policy, warnings } = readAuditPolicy(
      `${head}omitStage: [Panic]\nrules:\n- level: None\n  level: Metadata\n  verb: [get]\n  resources: [{groups: apps}]\n`,
    );
    assert.deepEqual(policy.rules, [{ level: 'Metadata', resources: [{}] }]);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /^Audit policy contains errors, falling back to lenient decoding: strict decoding error: /,
    );
    for (const field of ['"level" already set', '"omitStage"', '"rules[0].verb"', '"rules[0].resources[0].groups"']) {
      assert.ok(warnings[0]?.includes(field), `${field} in ${warnings[0]}`);
    }
  });

  it('refuses groups with a version, unknown stages of the policy, and other kinds', () => {
    const versioned = 'rules:\n- level: None\n  resources: [{group: apps/v1}]\n';
    assert.throws(
      () => readAuditPolicy(head + versioned),
      /^Error: rules\[0\]\.resources\.group: Invalid value: "apps\/v1"/,
    );
    assert.throws(
      () => readAuditPolicy(`${head}omitStages: [Sometimes]\nrules:\n- level: None\n`),
      /^Error: omitStages\[0\]/,
    );
    assert.throws(() => readAuditPolicy('apiVersion: v1\nkind: Pod\n'), /no kind "Pod" is registered for version "v1"/);
  });
});
