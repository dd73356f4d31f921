import type { TablePrinter } from '@binnacle/api/printers';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { FieldLabels } from '@binnacle/apimachinery/fields';
import type { Convert, FieldPattern, FieldSet } from '@binnacle/apimachinery/managedfields';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionObserver, AdmissionPlugin } from '../admission/index.js';
import type { Presentation } from '../answers/index.js';
import type { KindCodec, VersionSet } from '../codec/index.js';
import type { ResourceStore, Strategy } from '../registry/index.js';
import type { RequestContext, RequestInfo } from '../request/index.js';

/** How a path shows and accepts objects: the resource itself in a version, its status, its scale. */
export interface View extends Presentation {
  /** '' = the resource itself. */
  readonly subresource: string;
  /** The rules for updates through this path; undefined = the resource's own. */
  readonly strategy: Strategy | undefined;
  /** Fields that a client cannot set through this path, and so never owns. */
  readonly resetFields: FieldSet;
  /** The only fields that a client can set through this path, if they are few. */
  readonly settableFields?: readonly FieldPattern[] | undefined;
  /** Like {@link show}, for a decoded object; shares what it can with it. */
  present(object: KubernetesObject): KubernetesObject;
  /** The base of a write through this path: {@link present}, with the managers that this path knows. */
  before(object: KubernetesObject): KubernetesObject;
  /** Runs work that converts between versions, because managers may be recorded in other versions; see VersionSet. */
  readonly converting: <T>(work: (convert: Convert) => T | Promise<T>) => T | Promise<T>;
  /**
   * Converts the client's object to the storage version. The caller owns `current`, which may be changed unless the view
   * is the stored form.
   */
  accept(sent: KubernetesObject, current: KubernetesObject | undefined): KubernetesObject;
}

/** A resource in one served version. */
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
  /** The printer of a kind that the resource's paths show; loads on first use. */
  printer(kind: GroupVersionKind): Promise<TablePrinter>;
  /** The endpoints of the same objects in every served version, this one included. */
  equivalents(): readonly ResourceEndpoint[];
  readonly plugins: readonly AdmissionPlugin[];
  readonly admissionObserver?: AdmissionObserver;
  /** The warning on every answer of a deprecated version. */
  readonly deprecationWarning: string | undefined;
  readonly clock: Clock;
  /** Spreads the ends and the bookmarks of watches. */
  readonly random: Random;
  /** The minimum lifetime of a watch, in seconds; it ends at a random moment within twice that. */
  readonly minimumWatchSeconds: number;
  /** Receives the size of each event sent to a watch. It must not throw. */
  readonly eventSent?: (bytes: number) => void;
  /**
   * Called when a watch has sent the bookmark after its initial events, with the milliseconds since the server received
   * the request. It must not throw.
   */
  readonly initialEventsSent?: (info: RequestInfo, milliseconds: number) => void;
}

/** A request for one object, or for a new one, through one of the paths of its resource. */
export interface ObjectRequest {
  readonly context: RequestContext;
  readonly endpoint: ResourceEndpoint;
  readonly view: View;
}

/** The options of a stream or of a proxied request, as admission sees them. */
export interface ConnectOptions {
  /** Their kind: PodExecOptions, ServiceProxyOptions. */
  readonly codec: KindCodec;
  /** Whether the path after the subresource is one of the options. */
  readonly hasPath: boolean;
}

export interface SubresourceEndpoint {
  readonly verbs: ReadonlySet<string>;
  /** How get, update and patch show the object. */
  readonly view?: View;
  /** The options of a stream or of a proxied request, which admission sees before {@link handle}. */
  readonly connect?: ConnectOptions;
  /** Set instead if the subresource is not a view of the object: binding, eviction, token, logs. */
  readonly handle?: (context: RequestContext, endpoint: ResourceEndpoint) => Promise<void>;
}

/** Finds an endpoint by group and resource; undefined when it is not served. */
export type FindEndpoint = (group: string, resource: string) => ResourceEndpoint | undefined;
