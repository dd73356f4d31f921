import type { PersistentVolumeClaim } from '@binnacle/api/types/core-v1';
import type { Ingress } from '@binnacle/api/types/networking-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionPlugin } from '../plugin.js';

const DEFAULT_STORAGE_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const DEFAULT_INGRESS_CLASS = ['ingressclass.kubernetes.io/is-default-class'];
const CLAIM_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const INGRESS_CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export interface ClassSource {
  storageClasses(): Awaitable<readonly Readonly<KubernetesObject>[]>;
  ingressClasses(): Awaitable<readonly Readonly<KubernetesObject>[]>;
}

/**
 * Sets the default storage class on a claim without one.
 * Upstream: `plugin/pkg/admission/storage/storageclass/setdefault`.
 */
export function defaultStorageClass(source: ClassSource): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    resources: ['persistentvolumeclaims'],
    handles: (operation) => operation === 'CREATE',
    async admit({ resource, subresource, object }) {
      if (resource.group !== '' || resource.resource !== 'persistentvolumeclaims' || subresource !== '') return;
      const claim = asKind<PersistentVolumeClaim>(object);
      if (claim?.spec === undefined || claim.spec.storageClassName !== undefined) return;
      if (claim.metadata?.annotations?.[CLAIM_CLASS_ANNOTATION] !== undefined) return;
      const name = defaultOf(await source.storageClasses(), DEFAULT_STORAGE_CLASS);
      if (name !== undefined) claim.spec.storageClassName = name;
    },
  };
}

/** Sets the default class on an ingress without one. Upstream: `plugin/pkg/admission/network/defaultingressclass`. */
export function defaultIngressClass(source: ClassSource): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    resources: ['ingresses.networking.k8s.io'],
    handles: (operation) => operation === 'CREATE',
    async admit({ resource, subresource, object }) {
      if (resource.group !== 'networking.k8s.io' || resource.resource !== 'ingresses' || subresource !== '') return;
      const ingress = asKind<Ingress>(object);
      if (ingress === undefined || ingress.spec?.ingressClassName !== undefined) return;
      if (ingress.metadata?.annotations?.[INGRESS_CLASS_ANNOTATION] !== undefined) return;
      const name = defaultOf(await source.ingressClasses(), DEFAULT_INGRESS_CLASS);
      if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
    },
  };
}

/** Picks the newest default class; among classes of the same age, the first by name. */
function defaultOf(classes: readonly Readonly<KubernetesObject>[], annotations: readonly string[]): string | undefined {
  const marked = classes.filter(({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === 'true'));
  const age = ({ metadata }: Readonly<KubernetesObject>) => Date.parse(metadata.creationTimestamp ?? '');
  const nameOf = ({ metadata }: Readonly<KubernetesObject>) => metadata.name ?? '';
  const [first] = marked.sort((a, b) => age(b) - age(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return first === undefined ? undefined : nameOf(first);
}
