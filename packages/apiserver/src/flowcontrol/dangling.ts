import type { FlowSchema, FlowSchemaCondition } from '@binnacle/api/types/flowcontrol-v1';
import type { JsonObject } from '@binnacle/apimachinery/json';

/** The field manager that applies the condition. */
export const CONSUMER = 'api-priority-and-fairness-config-consumer-v1';

const DANGLING = 'Dangling';

/** What the condition of a flow schema should say. `isFound`: whether its priority level exists. */
function conditionOf(level: string, isFound: boolean): Omit<FlowSchemaCondition, 'lastTransitionTime'> {
  const references = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return isFound
    ? { type: DANGLING, status: 'False', reason: 'Found', message: `${references} and it exists` }
    : { type: DANGLING, status: 'True', reason: 'NotFound', message: `${references} but there is no such object` };
}

/**
 * The configuration to apply to the status of a flow schema; undefined when its condition is right.
 * Upstream: `presyncFlowSchemaStatus`.
 */
export function danglingStatus(schema: FlowSchema, levels: ReadonlySet<string>, now: string): JsonObject | undefined {
  const level = schema.spec?.priorityLevelConfiguration.name ?? '';
  const { type, status, reason, message } = conditionOf(level, levels.has(level));
  const stored = schema.status?.conditions?.find((condition) => condition.type === DANGLING);
  if (stored?.status === status && stored?.reason === reason && stored?.message === message) return undefined;
  const condition = { type, status, reason, message, lastTransitionTime: now };
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: schema.metadata?.name ?? '' },
    status: { conditions: [condition] },
  };
}
