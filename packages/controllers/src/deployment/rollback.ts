import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { lastRevision, revisionOf, rolledBackAnnotations } from './annotations.js';
import type { PlannedEvent } from '../common/index.js';
import { hasTemplate, TEMPLATE_HASH } from './sets.js';

/**
 * The Deployment with the template of an earlier revision, 0 for the previous one. In any case the request is gone from its annotations.
 */
export function rollBack(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  request: bigint,
): { readonly deployment: Deployment; readonly events: readonly PlannedEvent[] } {
  const revision = request === 0n ? lastRevision(sets) : request;
  const target = revision === 0n ? undefined : sets.find((set) => revisionOf(set) === revision);
  const { name = '' } = deployment.metadata;
  if (target === undefined) {
    const what = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    return givenUp(deployment, 'DeploymentRollbackRevisionNotFound', what);
  }
  if (hasTemplate(target, deployment.spec?.template)) {
    const what = `The rollback revision contains the same template as current deployment ${JSON.stringify(name)}`;
    return givenUp(deployment, 'DeploymentRollbackTemplateUnchanged', what);
  }
  const message = `Rolled back deployment ${JSON.stringify(name)} to revision ${revision}`;
  return {
    deployment: withTemplateOf(target, withAnnotations(deployment, target)),
    events: [{ type: 'Normal', reason: 'DeploymentRollback', message }],
  };
}

function givenUp(deployment: Deployment, reason: string, message: string) {
  return {
    deployment: withAnnotations(deployment, undefined),
    events: [{ type: 'Warning', reason, message } as const],
  };
}

function withAnnotations(deployment: Deployment, target: ReplicaSet | undefined): Deployment {
  const annotations = rolledBackAnnotations(deployment, target);
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function withTemplateOf({ spec: source }: ReplicaSet, deployment: Deployment): Deployment {
  const { metadata, ...rest } = source?.template ?? {};
  const { [TEMPLATE_HASH]: _, ...labels } = { ...metadata?.labels };
  if (deployment.spec === undefined) return deployment;
  return { ...deployment, spec: { ...deployment.spec, template: { ...rest, metadata: { ...metadata, labels } } } };
}
