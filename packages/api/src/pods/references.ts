import type { PersistentVolume, Pod, PodSpec, Volume } from '../generated/types/core-v1.js';

type Spec = Partial<PodSpec>;
type Source = Readonly<Record<string, unknown>>;

/** Fields of volume sources that reference a secret. */
const SECRET_REFERENCES = ['secretRef', 'nodePublishSecretRef'];
/** The same for PersistentVolumes, limited to the secrets that nodes need. Controllers use the others. */
const VOLUME_SECRET_REFERENCES = ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/**
 * Names of all secrets that a pod references, in no order; an omitted name is empty. Upstream:
 * `podutil.VisitPodSecretNames`.
 */
export function secretNames(spec: Spec): string[] {
  return [
    ...(spec.imagePullSecrets ?? []).map(nameOf),
    ...environmentNames(spec, 'secretRef', 'secretKeyRef'),
    ...volumeSources(spec).flatMap(([type, source]) => [
      ...(type === 'secret' ? [text(source.secretName ?? source.name)] : []),
      ...(type !== 'secret' && source.secretName !== undefined ? [text(source.secretName)] : []),
      ...SECRET_REFERENCES.flatMap((field) => (isSource(source[field]) ? [nameOf(source[field])] : [])),
    ]),
  ];
}

/** The same for config maps. Upstream: `podutil.VisitPodConfigmapNames`. */
export function configMapNames(spec: Spec): string[] {
  return [
    ...environmentNames(spec, 'configMapRef', 'configMapKeyRef'),
    ...volumeSources(spec).flatMap(([type, source]) => (type === 'configMap' ? [nameOf(source)] : [])),
  ];
}

/** Names of the claims that a pod's volumes use, including those of ephemeral volumes. */
export function claimNames(pod: Readonly<Pod>): string[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => claimName(pod, volume) ?? []);
}

/** The claim that a volume of a pod uses, if any. */
export function claimName(
  { metadata }: Readonly<Pod>,
  { name, persistentVolumeClaim, ephemeral }: Readonly<Volume>,
): string | undefined {
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName ?? '';
  return ephemeral === undefined ? undefined : `${metadata?.name ?? ''}-${name ?? ''}`;
}

/** Names of the pod's resource claims that are known so far. */
export function deviceClaimNames({ spec, status }: Readonly<Pod>): string[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map((each) => [each.name, each.resourceClaimName]));
  const named = (spec?.resourceClaims ?? []).map((claim) => claim.resourceClaimName ?? made.get(claim.name));
  return [...named, status?.extendedResourceClaimStatus?.resourceClaimName].filter((name) => name !== undefined);
}

/** Whether a pod projects a token of its service account. */
export function projectsToken(spec: Spec): boolean {
  return volumeSources(spec).some(([type]) => type === 'serviceAccountToken');
}

/** The secrets that a node needs to mount a volume. Upstream: `pvutil.VisitPVSecretNames`. */
export function volumeSecrets({ spec }: Readonly<PersistentVolume>): { namespace: string; name: string }[] {
  const own = spec?.claimRef?.namespace ?? '';
  return sourcesIn(spec ?? {}).flatMap(([, source]) => [
    ...(source.secretName === undefined
      ? []
      : [{ namespace: text(source.secretNamespace) || own, name: text(source.secretName) }]),
    ...VOLUME_SECRET_REFERENCES.flatMap((field) => {
      const reference = source[field];
      return isSource(reference) ? [{ namespace: text(reference.namespace) || own, name: nameOf(reference) }] : [];
    }),
  ]);
}

/** Upstream's words for the API objects that a volume source references. */
const VOLUME_REFERENCES: ReadonlyMap<string, string> = new Map([
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
]);
const PROJECTED_REFERENCES: ReadonlyMap<string, string> = new Map([
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
]);

/**
 * Upstream's words for the first kind of API object that the pod references; undefined if it references none. Upstream:
 * `podutil.HasAPIObjectReference`.
 */
export function firstObjectReference(spec: Spec): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'serviceaccounts';
  if (secretNames(spec).length > 0) return 'secrets';
  if (configMapNames(spec).length > 0) return 'configmaps';
  if ((spec.resourceClaims ?? []).length > 0) return 'resourceclaims';
  return (spec.volumes ?? [])
    .flatMap((volume) => [
      ...sourcesIn(volume).map(([type]) => VOLUME_REFERENCES.get(type)),
      ...(volume.projected?.sources ?? []).flatMap(sourcesIn).map(([type]) => PROJECTED_REFERENCES.get(type)),
    ])
    .find((reference) => reference !== undefined);
}

/** All volume sources by type, including those inside projected volumes. */
function volumeSources(spec: Spec): [string, Source][] {
  return (spec.volumes ?? [])
    .flatMap((volume) => [volume, ...(volume.projected?.sources ?? [])])
    .flatMap((holder) => sourcesIn(holder));
}

function sourcesIn(holder: object): [string, Source][] {
  return Object.entries(holder).filter((entry): entry is [string, Source] => isSource(entry[1]));
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null;
}

function nameOf(reference: { readonly name?: unknown }): string {
  return text(reference.name);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function environmentNames(
  spec: Spec,
  whole: 'secretRef' | 'configMapRef',
  key: 'secretKeyRef' | 'configMapKeyRef',
): string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  return containers.flatMap(({ env, envFrom }) =>
    [...(envFrom ?? []).map((from) => from[whole]), ...(env ?? []).map(({ valueFrom }) => valueFrom?.[key])].flatMap(
      (reference) => (reference === undefined ? [] : [nameOf(reference)]),
    ),
  );
}
