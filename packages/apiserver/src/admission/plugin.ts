import { type JsonObject, setOwn } from '@binnacle/apimachinery/json';
import {
  asJson,
  formatGroupResource,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import type { Span } from '@binnacle/apimachinery/tracing';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { UserInfo } from '../authentication/index.js';
import type { StoredVersion } from '../storage/index.js';
import type { ObjectVersions } from './object-versions.js';
import type { Reinvocation } from './reinvocation.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The level of an audit event. Annotations with parts of the object belong in events that show it. */
export type AuditLevel = 'Metadata' | 'Request';

/** The input of an admission plugin. Upstream: apiserver `pkg/admission.Attributes`. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Of a Namespace: its own name. */
  readonly namespace: string;
  /** Empty for a create with generateName before validation, and for each object of a deletecollection. */
  readonly name: string;
  /** The new object, which mutating plugins edit in place. Undefined on delete. On connect, the options of the stream. */
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions, as in a request body. Undefined on connect. */
  readonly options: JsonObject | undefined;
  readonly versions: ObjectVersions;
  readonly reinvocation: Reinvocation;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Aborts when the request ends. */
  readonly signal: AbortSignal;
  /** When the request times out, in milliseconds of monotonic time. */
  readonly deadline: number;
  /** The request's part in a trace, within which plugins record their calls. Absent: the request belongs to none. */
  readonly span?: Span | undefined;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /**
   * Adds an annotation to the audit event of the request, for events of at least that level. The first value of a key
   * stays. Default: `Metadata`.
   */
  annotate(key: string, value: string, level?: AuditLevel): void;
}

/**
 * One admission plugin. `server` lists them in one array; all `admit` methods run in that order, then all `validate`
 * methods. A plugin refuses a request by throwing a StatusError, in most cases 403 Forbidden.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** The resources that the plugin handles, as `pods` and `deployments.apps`. Absent: all. */
  readonly resources?: readonly string[];
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /**
   * Called for a create that all plugins have admitted. Returns the object on which this plugin's verdict rests, in the
   * version that it has seen; undefined: the verdict rests on no other object. The new object is stored only while that is
   * the newest version. Otherwise the plugin is asked again, with `isRetry`, and reads the newest state. It throws to refuse
   * the create.
   */
  createCondition?(attributes: AdmissionAttributes, isRetry: boolean): Awaitable<StoredVersion | undefined>;
  /**
   * Whether the order in which the plugin gets the deletes of a collection can be seen, as by a webhook. Absent: it cannot.
   * The attributes have no objects.
   */
  ordersDeletes?(attributes: AdmissionAttributes): boolean | Promise<boolean>;
}

/** The plugins that handle a resource, in their order. */
export function pluginsFor(plugins: readonly AdmissionPlugin[], resource: GroupResource): readonly AdmissionPlugin[] {
  const name = formatGroupResource(resource);
  return plugins.filter(({ resources }) => resources?.includes(name) !== false);
}

/** Makes `object` equal to another one, which the caller gives up. */
export function replaceObject(object: KubernetesObject, replacement: KubernetesObject): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(replacement, key)) Reflect.deleteProperty(object, key);
  for (const [key, value] of Object.entries(asJson(replacement))) {
    if (value !== undefined) setOwn(asJson(object), key, value);
  }
}
