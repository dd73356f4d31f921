import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '@binnacle/api/types/apiextensions-v1';
import { formatTime } from '@binnacle/apimachinery/time';

export type DefinitionConditionType =
  | 'Established'
  | 'KubernetesAPIApprovalPolicyConformant'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating';

/** A condition without its transition time, which {@link setCondition} sets. */
export interface DefinitionCondition {
  readonly type: DefinitionConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function findCondition(
  definition: Readonly<CustomResourceDefinition>,
  type: DefinitionConditionType,
): CustomResourceDefinitionCondition | undefined {
  return (definition.status?.conditions ?? []).find((condition) => condition.type === type);
}

export function isConditionTrue(
  definition: Readonly<CustomResourceDefinition>,
  type: DefinitionConditionType,
): boolean {
  return findCondition(definition, type)?.status === 'True';
}

/** Sets a condition in place. The transition time changes only with the status. `now`: milliseconds. */
export function setCondition(definition: CustomResourceDefinition, condition: DefinitionCondition, now: number): void {
  definition.status ??= {};
  definition.status.conditions ??= [];
  const { conditions } = definition.status;
  const known = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = formatTime(now);
  if (known === undefined) conditions.push({ ...condition, lastTransitionTime });
  else Object.assign(known, condition, known.status === condition.status ? {} : { lastTransitionTime });
}

export function removeCondition(definition: CustomResourceDefinition, type: DefinitionConditionType): void {
  const { status } = definition;
  if (status?.conditions !== undefined) status.conditions = status.conditions.filter((each) => each.type !== type);
}
