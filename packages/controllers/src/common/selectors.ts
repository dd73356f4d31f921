import {
  type LabelSelector,
  LabelSelectorError,
  labelSelectorFromMap,
  labelSelectorFromObject,
  type LabelSelectorObject,
  type Labels,
  nothing,
} from '@binnacle/apimachinery/labels';

/** Objects of a cache are never changed, so a selector is parsed once for each version of its object. */
const parsed = new WeakMap<object, LabelSelector>();

/** The selector of a workload. An invalid or empty one matches nothing, so that no workload claims all pods of its namespace. */
export function selectorOf(object: LabelSelectorObject | undefined): LabelSelector {
  return object === undefined ? nothing : remembered(object, () => labelSelectorFromObject(object));
}

/** Like {@link selectorOf}, for a plain map of labels. */
export function selectorOfMap(labels: Labels | undefined): LabelSelector {
  return labels === undefined ? nothing : remembered(labels, () => labelSelectorFromMap(labels));
}

/** Whether the labels contain all of `wanted`. */
export function hasLabels(labels: Labels | undefined, wanted: Labels | undefined): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => labels?.[key] === value);
}

function remembered(key: object, parse: () => LabelSelector): LabelSelector {
  let selector = parsed.get(key);
  if (selector === undefined) {
    selector = matchingNothingIfWrong(parse);
    parsed.set(key, selector);
  }
  return selector;
}

function matchingNothingIfWrong(parse: () => LabelSelector): LabelSelector {
  try {
    const selector = parse();
    return selector.isEmpty ? nothing : selector;
  } catch (error) {
    if (error instanceof LabelSelectorError) return nothing;
    throw error;
  }
}

/** A selector as Go prints it in upstream's messages. */
export function selectorText(selector: LabelSelectorObject | undefined): string {
  if (selector === undefined) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const rules = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${rules.join('')}},}`;
}
