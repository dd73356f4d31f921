import type { PodSpec } from '@binnacle/api/types/core-v1';

type Spec = Partial<PodSpec>;

/** Fields of volume sources that name a secret, beside `secret` itself. */
const SECRET_FIELDS = ['secretRef', 'nodePublishSecretRef', 'secretName'];

/** Whether a pod reads a secret in any way. Upstream: `podutil.VisitPodSecretNames`. */
export function referencesSecrets(spec: Spec): boolean {
  if ((spec.imagePullSecrets ?? []).length > 0 || environmentHas(spec, 'secretRef', 'secretKeyRef')) return true;
  return sourcesOf(spec).some(
    ([type, source]) => type === 'secret' || SECRET_FIELDS.some((field) => Object.hasOwn(source, field)),
  );
}

/** The same for config maps. Upstream: `podutil.VisitPodConfigmapNames`. */
export function referencesConfigMaps(spec: Spec): boolean {
  return (
    environmentHas(spec, 'configMapRef', 'configMapKeyRef') || sourcesOf(spec).some(([type]) => type === 'configMap')
  );
}

/** Whether a pod asks for a token of its service account. */
export function projectsToken(spec: Spec): boolean {
  return sourcesOf(spec).some(([type]) => type === 'serviceAccountToken');
}

/** All volume sources with their names, projected ones among them. */
function sourcesOf(spec: Spec): [string, object][] {
  const holders = (spec.volumes ?? []).flatMap((volume) => [volume, ...(volume.projected?.sources ?? [])]);
  return holders.flatMap((holder) =>
    Object.entries(holder).filter((entry): entry is [string, object] => typeof entry[1] === 'object'),
  );
}

function environmentHas(
  spec: Spec,
  whole: 'secretRef' | 'configMapRef',
  key: 'secretKeyRef' | 'configMapKeyRef',
): boolean {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  return containers.some(
    ({ env, envFrom }) =>
      (envFrom ?? []).some((from) => from[whole] !== undefined) ||
      (env ?? []).some(({ valueFrom }) => valueFrom?.[key] !== undefined),
  );
}
