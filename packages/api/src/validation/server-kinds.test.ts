import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { APIService } from '../generated/types/apiregistration-v1.js';
import type { ResourceQuota } from '../generated/types/core-v1.js';
import type { FlowSchema, PriorityLevelConfiguration } from '../generated/types/flowcontrol-v1.js';
import type { IPAddress, ServiceCIDR } from '../generated/types/networking-v1.js';
import {
  validateAPIService,
  validateAPIServiceStatusUpdate,
  validateFlowSchema,
  validateFlowSchemaStatusUpdate,
  validateIPAddress,
  validateIPAddressUpdate,
  validatePriorityLevelConfiguration,
  validateResourceQuota,
  validateServiceCIDR,
  validateServiceCIDRUpdate,
} from './index.js';
import { checkRule, checkUpdate } from './rules.testing.js';

const metadata = { name: 'x', uid: 'u', resourceVersion: '1' };

const address: IPAddress = {
  metadata: { ...metadata, name: '10.0.0.1' },
  spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } },
};

test('addresses', () => {
  checkRule(validateIPAddress, address, [
    [(object) => (object.spec = {} as IPAddress['spec']), ['spec.parentRef: Required value']],
    [
      (object) => Object.assign(object.spec?.parentRef ?? {}, { resource: '', name: 'a/b' }),
      ['spec.parentRef.resource: Required value', 'spec.parentRef.name: Invalid value: "a/b": may not contain \'/\''],
    ],
  ]);
  checkUpdate(validateIPAddressUpdate, address, [
    [
      (object) => Object.assign(object.spec?.parentRef ?? {}, { name: 't' }),
      ['spec.parentRef: Invalid value: {"resource":"services","namespace":"n","name":"t"}: field is immutable'],
    ],
  ]);
});

const range: ServiceCIDR = { metadata, spec: { cidrs: ['10.0.0.0/24'] } };

