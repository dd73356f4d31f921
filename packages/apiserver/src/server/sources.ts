import type {
  LimitRange,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ServiceAccount,
} from '@binnacle/api/types/core-v1';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import type { ResourceSlice } from '@binnacle/api/types/resource-v1';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import type { CSIDriver, StorageClass, VolumeAttachment } from '@binnacle/api/types/storage-v1';
import { formatGroupResource, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type {
  ClassSource,
  LimitRangeSource,
  NamespaceSource,
  NodePodSource,
  NodeSource,
  PodSecuritySource,
  PriorityClassSource,
  RuntimeClassSource,
  ServiceAccountSource,
  StorageClassSource,
} from '../admission/index.js';
import { type NodeObjects, RBAC_GROUP, type Role, type RoleBinding, type RoleSource } from '../authorization/index.js';
import type { FindEndpoint } from '../endpoints/index.js';
import { collectionPrefix, objectKey } from '../registry/index.js';
import { ANY } from '../request/index.js';
import type { SubjectResource, TokenSubjects } from '../serviceaccounts/index.js';
import type { StoredObject } from '../storage/index.js';

const STORAGE = 'storage.k8s.io';
/** The objects that RBAC reads. */
const ROLES_AND_BINDINGS = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
/** The objects that admission and authorization of writes read. */
const RULES: readonly GroupResource[] = [
  ...ROLES_AND_BINDINGS.map((resource) => ({ group: RBAC_GROUP, resource })),
  { group: '', resource: 'namespaces' },
  { group: '', resource: 'limitranges' },
  { group: '', resource: 'resourcequotas' },
  { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
  { group: 'networking.k8s.io', resource: 'ingressclasses' },
  { group: STORAGE, resource: 'storageclasses' },
  { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
];

/**
 * The stored objects that the server's own rules read, from the caches that also serve requests. Decoded objects live
 * as long as the stored ones.
 */
export class StoredSources
  implements
    RoleSource,
    NamespaceSource,
    PriorityClassSource,
    ServiceAccountSource,
    LimitRangeSource,
    ClassSource,
    RuntimeClassSource,
    StorageClassSource,
    PodSecuritySource,
    NodeSource,
    NodePodSource,
    NodeObjects,
    TokenSubjects
{
  readonly #find: FindEndpoint;
  readonly #decoded = new WeakMap<StoredObject, Readonly<KubernetesObject>>();

  #ready = false;

  constructor(find: FindEndpoint) {
    this.#find = find;
  }

  /** The rules that are unknown: not read yet, or damaged in the store. */
  unknown(): readonly string[] {
    if (!this.#ready) return ['rbac'];
    return RULES.filter(({ group, resource }) => this.#find(group, resource)?.store.reader.cacher.isDamaged('')).map(
      formatGroupResource,
    );
  }

  /** Settles when the synchronous methods can answer. */
  async ready(): Promise<void> {
    await Promise.all(
      ROLES_AND_BINDINGS.map(async (resource) => this.#find(RBAC_GROUP, resource)?.store.reader.cacher.ready()),
    );
    this.#ready = true;
  }

  /** Settles when the newest roles and bindings are known. */
  async rolesUpToDate(): Promise<void> {
    await Promise.all(
      ROLES_AND_BINDINGS.map(async (resource) => this.#find(RBAC_GROUP, resource)?.store.reader.waitUntilCurrent()),
    );
  }

  namespace(name: string): Promise<Readonly<KubernetesObject> | undefined> {
    return this.#read('', 'namespaces', '', name);
  }

  async serviceAccount(namespace: string, name: string): Promise<Readonly<ServiceAccount> | undefined> {
    return this.#read('', 'serviceaccounts', namespace, name);
  }

  /** Asks the cache first, and the store if the cache lacks the token's object, because the cache may be behind. */
  async find(resource: SubjectResource, namespace: string, name: string, uid: string) {
    const reader = this.#find('', resource)?.store.reader;
    const known = await reader?.find(namespace, name, ANY);
    const object = known === undefined ? undefined : this.#decode(known);
    return object?.metadata.uid === uid ? object : this.#read('', resource, namespace, name);
  }

  async priorityClass(name: string): Promise<Readonly<PriorityClass> | undefined> {
    return this.#read('scheduling.k8s.io', 'priorityclasses', '', name);
  }

  async defaultPriorityClass(): Promise<Readonly<PriorityClass> | undefined> {
    let chosen: Readonly<PriorityClass> | undefined;
    for (const object of await this.#list('scheduling.k8s.io', 'priorityclasses', '')) {
      const candidate = object as unknown as Readonly<PriorityClass>;
      if (candidate.globalDefault === true && (chosen === undefined || (candidate.value ?? 0) < (chosen.value ?? 0)))
        chosen = candidate;
    }
    return chosen;
  }

  async limitRanges(namespace: string): Promise<Readonly<LimitRange>[]> {
    return await this.#list('', 'limitranges', namespace);
  }

  storageClasses(): Promise<Readonly<KubernetesObject>[]> {
    return this.#list(STORAGE, 'storageclasses', '');
  }

  ingressClasses(): Promise<Readonly<KubernetesObject>[]> {
    return this.#list('networking.k8s.io', 'ingressclasses', '');
  }

  async storageClass(name: string): Promise<Readonly<StorageClass> | undefined> {
    return (await this.#read(STORAGE, 'storageclasses', '', name)) as unknown as StorageClass | undefined;
  }

  async runtimeClass(name: string): Promise<Readonly<RuntimeClass> | undefined> {
    return (await this.#read('node.k8s.io', 'runtimeclasses', '', name)) as unknown as RuntimeClass | undefined;
  }

  node(name: string): Promise<Readonly<KubernetesObject> | undefined> {
    return this.#read('', 'nodes', '', name);
  }

  async namespaceLabels(name: string): Promise<Readonly<Record<string, string>>> {
    const reader = this.#find('', 'namespaces')?.store.reader;
    await reader?.cacher.ready();
    const stored = await reader?.find('', name, ANY);
    return stored === undefined ? {} : (this.#decode(stored).metadata.labels ?? {});
  }

  async pods(namespace: string): Promise<Readonly<Pod>[]> {
    return await this.#list('', 'pods', namespace);
  }

  /** Uses the index on spec.nodeName, so the cost depends on the node's pods and not on the namespace's. */
  async podsOf(node: string, namespace: string): Promise<Readonly<Pod>[]> {
    const endpoint = this.#find('', 'pods');
    if (endpoint === undefined) return [];
    const { info, reader } = endpoint.store;
    await reader.cacher.ready();
    await reader.cacher.indexing('spec.nodeName');
    const own = reader.cacher.indexed({ field: 'spec.nodeName', value: node }, collectionPrefix(info, namespace));
    return Array.from(own, (stored) => this.#decode(stored));
  }

  async pod(namespace: string, name: string): Promise<Readonly<Pod> | undefined> {
    return this.#read('', 'pods', namespace, name);
  }

  async persistentVolumeClaim(namespace: string, name: string): Promise<Readonly<PersistentVolumeClaim> | undefined> {
    return this.#read('', 'persistentvolumeclaims', namespace, name);
  }

  async csiDriver(name: string): Promise<Readonly<CSIDriver> | undefined> {
    return (await this.#read(STORAGE, 'csidrivers', '', name)) as unknown as CSIDriver | undefined;
  }

  async persistentVolume(name: string): Promise<Readonly<PersistentVolume> | undefined> {
    return this.#read('', 'persistentvolumes', '', name);
  }

  async persistentVolumes(): Promise<Readonly<PersistentVolume>[]> {
    return await this.#list('', 'persistentvolumes', '');
  }

  async volumeAttachment(name: string): Promise<Readonly<VolumeAttachment> | undefined> {
    return (await this.#read(STORAGE, 'volumeattachments', '', name)) as unknown as VolumeAttachment | undefined;
  }

  async resourceSlice(name: string): Promise<Readonly<ResourceSlice> | undefined> {
    return (await this.#read('resource.k8s.io', 'resourceslices', '', name)) as unknown as ResourceSlice | undefined;
  }

  clusterRole(name: string): Role | undefined {
    return this.#cached(RBAC_GROUP, 'clusterroles', '', name) as Role | undefined;
  }

  role(namespace: string, name: string): Role | undefined {
    return this.#cached(RBAC_GROUP, 'roles', namespace, name) as Role | undefined;
  }

  clusterRoleBindings(): Iterable<RoleBinding> {
    return this.#all(RBAC_GROUP, 'clusterrolebindings', '') as unknown as Iterable<RoleBinding>;
  }

  roleBindings(namespace: string): Iterable<RoleBinding> {
    return this.#all(RBAC_GROUP, 'rolebindings', namespace) as unknown as Iterable<RoleBinding>;
  }

  async #read(group: string, resource: string, namespace: string, name: string) {
    const stored = await this.#find(group, resource)?.store.reader.find(namespace, name);
    return stored === undefined ? undefined : this.#decode(stored);
  }

  #cached(group: string, resource: string, namespace: string, name: string): Readonly<KubernetesObject> | undefined {
    const endpoint = this.#find(group, resource);
    if (endpoint === undefined) return undefined;
    const stored = endpoint.store.reader.cacher.get(objectKey(endpoint.store.info, namespace, name));
    return stored === undefined ? undefined : this.#decode(stored);
  }

  async #list(group: string, resource: string, namespace: string): Promise<Readonly<KubernetesObject>[]> {
    await this.#find(group, resource)?.store.reader.complete(namespace);
    return [...this.#all(group, resource, namespace)];
  }

  *#all(group: string, resource: string, namespace: string): Generator<Readonly<KubernetesObject>> {
    const endpoint = this.#find(group, resource);
    if (endpoint === undefined) return;
    const prefix = collectionPrefix(endpoint.store.info, namespace);
    for (const stored of endpoint.store.reader.cacher.range(prefix)) yield this.#decode(stored);
  }

  #decode(stored: StoredObject): Readonly<KubernetesObject> {
    let object = this.#decoded.get(stored);
    if (object === undefined) {
      object = stored.decode();
      this.#decoded.set(stored, object);
    }
    return object;
  }
}
