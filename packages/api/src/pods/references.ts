import type { PersistentVolume, Pod, PodSpec } from '../generated/types/core-v1.js';

type Spec = Partial<PodSpec>;
type Source = Readonly<Record<string, unknown>>;

/** Fields of volume sources that point to a secret. */
const SECRET_REFERENCES = ['secretRef', 'nodePublishSecretRef'];
/** The same for volumes that are objects of their own, as far as nodes need the secret; others are for controllers. */
const VOLUME_SECRET_REFERENCES = ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Names of the secrets that a pod reads in any way, in no order; empty where one has none. Upstream: `podutil.VisitPodSecretNames`. */
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

/** Names of the claims that a pod's volumes are, those that are made for it among them. */
export function claimNames({ metadata, spec }: Readonly<Pod>): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName ?? ''];
    return ephemeral === undefined ? [] : [`${metadata?.name ?? ''}-${name ?? ''}`];
  });
}

/** Names of the claims of devices that a pod has, as far as they are known yet. */
export function deviceClaimNames({ spec, status }: Readonly<Pod>): string[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map((each) => [each.name, each.resourceClaimName]));
  const named = (spec?.resourceClaims ?? []).map((claim) => claim.resourceClaimName ?? made.get(claim.name));
  return [...named, status?.extendedResourceClaimStatus?.resourceClaimName].filter((name) => name !== undefined);
}

/** Whether a pod asks for a token of its service account. */
export function projectsToken(spec: Spec): boolean {
  return volumeSources(spec).some(([type]) => type === 'serviceAccountToken');
}

/** The secrets that a node needs to mount a volume for its claim. Upstream: `pvutil.VisitPVSecretNames`. */
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

/** All volume sources with their types, projected ones among them. */
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
