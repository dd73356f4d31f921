import type { Pod } from '@binnacle/api/types/core-v1';
import { LabelSelectorError, parseLabelMap } from '@binnacle/apimachinery/labels';
import { asKind } from '@binnacle/apimachinery/meta';
import { forbidden, unclassified } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { namespaceAnnotation } from './namespace-annotation.js';
import type { NamespaceSource } from './namespace-lifecycle.js';

type Labels = ReadonlyMap<string, string>;

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';
const CLUSTER_DEFAULT = 'clusterDefaultNodeSelector';

/**
 * Adds the node selector of the namespace to each new pod. `configured` has the selector of the cluster, for namespaces
 * without the annotation, and by namespace the labels that a selector may have.
 * Upstream: `plugin/pkg/admission/podnodeselector`.
 */
export function podNodeSelector(source: NamespaceSource, configured: ReadonlyMap<string, string>): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE',
    async admit(attributes) {
      const { spec } = podOf(attributes) ?? {};
      if (spec === undefined) return;
      const ofNamespace = await selectorOf(attributes.namespace);
      const own = new Map(Object.entries(spec.nodeSelector ?? {}));
      refuseConflict(attributes, ofNamespace, own);
      const merged = new Map([...ofNamespace, ...own]);
      if (merged.size > 0) spec.nodeSelector = Object.fromEntries(merged);
      refuseUnlisted(attributes, merged);
    },
    async validate(attributes) {
      const { spec } = podOf(attributes) ?? {};
      if (spec === undefined) return;
      const selector = new Map(Object.entries(spec.nodeSelector ?? {}));
      refuseConflict(attributes, await selectorOf(attributes.namespace), selector);
      refuseUnlisted(attributes, selector);
    },
  };

  async function selectorOf(namespace: string): Promise<Labels> {
    const text = await namespaceAnnotation(source, namespace, ANNOTATION);
    return labelsIn(text ?? configured.get(CLUSTER_DEFAULT) ?? '');
  }

  function refuseUnlisted(attributes: AdmissionAttributes, selector: Labels): void {
    const listed = labelsIn(configured.get(attributes.namespace) ?? '');
    if (listed.size === 0 || [...selector].every(([key, value]) => listed.get(key) === value)) return;
    throw refused(attributes, 'pod node label selector labels conflict with its namespace whitelist');
  }
}

function podOf({ subresource, object }: AdmissionAttributes): Pod | undefined {
  return subresource === '' ? asKind<Pod>(object) : undefined;
}

function refuseConflict(attributes: AdmissionAttributes, ofNamespace: Labels, own: Labels): void {
  if ([...ofNamespace].every(([key, value]) => (own.get(key) ?? value) === value)) return;
  throw refused(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

function refused({ resource, object }: AdmissionAttributes, why: string): Error {
  return forbidden(resource, object?.metadata.name ?? '', why);
}

function labelsIn(text: string): Labels {
  try {
    return parseLabelMap(text);
  } catch (error) {
    if (error instanceof LabelSelectorError) throw unclassified(error.message);
    throw error;
  }
}
