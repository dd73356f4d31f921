import type { Pod, Toleration } from '@binnacle/api/types/core-v1';
import { podQosClass } from '@binnacle/api/pods';
import { asKind } from '@binnacle/apimachinery/meta';
import { unclassified } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { namespaceAnnotation } from './namespace-annotation.js';
import type { NamespaceSource } from './namespace-lifecycle.js';
import { InvalidTolerations, parseTolerations } from './parse-tolerations.js';
import { areListed, mergeTolerations } from './toleration-set.js';

/** Tolerations for namespaces without annotations of their own. */
export interface TolerationSettings {
  /** Added to each new pod. */
  readonly default: readonly Toleration[];
  /** The tolerations that pods may have. Empty: all. */
  readonly whitelist: readonly Toleration[];
}

const DEFAULT_ANNOTATION = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const WHITELIST_ANNOTATION = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY_PRESSURE: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * Adds the tolerations of the namespace to new pods, and refuses tolerations that the namespace does not list.
 * Upstream: `plugin/pkg/admission/podtolerationrestriction`.
 */
export function podTolerationRestriction(source: NamespaceSource, settings: TolerationSettings): AdmissionPlugin {
  return {
    name: 'PodTolerationRestriction',
    resources: ['pods'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async admit(attributes) {
      const { spec } = podOf(attributes) ?? {};
      if (spec === undefined) return;
      const { operation, namespace } = attributes;
      const given = operation === 'CREATE' ? await tolerationsOf(namespace, DEFAULT_ANNOTATION) : [];
      const added = [...(given ?? settings.default), ...(podQosClass(spec) === 'BestEffort' ? [] : [MEMORY_PRESSURE])];
      if (added.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], added);
      await checkListed(namespace, spec.tolerations);
    },
    validate(attributes) {
      return checkListed(attributes.namespace, podOf(attributes)?.spec?.tolerations);
    },
  };

  async function checkListed(namespace: string, tolerations: readonly Toleration[] = []): Promise<void> {
    if (tolerations.length === 0) return;
    const ofNamespace = await tolerationsOf(namespace, WHITELIST_ANNOTATION);
    if (areListed(tolerations, ofNamespace ?? settings.whitelist)) return;
    const scope = ofNamespace === undefined ? 'cluster' : 'namespace';
    const what = 'pod tolerations (possibly merged with namespace default tolerations)';
    throw unclassified(`${what} conflict with its ${scope} whitelist`);
  }

  /** Undefined: the namespace has no such annotation. An empty one lists none. */
  async function tolerationsOf(namespace: string, annotation: string): Promise<readonly Toleration[] | undefined> {
    const text = await namespaceAnnotation(source, namespace, annotation);
    if (text === undefined || text === '') return text === undefined ? undefined : [];
    try {
      return parseTolerations(text);
    } catch (error) {
      if (error instanceof InvalidTolerations) throw unclassified(error.message);
      throw error;
    }
  }
}

function podOf({ subresource, object }: AdmissionAttributes): Pod | undefined {
  return subresource === '' ? asKind<Pod>(object) : undefined;
}
