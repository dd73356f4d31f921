import type { APIService } from '@binnacle/api/types/apiregistration-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { builtInPriorities } from './built-in-priorities.js';
import type { DesiredService } from './auto-registration.js';
import { AUTOMANAGED, OWN_GROUP, serviceName } from './registered-service.js';

/** Upstream: kubernetes `pkg/controlplane/controller/crdregistration`. */
const CUSTOM_PRIORITIES = { groupPriority: 1000, versionPriority: 100 } as const;

interface ServedGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string }[];
}

/** The APIServices of the built-in groups that a server serves. */
export function builtInServices(groups: readonly ServedGroup[]): DesiredService[] {
  return groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version }) => {
      const priorities = group === OWN_GROUP ? undefined : builtInPriorities(group, version);
      return priorities === undefined ? [] : [{ group, version, ...priorities, managed: 'onstart' as const }];
    }),
  );
}

/** The objects of {@link builtInServices}. */
export function builtInServiceObjects(groups: readonly ServedGroup[]): KubernetesObject[] {
  return builtInServices(groups).map(serviceObject);
}

/** The APIService of a group and version that definitions of custom resources serve. */
export function customService(group: string, version: string): DesiredService {
  return { group, version, ...CUSTOM_PRIORITIES, managed: 'true' };
}

export function specOf({
  group,
  version,
  groupPriority,
  versionPriority,
}: DesiredService): APIService['spec'] & object {
  return {
    ...(group === '' ? {} : { group }),
    version,
    groupPriorityMinimum: groupPriority,
    versionPriority,
  };
}

export function serviceObject(desired: DesiredService): KubernetesObject {
  return {
    apiVersion: `${OWN_GROUP}/v1`,
    kind: 'APIService',
    metadata: { name: serviceName(desired), labels: { [AUTOMANAGED]: desired.managed } },
    spec: { ...specOf(desired) },
  };
}
