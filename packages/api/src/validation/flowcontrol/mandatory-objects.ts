import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '../../generated/types/flowcontrol-v1.js';
import type { GoStruct } from '../go-struct.js';

// The mandatory flow control objects, and how messages show their specs. Upstream: apiserver
// `pkg/apis/flowcontrol/bootstrap`.

function mandatory(
  level: string,
  matchingPrecedence: number,
  groups: readonly string[],
  distinguisherMethod: { type: string } | undefined,
): FlowSchemaSpec {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisherMethod === undefined ? {} : { distinguisherMethod }),
    rules: [
      {
        subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
  };
}

export const MANDATORY_FLOW_SCHEMAS: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  ['exempt', mandatory('exempt', 1, ['system:masters'], undefined)],
  ['catch-all', mandatory('catch-all', 10_000, ['system:unauthenticated', 'system:authenticated'], { type: 'ByUser' })],
]);

export const MANDATORY_PRIORITY_LEVELS: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  ],
]);

const NAMED: GoStruct = { Name: ['name', ''] };

export const SHOWN_FLOW_SCHEMA_SPEC: GoStruct = {
  PriorityLevelConfiguration: ['priorityLevelConfiguration', {}, NAMED],
  MatchingPrecedence: ['matchingPrecedence', 0],
  DistinguisherMethod: ['distinguisherMethod', null, { Type: ['type', ''] }],
  Rules: [
    'rules',
    null,
    {
      Subjects: [
        'subjects',
        null,
        {
          Kind: ['kind', ''],
          User: ['user', null, NAMED],
          Group: ['group', null, NAMED],
          ServiceAccount: ['serviceAccount', null, { Namespace: ['namespace', ''], Name: ['name', ''] }],
        },
      ],
      ResourceRules: [
        'resourceRules',
        null,
        {
          Verbs: ['verbs', null],
          APIGroups: ['apiGroups', null],
          Resources: ['resources', null],
          ClusterScope: ['clusterScope', false],
          Namespaces: ['namespaces', null],
        },
      ],
      NonResourceRules: [
        'nonResourceRules',
        null,
        { Verbs: ['verbs', null], NonResourceURLs: ['nonResourceURLs', null] },
      ],
    },
  ],
};

export const SHOWN_PRIORITY_LEVEL_SPEC: GoStruct = {
  Type: ['type', ''],
  Limited: [
    'limited',
    null,
    {
      NominalConcurrencyShares: ['nominalConcurrencyShares', 0],
      LimitResponse: [
        'limitResponse',
        {},
        {
          Type: ['type', ''],
          Queuing: [
            'queuing',
            null,
            { Queues: ['queues', 0], HandSize: ['handSize', 0], QueueLengthLimit: ['queueLengthLimit', 0] },
          ],
        },
      ],
      LendablePercent: ['lendablePercent', null],
      BorrowingLimitPercent: ['borrowingLimitPercent', null],
    },
  ],
  Exempt: [
    'exempt',
    null,
    { NominalConcurrencyShares: ['nominalConcurrencyShares', null], LendablePercent: ['lendablePercent', null] },
  ],
};
