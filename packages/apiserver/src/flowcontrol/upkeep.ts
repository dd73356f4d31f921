import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import {
  AUTO_UPDATE,
  mandatoryLevels,
  mandatorySchemas,
  suggestedLevels,
  suggestedSchemas,
} from './bootstrap-objects.js';
import { EXEMPT } from './level-settings.js';

/** The manager of the fields that the server sets in these objects. */
export const PRODUCER = 'api-priority-and-fairness-config-producer-v1';

/** An object that the server keeps. */
export interface KeptObject {
  readonly object: KubernetesObject & { readonly spec: object };
  /** Whether users cannot take over its spec. */
  readonly isMandatory: boolean;
}

const kept = (isMandatory: boolean) => (object: KeptObject['object']) => ({ object, isMandatory });

/** All objects that the server keeps, of both kinds, in the order of their creation. */
export const keptObjects: readonly KeptObject[] = [
  ...[...suggestedLevels, ...suggestedSchemas].map(kept(false)),
  ...[...mandatoryLevels, ...mandatorySchemas].map(kept(true)),
];

const TRUE: readonly string[] = ['1', 't', 'T', 'true', 'True', 'TRUE'];
const FALSE: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

/**
 * Gives an object the spec and the annotation that it should have. A suggested object whose annotation says `false`, or
 * that has no annotation and was edited, keeps its spec. Upstream: `pkg/registry/flowcontrol/ensurer`.
 */
export function revise(current: KubernetesObject, { object: { spec }, isMandatory }: KeptObject): void {
  const { metadata } = current;
  const annotated = autoUpdateOf(current);
  const isOurs = isMandatory || (annotated ?? metadata.generation === 1);
  if (isOurs && !isAsKept(current, spec)) current['spec'] = structuredClone(spec);
  if (annotated !== isOurs) metadata.annotations = { ...metadata.annotations, [AUTO_UPDATE]: String(isOurs) };
}

/** The objects that an earlier release has kept, and this one does not. */
export function obsolete<T extends KubernetesObject>(stored: readonly T[]): readonly T[] {
  const names = new Set(keptObjects.map(({ object }) => `${object.kind}/${object.metadata.name ?? ''}`));
  return stored.filter(
    (object) => autoUpdateOf(object) === true && !names.has(`${object.kind}/${object.metadata.name ?? ''}`),
  );
}

/** Undefined: the annotation is missing or malformed. */
function autoUpdateOf({ metadata }: KubernetesObject): boolean | undefined {
  const value = metadata.annotations?.[AUTO_UPDATE];
  if (value === undefined) return undefined;
  return TRUE.includes(value) ? true : FALSE.includes(value) ? false : undefined;
}

/** Users may change the shares of the exempt level. */
function isAsKept(current: KubernetesObject, spec: object): boolean {
  const own = asJson(current)['spec'];
  if (current.kind !== 'PriorityLevelConfiguration' || current.metadata.name !== EXEMPT)
    return semanticEqual(own, spec);
  const { type, exempt, ...rest } = own as { type?: string; exempt?: object };
  return type === 'Exempt' && exempt !== undefined && Object.keys(rest).length === 0;
}
