type Labels = Readonly<Record<string, string>>;

interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

export interface NodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[] | undefined;
  readonly matchFields?: readonly NodeRequirement[] | undefined;
}

/** The part of a pod's spec that restricts its nodes. */
export interface NodeRestrictions {
  readonly nodeSelector?: Labels | undefined;
  readonly affinity?:
    | {
        readonly nodeAffinity?:
          | {
              readonly requiredDuringSchedulingIgnoredDuringExecution?:
                | { readonly nodeSelectorTerms: readonly NodeTerm[] }
                | undefined;
            }
          | undefined;
      }
    | undefined;
}

/** The part of a node that terms match. */
export interface NodeTraits {
  readonly metadata: { readonly name?: string | undefined; readonly labels?: Labels | undefined };
}

/** Whether selector and required affinity of a pod permit the node. Upstream: `nodeaffinity.GetRequiredNodeAffinity`. */
export function fitsAffinity({ nodeSelector, affinity }: NodeRestrictions, node: NodeTraits): boolean {
  const { labels = {} } = node.metadata;
  if (Object.entries(nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesNodeTerm(term, node));
}

/** A term without requirements matches no node. */
export function matchesNodeTerm(
  { matchExpressions = [], matchFields = [] }: NodeTerm,
  { metadata }: NodeTraits,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const { labels = {}, name = '' } = metadata;
  return (
    matchExpressions.every((requirement) => matches(requirement, labels)) &&
    matchFields.every((requirement) => matches(requirement, { 'metadata.name': name }))
  );
}

function matches({ key, operator, values = [] }: NodeRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return isBeyond(operator, value, values[0]);
    default:
      return false;
  }
}

/** False unless both are integers. */
function isBeyond(operator: 'Gt' | 'Lt', value: string | undefined, bound: string | undefined): boolean {
  const integer = /^[+-]?\d+$/;
  if (value === undefined || bound === undefined || !integer.test(value) || !integer.test(bound)) return false;
  const [left, right] = [BigInt(value.replace('+', '')), BigInt(bound.replace('+', ''))];
  return operator === 'Gt' ? left > right : left < right;
}
