import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/** The field with the pod template, by `resource.group`. */
const TEMPLATE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['podtemplates', 'template'],
  ['replicationcontrollers', 'spec.template'],
  ['replicasets.apps', 'spec.template'],
  ['deployments.apps', 'spec.template'],
  ['statefulsets.apps', 'spec.template'],
  ['daemonsets.apps', 'spec.template'],
  ['jobs.batch', 'spec.template'],
  ['cronjobs.batch', 'spec.jobTemplate.spec.template'],
]);

export const templateResources: readonly string[] = [...TEMPLATE_FIELDS.keys()];

/** The field that holds the pod template of a resource, such as `spec.template`; undefined if it makes no pods. */
export function templateField(resource: string): string | undefined {
  return TEMPLATE_FIELDS.get(resource);
}

/** The object at a field such as `spec.template`; undefined if there is none. */
export function objectAt(object: JsonObject, field: string): JsonObject | undefined {
  let value: JsonValue | undefined = object;
  for (const name of field.split('.')) value = isObject(value) ? getOwn(value, name) : undefined;
  return isObject(value) ? value : undefined;
}
