import type { TablePrinter } from '@binnacle/api/printers';
import type { FieldLabels } from '@binnacle/apimachinery/fields';
import type { Convert, FieldPattern, FieldSet } from '@binnacle/apimachinery/managedfields';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionObserver, AdmissionPlugin } from '../admission/index.js';
import type { Presentation } from '../answers/index.js';
import type { VersionSet } from '../codec/index.js';
import type { RequestContext } from '../http/index.js';
import type { ResourceStore, Strategy } from '../registry/index.js';

/** How a path shows objects and takes them: the resource itself in a version, its status, its scale. */
export interface View extends Presentation {
  /** '' = the resource itself. */
  readonly subresource: string;
  /** Rules of updates through this path; undefined = the resource's own. */
  readonly strategy: Strategy | undefined;
  /** Fields that a client cannot set through this path, and so never owns. */
  readonly resetFields: FieldSet;
  /** The only fields that a client can set through this path, where they are few. */
  readonly settableFields?: readonly FieldPattern[] | undefined;
  /** The same for an object that is decoded already; shares what it can with it. */
  present(object: KubernetesObject): KubernetesObject;
  /** What a write through this path starts from: {@link present}, with the managers that this path knows. */
  before(object: KubernetesObject): KubernetesObject;
  /** Runs what needs other versions of what this path shows, for managers may have been recorded in them; see VersionSet. */
  readonly converting: <T>(work: (convert: Convert) => T | Promise<T>) => T | Promise<T>;
  /** The object to store, in the storage version, out of what the client sent. `current` is the caller's own copy. */
  accept(sent: KubernetesObject, current: KubernetesObject | undefined): KubernetesObject;
}

/** A resource in one version, as served. */
export interface ResourceEndpoint {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  readonly listKind: string;
  readonly store: ResourceStore;
  readonly versions: VersionSet;
  readonly main: View;
  readonly subresources: ReadonlyMap<string, SubresourceEndpoint>;
  readonly verbs: ReadonlySet<string>;
  readonly fieldLabels: FieldLabels;
  /** How objects of a kind that its paths show become rows; loaded when first asked for. */
  printer(kind: GroupVersionKind): Promise<TablePrinter>;
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver?: AdmissionObserver;
  /** Sent with every answer, when the version is on its way out. */
  readonly deprecationWarning: string | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** The least time a watch lives, seconds; it ends at a random moment within twice that. */
  readonly minimumWatchSeconds: number;
  /** Told of the size of each event that is sent to a watch. It must not throw. */
  readonly eventSent?: (bytes: number) => void;
}

export interface SubresourceEndpoint {
  readonly verbs: ReadonlySet<string>;
  /** get, update and patch go through this... */
  readonly view?: View;
  /** ...unless the subresource is not a view of the object: binding, eviction, token, logs. */
  readonly handle?: (context: RequestContext, endpoint: ResourceEndpoint) => Promise<void>;
}

/** Finds an endpoint by group and resource; undefined when it is not served. */
export type FindEndpoint = (group: string, resource: string) => ResourceEndpoint | undefined;
