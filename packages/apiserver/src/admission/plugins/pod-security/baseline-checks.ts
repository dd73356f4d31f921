import type { Container, LifecycleHandler, Probe } from '@binnacle/api/types/core-v1';
import {
  type Check,
  containersOf,
  named,
  namesOf,
  plural,
  quoted,
  quotedSet,
  setters,
  unlessUserNamespace,
} from './check.js';
import { appArmorProfile, SELINUX_TYPES, seLinuxOptions, SYSCTLS, sysctls } from './kernel-security.js';
import { checkProcMount } from './proc-mount.js';
import { baselineSeccomp, baselineSeccompAnnotations } from './seccomp.js';

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** The checks of the baseline level. Upstream: pod-security-admission `policy`. */
export const baselineChecks: readonly Check[] = [
  {
    id: 'appArmorProfile',
    level: 'baseline',
    versions: [{ since: 0, find: appArmorProfile }],
  },
  {
    id: 'capabilities_baseline',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const wrong = ({ securityContext }: Container) =>
            (securityContext?.capabilities?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name));
          const bad = containersOf(spec).filter((container) => wrong(container).length > 0);
          if (bad.length === 0) return undefined;
          const detail = `${named(namesOf(bad))} must not include ${quotedSet(bad.flatMap(wrong))} in securityContext.capabilities.add`;
          return { reason: 'non-default capabilities', detail };
        },
      },
    ],
  },
  {
    id: 'hostNamespaces',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
          if (shared.length === 0) return undefined;
          return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
        },
      },
    ],
  },
  {
    id: 'hostPathVolumes',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
          if (bad.length === 0) return undefined;
          return { reason: 'hostPath volumes', detail: `${plural('volume', 'volumes', bad.length)} ${quoted(bad)}` };
        },
      },
    ],
  },
  {
    id: 'hostPorts',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const portsOf = ({ ports }: Container) => (ports ?? []).flatMap(({ hostPort }) => hostPort || []);
          const bad = containersOf(spec).filter((container) => portsOf(container).length > 0);
          if (bad.length === 0) return undefined;
          const ports = [...new Set(bad.flatMap(portsOf).map(String))].sort();
          const verb = plural('uses', 'use', bad.length);
          const detail = `${named(namesOf(bad))} ${verb} ${plural('hostPort', 'hostPorts', ports.length)} ${ports.join(', ')}`;
          return { reason: 'hostPort', detail };
        },
      },
    ],
  },
  {
    id: 'hostProbesAndHostLifecycle',
    level: 'baseline',
    versions: [
      {
        since: 34,
        find({ spec }) {
          const bad = containersOf(spec).filter((container) => hostsOf(container).length > 0);
          if (bad.length === 0) return undefined;
          const names = [...new Set(namesOf(bad))].sort();
          const hosts = new Set(bad.flatMap(hostsOf));
          const what = plural('probe or lifecycle host', 'probe or lifecycle hosts', hosts.size);
          const detail = `${named(names)} ${plural('uses', 'use', names.length)} ${what} ${quotedSet(hosts)}`;
          return { reason: 'probe or lifecycle host', detail };
        },
      },
    ],
  },
  {
    id: 'privileged',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged === true);
          if (bad.length === 0) return undefined;
          return {
            reason: 'privileged',
            detail: `${named(namesOf(bad))} must not set securityContext.privileged=true`,
          };
        },
      },
    ],
  },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      { since: 0, find: checkProcMount },
      { since: 35, find: unlessUserNamespace(checkProcMount) },
    ],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      { since: 0, find: (pod) => seLinuxOptions(pod, SELINUX_TYPES) },
      { since: 31, find: (pod) => seLinuxOptions(pod, [...SELINUX_TYPES, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { since: 0, find: baselineSeccompAnnotations },
      { since: 19, find: baselineSeccomp },
    ],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: SYSCTLS.map(([since]) => ({
      since,
      find: (pod) =>
        sysctls(
          pod,
          SYSCTLS.flatMap(([from, names]) => (from <= since ? names : [])),
        ),
    })),
  },
  {
    id: 'windowsHostProcess',
    level: 'baseline',
    versions: [
      {
        since: 0,
        find({ spec }) {
          const bad = containersOf(spec).filter(
            ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
          );
          const pod = spec.securityContext?.windowsOptions?.hostProcess === true;
          if (!pod && bad.length === 0) return undefined;
          const detail = `${setters(pod, namesOf(bad))} must not set securityContext.windowsOptions.hostProcess=true`;
          return { reason: 'hostProcess', detail };
        },
      },
    ],
  },
];

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] {
  const handlers: readonly (Probe | LifecycleHandler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? '']).filter(Boolean);
}
