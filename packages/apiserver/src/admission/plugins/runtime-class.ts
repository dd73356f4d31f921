import { asKind } from '@binnacle/apimachinery/meta';
import type { Pod, Toleration } from '@binnacle/api/types/core-v1';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

export interface RuntimeClassSource {
  runtimeClass(name: string): Awaitable<Readonly<RuntimeClass> | undefined>;
}

/**
 * Sets the overhead of the runtime class on a pod, and merges its node selector and tolerations.
 * Upstream: `plugin/pkg/admission/runtimeclass`.
 */
export function runtimeClass(source: RuntimeClassSource): AdmissionPlugin {
  const classOf = async (attributes: AdmissionAttributes, name: string): Promise<Readonly<RuntimeClass>> => {
    const found = await source.runtimeClass(name);
    if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  };
  return {
    name: 'RuntimeClass',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE',
    async admit(attributes) {
      const spec = podSpecOf(attributes);
      if (spec?.runtimeClassName === undefined) return;
      const { overhead, scheduling } = await classOf(attributes, spec.runtimeClassName);
      if (overhead !== undefined) {
        if (!semanticEqual(spec.overhead, {}) && !semanticEqual(spec.overhead, overhead.podFixed)) {
          throw refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        }
        spec.overhead = structuredClone(overhead.podFixed);
      }
      if (scheduling === undefined) return;
      for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
        const own = spec.nodeSelector !== undefined && Object.hasOwn(spec.nodeSelector, key);
        if (own && spec.nodeSelector?.[key] !== value) {
          const asked = `pod.spec.nodeSelector[${key}] = ${spec.nodeSelector?.[key]}`;
          throw refusal(attributes, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; ${asked}`);
        }
        spec.nodeSelector = { ...spec.nodeSelector, [key]: value };
      }
      const tolerations = withoutImplied([...(spec.tolerations ?? []), ...(scheduling.tolerations ?? [])]);
      if (tolerations.length > 0) spec.tolerations = structuredClone(tolerations);
    },
    validate(attributes) {
      const spec = podSpecOf(attributes);
      if (spec === undefined || (spec.overhead === undefined && spec.runtimeClassName === undefined)) return;
      return checkOverhead(attributes, spec);
    },
  };

  async function checkOverhead(attributes: AdmissionAttributes, spec: NonNullable<Pod['spec']>): Promise<void> {
    const name = spec.runtimeClassName;
    const overhead = name === undefined ? undefined : (await classOf(attributes, name)).overhead;
    if (overhead !== undefined && !semanticEqual(spec.overhead, overhead.podFixed)) {
      throw refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    if (overhead === undefined && spec.overhead !== undefined) {
      throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    }
  }
}

function podSpecOf({ resource, subresource, object }: AdmissionAttributes): Pod['spec'] {
  if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '') return undefined;
  return asKind<Pod>(object)?.spec;
}

/** Drops tolerations that another one covers. Of two equal ones the first is kept. Upstream: `util/tolerations`. */
function withoutImplied(tolerations: readonly Toleration[]): Toleration[] {
  const kept: Toleration[] = [];
  for (const [index, one] of tolerations.entries()) {
    const later = tolerations.slice(index + 1).filter((other) => !semanticEqual(other, one));
    if (![...kept, ...later].some((other) => covers(other, one))) kept.push(one);
  }
  return kept;
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (semanticEqual(wide, narrow)) return true;
  const anyKey = (wide.key ?? '') === '' && wide.operator === 'Exists';
  if (wide.key !== narrow.key && !anyKey) return false;
  if (wide.effect !== narrow.effect && (wide.effect ?? '') !== '') return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || wide.tolerationSeconds < narrow.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return isEqual(wide) && isEqual(narrow) && (wide.value ?? '') === (narrow.value ?? '');
}

function isEqual({ operator }: Toleration): boolean {
  return (operator ?? '') === '' || operator === 'Equal';
}
