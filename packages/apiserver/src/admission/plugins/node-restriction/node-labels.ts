type Labels = Readonly<Record<string, string>> | undefined;

/** The Kubernetes labels that a kubelet may set. Upstream: kubelet `pkg/apis/well_known_labels.go`. */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const RESERVED_DOMAIN = 'node-restriction.kubernetes.io';

/** The sorted labels that a node has changed on itself and may not change. They decide which pods it gets. */
export function forbiddenNodeLabels(labels: Labels, old: Labels): string[] {
  const before = new Map(Object.entries(old ?? {}));
  const after = new Map(Object.entries(labels ?? {}));
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((key) => after.get(key) !== before.get(key) && isForbidden(key))
    .sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  if (isWithin(domain, RESERVED_DOMAIN)) return true;
  if (!isWithin(domain, 'kubernetes.io') && !isWithin(domain, 'k8s.io')) return false;
  return !KUBELET_LABELS.has(key) && !KUBELET_DOMAINS.some((allowed) => isWithin(domain, allowed));
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
