import { preferredTerm } from '@binnacle/api/pods';
import type { PodAffinity, PodSpec, PodTemplateSpec, Volume } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { appArmorWarnings } from '../app-armor.js';
import { containersOf, environmentWarnings, fractionWarnings, portWarnings } from './container-warnings.js';
import { podNameWarnings } from './name-warnings.js';
import { nodeLabelWarnings, nodeSelectorWarnings, nodeTermWarnings } from './node-label-warnings.js';
import { claimSpecWarnings } from './volume-warnings.js';

// Upstream: kubernetes `pkg/api/pod/warnings.go`.

const DEAD_ANNOTATIONS = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

const OLD_VOLUMES = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

const POD_SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';
const SECCOMP_TEXT = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/**
 * Warnings for a new pod, or for a pod template at the path `template`. It does not check for overlapping file paths
 * in one volume.
 */
export function podWarnings({ metadata, spec = { containers: [] } }: PodTemplateSpec, template?: string): string[] {
  const root = template === undefined ? '' : `${template}.`;
  const field = `${root}spec`;
  const annotations = metadata?.annotations ?? {};
  const annotated = (key: string, text: string): string[] =>
    Object.hasOwn(annotations, key) ? [`${root}metadata.annotations[${key}]: ${text}`] : [];
  const containers = containersOf(spec, field);
  const pod = spec.securityContext;
  const isNegative = Number(spec.terminationGracePeriodSeconds ?? 0) < 0;
  return [
    ...schedulingWarnings(spec, field),
    ...DEAD_ANNOTATIONS.flatMap(([key, text]) => annotated(key, text)),
    ...(spec.volumes ?? []).flatMap((volume, index) => sourceWarnings(volume, `${field}.volumes[${index}]`)),
    ...repeated(
      spec.hostAliases?.map(({ ip }) => ip),
      (index) => `${field}.hostAliases[${index}].ip: duplicate ip`,
    ),
    ...pullSecretWarnings(spec, `${field}.imagePullSecrets`),
    ...fractionWarnings(spec.overhead, `${field}.overhead`),
    ...(pod?.seccompProfile === undefined ? annotated(POD_SECCOMP, SECCOMP_TEXT) : []),
    ...containers.flatMap(([path, container]) => [
      ...(container.securityContext?.seccompProfile === undefined
        ? annotated(CONTAINER_SECCOMP + container.name, SECCOMP_TEXT)
        : []),
      ...(template === undefined ? [] : appArmorWarnings(container, metadata, spec, root)),
      ...fractionWarnings(container.resources?.limits, `${path}.resources.limits`),
      ...fractionWarnings(container.resources?.requests, `${path}.resources.requests`),
      ...environmentWarnings(container, path),
    ]),
    ...portWarnings(containers),
    ...(isNegative
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec.affinity?.podAffinity, `${field}.affinity.podAffinity`),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, `${field}.affinity.podAntiAffinity`),
  ];
}

/** Warnings for an object with a pod template, on create and on an update of the desired state. */
export function templateWarnings<T>(
  template: string,
  templateOf: (object: T) => PodTemplateSpec | undefined,
  options: { readonly named: boolean },
): (object: T & KubernetesObject, old: (T & KubernetesObject) | undefined) => string[] {
  return (object, old) => {
    if (old !== undefined && Number(old.metadata.generation) === Number(object.metadata.generation)) return [];
    const names = options.named ? podNameWarnings(object, old) : [];
    return [...names, ...podWarnings(templateOf(object) ?? {}, template)];
  };
}

function schedulingWarnings(spec: PodSpec, field: string): string[] {
  const node = spec.affinity?.nodeAffinity;
  const affinity = `${field}.affinity.nodeAffinity`;
  const required = node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = node?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const terms = `${affinity}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferences = `${affinity}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...nodeSelectorWarnings(spec.nodeSelector, `${field}.nodeSelector`),
    ...required.flatMap((term, index) => nodeTermWarnings(term, `${terms}[${index}]`)),
    ...preferred.flatMap((term, index) => nodeTermWarnings(term.preference, `${preferences}[${index}].preference`)),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, index) => {
      const path = `${field}.topologySpreadConstraints[${index}]`;
      return [...nodeLabelWarnings(topologyKey, `${path}.topologyKey`), ...selectsNothing(labelSelector, path)];
    }),
  ];
}

function selectsNothing(labelSelector: unknown, field: string): string[] {
  return labelSelector === undefined ? [`${field}.labelSelector: a null labelSelector results in matching no pod`] : [];
}

function affinityWarnings(affinity: PodAffinity | undefined, field: string): string[] {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...required.flatMap(({ labelSelector }, index) =>
      selectsNothing(labelSelector, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...preferred.flatMap((weighted, index) => {
      const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`;
      return selectsNothing(preferredTerm(weighted).labelSelector, path);
    }),
  ];
}

function sourceWarnings(volume: Volume, field: string): string[] {
  const old = OLD_VOLUMES.filter(([name]) => volume[name] !== undefined);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  return [
    ...old.map(([name, text, shown = name]) => `${field}.${shown}: ${text}`),
    ...(claim === undefined ? [] : claimSpecWarnings(claim, `${field}.ephemeral.volumeClaimTemplate.spec`)),
  ];
}

function pullSecretWarnings({ imagePullSecrets = [] }: PodSpec, field: string): string[] {
  const names = imagePullSecrets.map(({ name = '' }) => name);
  const empty = names.flatMap((name, index) => (name === '' ? [`${field}[${index}].name: invalid empty name ""`] : []));
  return [...repeated(names, (index) => `${field}[${index}].name: duplicate name`), ...empty];
}

/** One warning for every value that repeats an earlier one. */
function repeated(values: readonly string[] | undefined, text: (index: number) => string): string[] {
  const seen = new Set<string>();
  return (values ?? []).flatMap((value, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [`${text(index)} ${JSON.stringify(value)}`];
  });
}
