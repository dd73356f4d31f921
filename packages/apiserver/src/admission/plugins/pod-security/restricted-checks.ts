import type { Container, Volume } from '@binnacle/api/types/core-v1';
import {
  type Check,
  containersOf,
  type Finding,
  named,
  namesOf,
  plural,
  type PodToCheck,
  quoted,
  quotedSet,
  setters,
  unlessUserNamespace,
  unlessWindows,
} from './check.js';
import { checkProcMount } from './proc-mount.js';
import { restrictedSeccomp } from './seccomp.js';

const VOLUME_TYPES: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** The checks of the restricted level. Upstream: pod-security-admission `policy`. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      { since: 8, find: privilegeEscalation },
      { since: 25, find: unlessWindows(privilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    replaces: 'capabilities_baseline',
    versions: [
      { since: 22, find: capabilities },
      { since: 25, find: unlessWindows(capabilities) },
    ],
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    replaces: 'procMount',
    versions: [{ since: 35, find: checkProcMount }],
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    replaces: 'hostPathVolumes',
    versions: [{ since: 0, find: volumes }],
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      { since: 0, find: runAsNonRoot },
      { since: 35, find: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      { since: 23, find: runAsUser },
      { since: 35, find: unlessUserNamespace(runAsUser) },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    replaces: 'seccompProfile_baseline',
    versions: [
      { since: 19, find: restrictedSeccomp },
      { since: 25, find: unlessWindows(restrictedSeccomp) },
    ],
  },
];

function privilegeEscalation({ spec }: PodToCheck): Finding | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  const detail = `${named(namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function capabilities({ spec }: PodToCheck): Finding | undefined {
  const added = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true,
  );
  const adding = containersOf(spec).filter((container) => added(container).length > 0);
  const details = [
    ...(keeping.length === 0 ? [] : [`${named(namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${named(namesOf(adding))} must not include ${quotedSet(adding.flatMap(added))} in securityContext.capabilities.add`,
        ]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function volumes({ spec }: PodToCheck): Finding | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !VOLUME_TYPES.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const types = new Set(bad.map(typeOf));
  const names = bad.map(({ name }) => name);
  const who = `${plural('volume', 'volumes', names.length)} ${quoted(names)} ${plural('uses', 'use', names.length)}`;
  const what = plural('restricted volume type', 'restricted volume types', types.size);
  return { reason: 'restricted volume types', detail: `${who} ${what} ${quotedSet(types)}` };
}

/** A volume has one field beside its name: its type. */
function typeOf(volume: Volume): string {
  const { name: _, ...sources } = volume;
  const [type = 'unknown'] = Object.entries(sources).find(([, source]) => source !== undefined) ?? [];
  return type;
}

function runAsNonRoot({ spec }: PodToCheck): Finding | undefined {
  const reason = 'runAsNonRoot != true';
  const pod = spec.securityContext?.runAsNonRoot;
  const containers = containersOf(spec);
  const explicit = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false);
  if (pod === false || explicit.length > 0) {
    const who = setters(pod === false, namesOf(explicit));
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  const silent =
    pod === true ? [] : containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named(namesOf(silent))} must set securityContext.runAsNonRoot=true` };
}

function runAsUser({ spec }: PodToCheck): Finding | undefined {
  const pod = spec.securityContext?.runAsUser === 0;
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.runAsUser === 0);
  if (!pod && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${setters(pod, namesOf(bad))} must not set runAsUser=0` };
}
