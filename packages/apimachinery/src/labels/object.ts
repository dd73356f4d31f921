import { quoteGo } from '../status/index.js';
import { LabelSelectorError } from './error.js';
import { type LabelOperator, LabelRequirement, type Labels } from './requirement.js';
import { everything, LabelSelector, nothing } from './selector.js';

/** Upstream: `metav1.LabelSelector`. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}

export interface LabelExpression {
  /** No key counts as the empty one, which is an error. */
  readonly key?: string | undefined;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; any other value, or none, is an error. */
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

const operators: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * An absent selector matches nothing, an empty one everything. Throws a {@link LabelSelectorError}. Upstream:
 * `metav1.LabelSelectorAsSelector`.
 */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === undefined || object === null) return nothing;
  const requirements = equalities(object.matchLabels ?? {});
  for (const expression of object.matchExpressions ?? []) {
    const operator = operators.get(expression.operator ?? '');
    if (operator === undefined) {
      throw new LabelSelectorError(`${quoteGo(expression.operator ?? '')} is not a valid label selector operator`);
    }
    requirements.push(new LabelRequirement(expression.key ?? '', operator, expression.values ?? []));
  }
  return requirements.length === 0 ? everything : new LabelSelector(requirements);
}

/** The selector of a plain map, as in Services and ReplicationControllers. An empty map matches everything. */
export function labelSelectorFromMap(labels: Labels): LabelSelector {
  const requirements = equalities(labels);
  return requirements.length === 0 ? everything : new LabelSelector(requirements);
}

/** For people: `<none>` for an empty selector, `<error>` for an invalid one. Upstream: `metav1.FormatLabelSelector`. */
export function formatLabelSelector(object: LabelSelectorObject | null | undefined): string {
  try {
    return labelSelectorFromObject(object).toString() || '<none>';
  } catch (error) {
    if (error instanceof LabelSelectorError) return '<error>';
    throw error;
  }
}

function equalities(labels: Labels): LabelRequirement[] {
  return Object.entries(labels).map(([key, value]) => new LabelRequirement(key, '=', [value]));
}
