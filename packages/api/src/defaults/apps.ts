import type {
  DaemonSet,
  DaemonSetSpec,
  DeploymentSpec,
  ReplicaSetSpec,
  StatefulSetSpec,
} from '../generated/types/apps-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty } from './values.js';

const keptRevisions = 10;

function defaultDeploymentSpec(spec: DeploymentSpec): void {
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  if (isEmpty(strategy.type)) strategy.type = 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const update = (strategy.rollingUpdate ??= {});
    update.maxUnavailable ??= '25%';
    update.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= keptRevisions;
  spec.progressDeadlineSeconds ??= 600;
}

/** Upstream's internal type has a field for the template generation. v1 always carries it in this annotation. */
function defaultDaemonSet(set: DaemonSet): void {
  const meta = (set.metadata ??= {});
  const annotations = (meta.annotations ??= {});
  annotations['deprecated.daemonset.template.generation'] ??= '0';
}

function defaultDaemonSetSpec(spec: DaemonSetSpec): void {
  const strategy = (spec.updateStrategy ??= {});
  if (isEmpty(strategy.type)) strategy.type = 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const update = (strategy.rollingUpdate ??= {});
    update.maxUnavailable ??= 1;
    update.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= keptRevisions;
}

function defaultStatefulSetSpec(spec: StatefulSetSpec): void {
  if (isEmpty(spec.podManagementPolicy)) spec.podManagementPolicy = 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (isEmpty(strategy.type)) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  if (isEmpty(retention.whenDeleted)) retention.whenDeleted = 'Retain';
  if (isEmpty(retention.whenScaled)) retention.whenScaled = 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= keptRevisions;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
  }
}

export const appsDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.apps.v1.DeploymentSpec', defaultDeploymentSpec),
  typeRule('io.k8s.api.apps.v1.DaemonSet', defaultDaemonSet),
  typeRule('io.k8s.api.apps.v1.DaemonSetSpec', defaultDaemonSetSpec),
  typeRule('io.k8s.api.apps.v1.StatefulSetSpec', defaultStatefulSetSpec),
  typeRule('io.k8s.api.apps.v1.ReplicaSetSpec', (spec: ReplicaSetSpec) => {
    spec.replicas ??= 1;
  }),
];
