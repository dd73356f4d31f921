import type { Service } from '@binnacle/api/types/core-v1';
import { warningsForCidr, warningsForIp } from '@binnacle/apimachinery/validation';

// Upstream: kubernetes `pkg/api/service` GetWarningsForService.

const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';

export function serviceWarnings({ metadata, spec = {} }: Service): string[] {
  const { clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', externalName = '' } = spec;
  const named = spec.type === 'ExternalName';
  const headless = spec.type === 'ClusterIP' && clusterIP === 'None';
  const addressed = clusterIP !== '' && clusterIP !== 'None' && !named;
  const external = externalIPs.length > 0;
  const said: readonly (readonly [boolean, string])[] = [
    [metadata?.annotations?.[HINTS] !== undefined, `annotation ${HINTS} is deprecated, please use ${MODE} instead`],
    ...(addressed ? indexed(clusterIPs, 'spec.clusterIPs', warningsForIp) : []),
    [headless && loadBalancerIP !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [headless && external, 'spec.externalIPs is ignored for headless services'],
    [headless && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    ...indexed(externalIPs, 'spec.externalIPs', warningsForIp),
    [
      external && !headless && !named,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    ...warningsForIp('spec.loadBalancerIP', loadBalancerIP).map((text) => [true, text] as const),
    ...indexed(spec.loadBalancerSourceRanges ?? [], 'spec.loadBalancerSourceRanges', warningsForCidr),
    [named && external, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [!named && externalName !== '', 'spec.externalName is ignored when spec.type is not "ExternalName"'],
    [
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return said.flatMap(([applies, text]) => (applies ? [text] : []));
}

function indexed(
  values: readonly string[],
  field: string,
  rule: (field: string, value: string) => string[],
): (readonly [boolean, string])[] {
  return values.flatMap((value, index) => rule(`${field}[${index}]`, value)).map((text) => [true, text] as const);
}
