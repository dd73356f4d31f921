import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  Subject,
} from '@binnacle/api/types/flowcontrol-v1';
import { MANDATORY_FLOW_SCHEMAS, MANDATORY_PRIORITY_LEVELS } from '@binnacle/api/validation';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';

/** The annotation that says whether the server keeps an object as it is here: `true` or `false`. */
export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

export type StoredFlowSchema = KubernetesObject & { spec: FlowSchemaSpec };
export type StoredPriorityLevel = KubernetesObject & { spec: PriorityLevelConfigurationSpec };

const metadataOf = (name: string) => ({ name, annotations: { [AUTO_UPDATE]: 'true' } });

const flowSchema = (name: string, spec: FlowSchemaSpec): StoredFlowSchema => ({
  apiVersion,
  kind: 'FlowSchema',
  metadata: metadataOf(name),
  spec,
});

const priorityLevel = (name: string, spec: PriorityLevelConfigurationSpec): StoredPriorityLevel => ({
  apiVersion,
  kind: 'PriorityLevelConfiguration',
  metadata: metadataOf(name),
  spec,
});

/** The objects without which no request could be classified. Upstream: apiserver `pkg/apis/flowcontrol/bootstrap`. */
export const mandatorySchemas = Array.from(MANDATORY_FLOW_SCHEMAS, ([name, spec]) => flowSchema(name, spec));
export const mandatoryLevels = Array.from(MANDATORY_PRIORITY_LEVELS, ([name, spec]) => priorityLevel(name, spec));

const queuingLevel = (name: string, shares: number, lendablePercent: number, queues: number, handSize: number) =>
  priorityLevel(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      lendablePercent,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
    },
  });

export const suggestedLevels: readonly StoredPriorityLevel[] = [
  queuingLevel('system', 30, 33, 64, 6),
  queuingLevel('node-high', 40, 25, 64, 6),
  queuingLevel('leader-election', 10, 0, 16, 4),
  queuingLevel('workload-high', 40, 50, 128, 6),
  queuingLevel('workload-low', 100, 90, 128, 6),
  queuingLevel('global-default', 20, 50, 128, 6),
];

const group = (name: string): Subject => ({ kind: 'Group', group: { name } });
const user = (name: string): Subject => ({ kind: 'User', user: { name } });

const NODES = group('system:nodes');
const CONTROLLER_MANAGER = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');
const KUBE_SYSTEM_ACCOUNTS: Subject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};
const EVERYONE = [group('system:unauthenticated'), group('system:authenticated')];

const every = ['*'];
const resources = (verbs: string[], apiGroup: string, names: string[], clusterScope: boolean) => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
  namespaces: every,
  ...(clusterScope ? { clusterScope } : {}),
});

const everything = (subjects: Subject[]): PolicyRulesWithSubjects => ({
  subjects,
  resourceRules: [resources(every, '*', every, true)],
  nonResourceRules: [{ verbs: every, nonResourceURLs: every }],
});

function suggested(
  name: string,
  level: string,
  matchingPrecedence: number,
  method: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects,
): StoredFlowSchema {
  return flowSchema(name, {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(method === undefined ? {} : { distinguisherMethod: { type: method } }),
    rules: [rule],
  });
}

export const suggestedSchemas: readonly StoredFlowSchema[] = [
  suggested('system-nodes', 'system', 500, 'ByUser', everything([NODES])),
  suggested('system-node-high', 'node-high', 400, 'ByUser', {
    subjects: [NODES],
    resourceRules: [
      resources(every, '', ['nodes', 'nodes/status'], true),
      resources(every, 'coordination.k8s.io', ['leases'], false),
    ],
  }),
  suggested('probes', 'exempt', 2, undefined, {
    subjects: EVERYONE,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  suggested('system-leader-election', 'leader-election', 100, 'ByUser', {
    subjects: [CONTROLLER_MANAGER, SCHEDULER, KUBE_SYSTEM_ACCOUNTS],
    resourceRules: [resources(['get', 'create', 'update'], 'coordination.k8s.io', ['leases'], false)],
  }),
  suggested('kube-controller-manager', 'workload-high', 800, 'ByNamespace', everything([CONTROLLER_MANAGER])),
  suggested('kube-scheduler', 'workload-high', 800, 'ByNamespace', everything([SCHEDULER])),
  suggested('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', everything([KUBE_SYSTEM_ACCOUNTS])),
  suggested('service-accounts', 'workload-low', 9000, 'ByUser', everything([group('system:serviceaccounts')])),
  suggested('global-default', 'global-default', 9900, 'ByUser', everything(EVERYONE)),
];
