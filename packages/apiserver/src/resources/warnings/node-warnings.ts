import type { Node } from '@binnacle/api/types/core-v1';
import { warningsForCidr } from '@binnacle/apimachinery/validation';

/** Upstream: `pkg/registry/core/node/strategy.go`. */
export function nodeWarnings({ spec = {} }: Node): string[] {
  const { configSource, externalID = '', podCIDRs = [] } = spec;
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...podCIDRs.flatMap((cidr, index) => warningsForCidr(`spec.podCIDRs[${index}]`, cidr)),
  ];
}
