import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type {
  ClassSource,
  CurrentNamespaceSource,
  LimitRangeSource,
  NodePodSource,
  NodeSource,
  PodSecuritySource,
  PriorityClassSource,
  RuntimeClassSource,
  ServiceAccountSource,
  StorageClassSource,
} from '../../admission/index.js';
import {
  CSI_DRIVERS,
  INGRESS_CLASSES,
  LIMIT_RANGES,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  PODS,
  PRIORITY_CLASSES,
  RUNTIME_CLASSES,
  SERVICE_ACCOUNTS,
  STORAGE_CLASSES,
  type Stores,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from '../../registry/index.js';
import { ANY } from '../../request/index.js';
import type { ConfiguredWebhooks } from '../plugins/webhook-plugins.js';

/** The stored objects that each admission plugin reads. */
export interface AdmissionObjects {
  readonly namespaces: CurrentNamespaceSource;
  readonly nodes: NodeSource;
  /** The nodes that the cache has, without a look at the store. */
  readonly cachedNodes: NodeSource;
  readonly podSecurity: PodSecuritySource;
  readonly priorities: PriorityClassSource;
  readonly serviceAccounts: ServiceAccountSource;
  readonly limitRanges: LimitRangeSource;
  readonly defaultClasses: ClassSource;
  readonly storageClasses: StorageClassSource;
  readonly runtimeClasses: RuntimeClassSource;
  readonly podsOfNodes: NodePodSource;
  readonly webhooks: ConfiguredWebhooks;
}

export function admissionObjects(stores: Stores): AdmissionObjects {
  const namespaces = stores.reader(NAMESPACES);
  const nodes = stores.reader(NODES);
  const serviceAccounts = stores.reader(SERVICE_ACCOUNTS);
  const limitRanges = stores.reader(LIMIT_RANGES);
  const storageClasses = stores.reader(STORAGE_CLASSES);
  const ingressClasses = stores.reader(INGRESS_CLASSES);
  const runtimeClasses = stores.reader(RUNTIME_CLASSES);
  return {
    // Like upstream's plugins, these read the cache, and then the store if the cache lacks the object. Only `cachedNodes`
    // treats a node that the cache lacks as missing.
    namespaces: {
      namespace: (name) => namespaces.findRecent('', name),
      currentNamespace: (name) => namespaces.find('', name),
      namespaceVersion: (name, newest) => namespaces.findVersion('', name, newest),
    },
    nodes: { node: (name) => nodes.findRecent('', name) },
    cachedNodes: { node: (name) => nodes.find('', name, ANY) },
    podSecurity: podSecurityObjects(stores),
    priorities: priorityObjects(stores),
    serviceAccounts: { serviceAccount: (namespace, name) => serviceAccounts.findRecent(namespace, name) },
    limitRanges: { limitRanges: (namespace) => limitRanges.allCached(namespace) },
    defaultClasses: {
      storageClasses: () => storageClasses.allCached(''),
      ingressClasses: () => ingressClasses.allCached(''),
    },
    storageClasses: { storageClass: (name) => storageClasses.findRecent('', name) },
    runtimeClasses: { runtimeClass: (name) => runtimeClasses.findRecent('', name) },
    podsOfNodes: podsOfNodes(stores),
    webhooks: configuredWebhooks(stores),
  };
}

function podSecurityObjects(stores: Stores): PodSecuritySource {
  const namespaces = stores.reader(NAMESPACES);
  const pods = stores.reader(PODS);
  return {
    namespaceLabels(name) {
      const found = namespaces.ready()?.then(() => namespaces.find('', name, ANY)) ?? namespaces.find('', name, ANY);
      return found instanceof Promise ? found.then(labelsOf) : labelsOf(found);
    },
    pods: (namespace) => pods.allCached(namespace),
  };
}

const labelsOf = (object: Readonly<KubernetesObject> | undefined) => object?.metadata.labels ?? {};

function priorityObjects(stores: Stores): PriorityClassSource {
  const classes = stores.reader(PRIORITY_CLASSES);
  return {
    priorityClass: (name) => classes.findRecent('', name),
    async defaultPriorityClass() {
      const marked = (await classes.allCached('')).filter(({ globalDefault }) => globalDefault === true);
      return marked.reduce<Readonly<PriorityClass> | undefined>(lower, undefined);
    },
  };
}

function lower(chosen: Readonly<PriorityClass> | undefined, candidate: Readonly<PriorityClass>) {
  return chosen === undefined || (candidate.value ?? 0) < (chosen.value ?? 0) ? candidate : chosen;
}

function podsOfNodes(stores: Stores): NodePodSource {
  const pods = stores.reader(PODS);
  const claims = stores.reader(PERSISTENT_VOLUME_CLAIMS);
  const volumes = stores.reader(PERSISTENT_VOLUMES);
  const drivers = stores.reader(CSI_DRIVERS);
  return {
    pod: (namespace, name) => pods.find(namespace, name),
    persistentVolumeClaim: (namespace, name) => claims.find(namespace, name),
    persistentVolume: (name) => volumes.find('', name),
    csiDriver: (name) => drivers.find('', name),
  };
}

function configuredWebhooks(stores: Stores): ConfiguredWebhooks {
  const mutating = stores.reader(MUTATING_WEBHOOK_CONFIGURATIONS);
  const validating = stores.reader(VALIDATING_WEBHOOK_CONFIGURATIONS);
  return {
    mutating: () => mutating.allRecent(),
    validating: () => validating.allRecent(),
  };
}