test('ranges of service addresses', () => {
  checkRule(validateServiceCIDR, range, [
    [(object) => (object.spec = {}), ['spec.cidrs: Required value: at least one CIDR required']],
    [
      (object) => (object.spec = { cidrs: ['a', 'b', 'c'] }),
      ['spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values'],
    ],
    [
      (object) => (object.spec = { cidrs: ['10.0.0.0/24', '10.1.0.0/24'] }),
      [
        'spec.cidrs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
    [
      (object) => (object.spec = { cidrs: ['2001:DB8::/64'] }),
      ['spec.cidrs[0]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")'],
    ],
  ]);
  checkUpdate(validateServiceCIDRUpdate, range, [
    [(object) => (object.spec = { cidrs: ['10.0.0.0/24', '2001:db8::/64'] }), []],
    [
      (object) => (object.spec = { cidrs: ['10.1.0.0/24'] }),
      ['spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable'],
    ],
    [(object) => (object.spec = { cidrs: [] }), ['spec.cidrs: Invalid value: []: field is immutable']],
  ]);
});

const service: APIService = {
  metadata: { ...metadata, name: 'v1.example.com' },
  spec: {
    group: 'example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { namespace: 'n', name: 's', port: 443 },
  },
};

test('API services', () => {
  checkRule(validateAPIService, service, [
    [
      (object) => (object.metadata = { ...metadata, name: 'v2.example.com' }),
      ['metadata.name: Invalid value: "v2.example.com": must be `spec.version+"."+spec.group`: "v1.example.com"'],
    ],
    [
      (object) => (object.metadata = { ...metadata, name: 'v1.example.com', generateName: 'v1.' }),
      ['metadata.generateName: Invalid value: "v1.": must be `spec.version+"."+spec.group`: "v1.example.com"'],
    ],
    [
      (object) => Object.assign(object.spec ?? {}, { groupPriorityMinimum: 0, versionPriority: 2000 }),
      [
        'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 2000: must be positive and less than 1000',
      ],
    ],
    [
      (object) =>
        Object.assign(object.spec ?? {}, { service: undefined, caBundle: 'AAAA', insecureSkipTLSVerify: true }),
      [
        'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
        'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      ],
    ],
    [
      (object) => Object.assign(object.spec ?? {}, { service: { namespace: '', name: 's', port: 0 } }),
      [
        'spec.service.namespace: Required value',
        'spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
  ]);
  checkRule(validateAPIServiceStatusUpdate, service, [
    [
      (object) => (object.status = { conditions: [{ type: 'Available', status: 'Maybe' }] }),
      ['status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"'],
    ],
  ]);
});

const schema: FlowSchema = {
  metadata,
  spec: {
    priorityLevelConfiguration: { name: 'workload-low' },
    matchingPrecedence: 100,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'n' } }],
        resourceRules: [{ verbs: ['get'], apiGroups: ['*'], resources: ['pods'], namespaces: ['n'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/healthz/*'] }],
      },
    ],
  },
};

test('flow schemas', () => {
  const rule = (object: FlowSchema): object => object.spec?.rules?.[0] ?? {};
  checkRule(validateFlowSchema, schema, [
    [
      (object) => Object.assign(object.spec ?? {}, { matchingPrecedence: 1, distinguisherMethod: { type: 'ByShoe' } }),
      [
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByShoe"}: supported values: "ByNamespace", "ByUser"',
      ],
    ],
    [
      (object) => Object.assign(rule(object), { subjects: [{ kind: 'User', group: { name: 'g' } }] }),
      [
        "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
        "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      ],
    ],
    [
      (object) => Object.assign(rule(object), { subjects: [], resourceRules: [], nonResourceRules: [] }),
      [
        'spec.rules[0].subjects: Required value: subjects must contain at least one value',
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
    ],
    [
      (object) =>
        Object.assign(rule(object), {
          resourceRules: [{ verbs: ['*', 'get'], apiGroups: [], resources: ['*', 'pods'], namespaces: ['A'] }],
          nonResourceRules: [{ verbs: ['jump'], nonResourceURLs: ['/a*', 'b'] }],
        }),
      [
        'spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs',
        'spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources',
        "spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: \"A\": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["jump"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*": wildcard can only do suffix matching',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "b": must start with slash',
      ],
    ],
    [
      (object) => {
        object.metadata = { ...metadata, name: 'catch-all' };
        object.spec = { priorityLevelConfiguration: { name: 'catch-all' }, matchingPrecedence: 9999 };
      },
      [
        'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"catch-all"},"MatchingPrecedence":9999,"DistinguisherMethod":null,"Rules":null}: spec of \'catch-all\' must equal the fixed value',
      ],
    ],
  ]);
  checkRule(validateFlowSchemaStatusUpdate, schema, [
    [
      (object) => (object.status = { conditions: [{ type: 'A' }, { type: 'A' }, {}] }),
      ['status.conditions[1].type: Duplicate value: "A"', 'status.conditions[2].type: Required value'],
    ],
  ]);
});

const level: PriorityLevelConfiguration = {
  metadata,
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 5,
      lendablePercent: 10,
      limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
    },
  },
};

test('priority levels', () => {
  const limited = (object: PriorityLevelConfiguration): object => object.spec?.limited ?? {};
  const queuing = (queues: number, handSize: number) => (object: PriorityLevelConfiguration) =>
    Object.assign(limited(object), {
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
    });
  const hand = 'spec.limited.limitResponse.queuing.handSize';
  checkRule(validatePriorityLevelConfiguration, level, [
    [
      (object) => Object.assign(limited(object), { nominalConcurrencyShares: -1, lendablePercent: 101 }),
      [
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      ],
    ],
    [
      (object) => (object.spec = { type: 'Exempt' }),
      ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
    ],
    [
      (object) => (object.spec = { type: 'Limited' }),
      ['spec.limited: Required value: must not be empty when type is Limited'],
    ],
    [queuing(4, 8), [`${hand}: Invalid value: 8: should not be greater than queues (4)`]],
    [
      queuing(1024, 8),
      [
        `${hand}: Invalid value: 8: required entropy bits of deckSize 1024 and handSize 8 should not be greater than 60`,
      ],
    ],
    [
      (object) => {
        object.metadata = { ...metadata, name: 'exempt' };
        object.spec = { type: 'Exempt', exempt: { nominalConcurrencyShares: 10, lendablePercent: 5 } };
      },
      [],
    ],
  ]);
});

const quota: ResourceQuota = {
  metadata: { ...metadata, namespace: 'n' },
  spec: {
    hard: { pods: '5' },
    scopes: ['BestEffort'],
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
  },
};

test('quotas compare each scope with the limits once', () => {
  const hard = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`count/r${index}.a`, '1']));
  const scopes = Array.from({ length: 50_000 }, (_, index) => (index === 0 ? 'Odd' : 'BestEffort'));
  const errors = finish(validateResourceQuota({ ...quota, spec: { hard: { ...hard, cpu: '1' }, scopes } }));
  assert.deepEqual(
    errors.map(({ detail }) => detail),
    ['unsupported scope', 'unsupported scope applied to resource'],
  );
});

test('quotas allow only scopes that apply to their limits', () => {
  const selector = 'spec.scopeSelector.matchExpressions';
  checkRule(validateResourceQuota, quota, [
    [
      (object) => Object.assign(object.spec ?? {}, { hard: { pods: '5', cpu: '1' } }),
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      (object) => Object.assign(object.spec ?? {}, { scopes: ['BestEffort', 'NotBestEffort', 'Odd'] }),
      [
        'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: unsupported scope',
        'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: conflicting scopes',
      ],
    ],
    [
      (object) =>
        Object.assign(object.spec ?? {}, {
          scopes: undefined,
          scopeSelector: {
            matchExpressions: [
              { scopeName: 'Terminating', operator: 'In' },
              { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
              { scopeName: 'Odd', operator: 'Is' },
            ],
          },
        }),
      [
        `${selector}.operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
        `${selector}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
        `${selector}.values: Invalid value: ["a"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
        `${selector}.scopeName: Invalid value: "Odd": unsupported scope`,
        `${selector}.operator: Invalid value: "Is": not a valid selector operator`,
      ],
    ],
    [
      (object) =>
        Object.assign(object.spec ?? {}, {
          hard: { 'requests.storage': '1Gi' },
          scopes: undefined,
        }),
      [
        `${selector}: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"In","Values":["high"]}]}: unsupported scope applied to resource`,
      ],
    ],
  ]);
});
