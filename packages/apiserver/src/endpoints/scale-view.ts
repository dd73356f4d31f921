import { getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '@binnacle/apimachinery/json';
import {
  emptyFieldSet,
  fromScaleManagers,
  type ReplicasPaths,
  toScaleManagers,
} from '@binnacle/apimachinery/managedfields';
import { asJson, copyOf, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest, conflict, internalError, invalid } from '@binnacle/apimachinery/status';
import {
  nameIsDnsSubdomain,
  validateFinalizerDomains,
  validateNonNegative,
  validateObjectMeta,
} from '@binnacle/apimachinery/validation';
import type { KindCodec } from '../codec/index.js';
import { preconditionFailed, type Strategy } from '../registry/index.js';
import type { StoredObject } from '../storage/index.js';
import type { View } from './endpoint.js';

/** What scaling a kind needs: the paths of its replicas and its selector. */
export interface ScaleTarget {
  /** Set for a built-in kind: upstream validates its scale before the object. */
  readonly resource?: GroupResource;
  readonly selector: (object: Readonly<KubernetesObject>) => string;
  /** The apiVersion of the path. */
  readonly apiVersion: string;
  /** The paths of the desired replicas in every version of the kind. {@link apiVersion} has one. */
  readonly wanted: ReplicasPaths;
  /** The path of the current replicas. Default: status.replicas, as in all built-in kinds. */
  readonly actual?: readonly string[];
  /** The path of the desired replicas, if a scale without it cannot be read or written, as for custom resources. */
  readonly requires?: string;
}

interface Replicas {
  replicas?: number;
}

const standardActual = ['status', 'replicas'];

const scaleKind = { group: 'autoscaling', kind: 'Scale' };

/** Marks absent replicas while a client's patch is applied. Upstream: `invalidSpecReplicas`. */
const ABSENT = -(2 ** 31);

/**
 * The scale of a workload: its replicas, as an object of kind Scale. Upstream: `autoscaling/v1 Scale` and each
 * workload's `ScaleREST`.
 */
export function scaleView(scaleCodec: KindCodec, target: ScaleTarget, strategy: Strategy | undefined): View {
  const { apiVersion, actual = standardActual, requires } = target;
  const wantedPath = target.wanted.get(apiVersion);
  if (wantedPath === undefined) throw new Error(`${apiVersion} has no path of replicas`);
  const present = (object: KubernetesObject): KubernetesObject => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const wanted = countAt(object, wantedPath) ?? (requires === undefined ? undefined : ABSENT);
    const selector = target.selector(object);
    return {
      kind: scaleCodec.groupVersionKind.kind,
      apiVersion: scaleCodec.apiVersion,
      metadata: dropUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
      spec: wanted === undefined ? {} : { replicas: wanted },
      status: { replicas: countAt(object, actual) ?? 0, ...(selector === '' ? {} : { selector }) },
    };
  };
  return {
    subresource: 'scale',
    codec: scaleCodec,
    strategy,
    resetFields: emptyFieldSet,
    isStoredForm: false,
    show(stored: StoredObject) {
      const object = stored.decode();
      if (requires !== undefined && countAt(object, wantedPath) === undefined) {
        throw internalError(new Error(`the spec replicas field "${requires}" does not exist`));
      }
      return present(object);
    },
    present,
    before(object) {
      const scale = present(object);
      const entries = toScaleManagers(object.metadata.managedFields, target.wanted);
      if (entries !== undefined) scale.metadata.managedFields = entries;
      return scale;
    },
    converting: (work) => work(() => undefined),
    accept(sent, current) {
      if (current === undefined) return sent;
      const object = copyOf(current);
      const { replicas = 0 } = (sent.spec ?? {}) as Replicas;
      if (target.resource !== undefined) checkScale(target.resource, sent, current, replicas);
      if (requires !== undefined && replicas === ABSENT) {
        throw badRequest(`the spec replicas field "${requires}" cannot be empty`);
      }
      setAt(asJson(object), wantedPath, replicas);
      passResourceVersion(sent, object, requires !== undefined);
      const before = current.metadata.managedFields;
      const entries = fromScaleManagers(before, sent.metadata.managedFields, apiVersion, target.wanted);
      if (entries === undefined) delete object.metadata.managedFields;
      else object.metadata.managedFields = entries;
      return object;
    },
  };
}

/** Validates the scale of a built-in kind before the object that it changes. Upstream: `scaleUpdatedObjectInfo`. */
function checkScale(
  resource: GroupResource,
  sent: KubernetesObject,
  current: KubernetesObject,
  replicas: number,
): void {
  const { name = '', namespace, uid: actual = '' } = current.metadata;
  const metadata = { ...sent.metadata, ...(namespace === undefined ? {} : { namespace }) };
  const problems = [
    ...validateObjectMeta(metadata, { namespaced: true, validateName: nameIsDnsSubdomain }),
    ...validateFinalizerDomains(metadata.finalizers, 'metadata.finalizers'),
    ...validateNonNegative(replicas, 'spec.replicas'),
  ];
  if (problems.length > 0) throw invalid(scaleKind, name, problems);
  const { uid = '' } = sent.metadata;
  if (uid === '' || uid === actual) return;
  const subject = { group: resource.group, resource: `${resource.resource}/scale` };
  throw conflict(subject, name, preconditionFailed('UID', uid, actual));
}

/** Passes on the resourceVersion that the client has seen; without one, built-in kinds are overwritten. */
function passResourceVersion(sent: KubernetesObject, object: KubernetesObject, keeps: boolean): void {
  const { resourceVersion } = sent.metadata;
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  else if (!keeps) delete object.metadata.resourceVersion;
}

function countAt(object: KubernetesObject, path: readonly string[]): number | undefined {
  let value: JsonValue | undefined = asJson(object);
  for (const step of path) value = isObject(value) ? getOwn(value, step) : undefined;
  return typeof value === 'number' ? value : undefined;
}

function setAt(object: JsonObject, path: readonly string[], value: number): void {
  let holder = object;
  for (const step of path.slice(0, -1)) {
    const below = getOwn(holder, step);
    const next = isObject(below) ? below : {};
    if (next !== below) setOwn(holder, step, next);
    holder = next;
  }
  setOwn(holder, path.at(-1) ?? '', value);
}

function dropUndefined(
  metadata: { [K in keyof KubernetesObject['metadata']]: KubernetesObject['metadata'][K] | undefined },
) {
  const kept: KubernetesObject['metadata'] = {};
  for (const [key, value] of Object.entries(metadata)) if (value !== undefined) Object.assign(kept, { [key]: value });
  return kept;
}
