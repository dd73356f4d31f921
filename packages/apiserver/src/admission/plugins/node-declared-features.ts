import type { Pod } from '@binnacle/api/types/core-v1';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { changedPodOf, nodeOf } from './pod-of-node.js';
import type { NodeSource } from './pod-topology-labels.js';

/**
 * Refuses pod updates that need a feature which the pod's node does not declare.
 * Upstream: `plugin/pkg/admission/nodedeclaredfeatures`, component-helpers `nodedeclaredfeatures`.
 */
export function nodeDeclaredFeatureValidator(source: NodeSource): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    resources: ['pods'],
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      const { subresource } = attributes;
      const changed = subresource === '' || subresource === 'resize' ? changedPodOf(attributes) : undefined;
      const needed = changed === undefined ? [] : featuresOf(changed.pod, changed.old);
      return changed === undefined || needed.length === 0 ? undefined : check(attributes, changed.pod, needed);
    },
  };

  async function check(attributes: AdmissionAttributes, pod: Readonly<Pod>, needed: readonly string[]): Promise<void> {
    const node = await nodeOf(attributes, pod, source);
    const missing = needed.filter((feature) => node.status?.declaredFeatures?.includes(feature) !== true);
    if (missing.length === 0) return;
    const name = JSON.stringify(node.metadata?.name ?? '');
    const why = `pod update requires features ${missing.join(', ')} which are not available on node ${name}`;
    throw refusal(attributes, why);
  }
}

/** The node features that the update needs. */
function featuresOf({ spec }: Readonly<Pod>, { spec: old }: Readonly<Pod>): string[] {
  const initContainers = (old?.initContainers ?? []).filter(
    ({ resources, restartPolicy }, index) =>
      restartPolicy !== 'Always' && !semanticEqual(resources, spec?.initContainers?.[index]?.resources),
  );
  return [
    ...(semanticEqual(spec?.resources, old?.resources) ? [] : ['InPlacePodLevelResourcesVerticalScaling']),
    ...(initContainers.length > 0 ? ['InPlacePodVerticalScalingInitContainers'] : []),
  ];
}
