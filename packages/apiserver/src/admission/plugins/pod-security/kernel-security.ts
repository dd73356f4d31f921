import type { Container, SELinuxOptions } from '@binnacle/api/types/core-v1';
import { containersOf, type Finding, namesOf, plural, type PodToCheck, quoted, quotedSet, setters } from './check.js';

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

export const SELINUX_TYPES: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** The safe sysctls, which affect only the pod, by the minor version that added them. */
export const SYSCTLS: readonly (readonly [number, readonly string[]])[] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
];

export function appArmorProfile({ annotations, spec }: PodToCheck): Finding | undefined {
  const wrong = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost' ? [type] : [];
  const podType = wrong(spec.securityContext?.appArmorProfile?.type);
  const typeOf = ({ securityContext }: Container) => wrong(securityContext?.appArmorProfile?.type);
  const bad = containersOf(spec).filter((container) => typeOf(container).length > 0);
  const types = [...new Set([...podType, ...bad.flatMap(typeOf)])].sort();
  const notes = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  if (types.length + notes.length === 0) return undefined;
  const who = [
    ...(types.length === 0 ? [] : [setters(podType.length > 0, namesOf(bad))]),
    ...(notes.length === 0 ? [] : [plural('annotation', 'annotations', notes.length)]),
  ].join(' and ');
  const values = [...types, ...notes];
  return {
    reason: plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
    detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

function isAllowedAppArmor(profile: string): boolean {
  return profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
}

export function seLinuxOptions({ spec }: PodToCheck, allowed: readonly string[]): Finding | undefined {
  const isWrong = (options: SELinuxOptions | undefined): options is SELinuxOptions =>
    options !== undefined && (!allowed.includes(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  const podOptions = spec.securityContext?.seLinuxOptions;
  const bad = containersOf(spec).filter(({ securityContext }) => isWrong(securityContext?.seLinuxOptions));
  const all = [podOptions, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isWrong);
  if (all.length === 0) return undefined;
  const types = new Set(all.map(({ type }) => type ?? '').filter((type) => !allowed.includes(type)));
  const data = [
    ...(types.size === 0 ? [] : [`${plural('type', 'types', types.size)} ${quotedSet(types)}`]),
    ...(all.some(({ user }) => Boolean(user)) ? ['user may not be set'] : []),
    ...(all.some(({ role }) => Boolean(role)) ? ['role may not be set'] : []),
  ];
  const who = setters(isWrong(podOptions), namesOf(bad));
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
  };
}

export function sysctls({ spec }: PodToCheck, allowed: readonly string[]): Finding | undefined {
  const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
}
