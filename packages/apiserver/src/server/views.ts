import { deepCopy } from '@binnacle/apimachinery/json';
import { emptyFieldSet, fromScaleManagers, toScaleManagers } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec, VersionSet } from '../codec/index.js';
import type { View } from '../endpoints/index.js';
import type { Strategy } from '../registry/index.js';
import type { StoredObject } from '../storage/index.js';
import type { PathRules } from './reset-fields.js';

/** The object itself in one of its versions; with `subresource` and `strategy`, a part of it such as status. */
export function objectView(
  versions: VersionSet,
  codec: KindCodec,
  subresource = '',
  strategy?: Strategy,
  rules: PathRules = { resetFields: emptyFieldSet },
): View {
  const present = (object: KubernetesObject) => versions.fromStorage(object, codec);
  return {
    subresource,
    codec,
    strategy,
    ...rules,
    isStoredForm: codec === versions.storage,
    show: (stored) => present(stored.decode()),
    present,
    before: present,
    convert: (object, apiVersion) => versions.inVersion(object, apiVersion),
    accept: (sent) => versions.toStorage(sent, codec),
  };
}

/** What a kind must know to be scaled: where its replicas and its selector stand. */
export interface ScaleTarget {
  /** Paths in the storage version; all kinds of upstream keep replicas in spec and status. */
  readonly selector: (object: Readonly<KubernetesObject>) => string;
  /** Of the path. */
  readonly apiVersion: string;
  /** All that the kind has. */
  readonly apiVersions: ReadonlySet<string>;
}

interface Replicas {
  replicas?: number;
}

/**
 * The scale of a workload: its replicas, in a kind of its own. Upstream: `autoscaling/v1 Scale` and each workload's
 * `ScaleREST`.
 */
export function scaleView(scaleCodec: KindCodec, target: ScaleTarget, strategy: Strategy | undefined): View {
  const present = (object: KubernetesObject): KubernetesObject => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const spec = (object.spec ?? {}) as Replicas;
    const status = (object.status ?? {}) as Replicas;
    const selector = target.selector(object);
    const scale: KubernetesObject = {
      kind: scaleCodec.groupVersionKind.kind,
      apiVersion: scaleCodec.apiVersion,
      metadata: dropUndefined({ name, namespace, uid, resourceVersion, creationTimestamp }),
      spec: spec.replicas === undefined ? {} : { replicas: spec.replicas },
      status: { replicas: status.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
    };
    return scale;
  };
  return {
    subresource: 'scale',
    codec: scaleCodec,
    strategy,
    resetFields: emptyFieldSet,
    isStoredForm: false,
    show: (stored: StoredObject) => present(stored.decode()),
    present,
    before(object) {
      const scale = present(object);
      const entries = toScaleManagers(object.metadata.managedFields, target.apiVersions);
      if (entries !== undefined) scale.metadata.managedFields = entries;
      return scale;
    },
    convert: () => undefined,
    accept(sent, current) {
      if (current === undefined) return sent;
      const object = deepCopy(asJson(current)) as unknown as KubernetesObject;
      const { replicas = 0 } = (sent.spec ?? {}) as Replicas;
      object.spec = { ...(object.spec as object), replicas };
      if (sent.metadata.resourceVersion === undefined) delete object.metadata.resourceVersion;
      else object.metadata.resourceVersion = sent.metadata.resourceVersion;
      const { apiVersion, apiVersions } = target;
      const before = current.metadata.managedFields;
      const entries = fromScaleManagers(before, sent.metadata.managedFields, apiVersion, apiVersions);
      if (entries === undefined) delete object.metadata.managedFields;
      else object.metadata.managedFields = entries;
      return object;
    },
  };
}

function dropUndefined(
  metadata: { [K in keyof KubernetesObject['metadata']]: KubernetesObject['metadata'][K] | undefined },
) {
  const kept: KubernetesObject['metadata'] = {};
  for (const [key, value] of Object.entries(metadata)) if (value !== undefined) Object.assign(kept, { [key]: value });
  return kept;
}
