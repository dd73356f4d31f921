import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '@binnacle/api/types/authorization-v1';
import { FieldSelectorError, parseFieldSelectorInSteps } from '@binnacle/apimachinery/fields';
import { checkLabelSelectorInSteps, LabelSelectorError } from '@binnacle/apimachinery/labels';
import type { Steps } from '@binnacle/apimachinery/work';

const LABEL_OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/**
 * Describes the selectors of a question that cannot be used. The review ignores them, which widens the question, and
 * reports this text.
 * Upstream: kubernetes `pkg/registry/authorization/util` BuildEvaluationError.
 */
export function* selectorProblems(attributes: ResourceAttributes | undefined): Steps<string[]> {
  const fields = yield* verdict(attributes?.fieldSelector, isFieldSelector, isUsableField);
  const labels = yield* verdict(attributes?.labelSelector, isLabelSelector, ({ operator = '' }) =>
    LABEL_OPERATORS.has(operator),
  );
  return [
    ...(fields === undefined ? [] : [`spec.resourceAttributes.fieldSelector ${fields} due to parse error`]),
    ...(labels === undefined ? [] : [`spec.resourceAttributes.labelSelector ${labels} due to parse error`]),
  ];
}

interface Requirement {
  readonly operator?: string;
  readonly values?: readonly string[] | undefined;
}

function* verdict(
  selector: FieldSelectorAttributes | LabelSelectorAttributes | undefined,
  parses: (text: string) => Steps<boolean>,
  isUsable: (requirement: Requirement) => boolean,
): Steps<'ignored' | 'partially ignored' | undefined> {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (requirements.length === 0) return (yield* parses(rawSelector)) ? undefined : 'ignored';
  const usable = requirements.filter(isUsable).length;
  if (usable === requirements.length) return undefined;
  return usable === 0 ? 'ignored' : 'partially ignored';
}

/** A field requirement has exactly one value. */
function isUsableField({ operator, values = [] }: Requirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

function* isFieldSelector(text: string): Steps<boolean> {
  try {
    yield* parseFieldSelectorInSteps(text);
    return true;
  } catch (error) {
    if (error instanceof FieldSelectorError) return false;
    throw error;
  }
}

function* isLabelSelector(text: string): Steps<boolean> {
  try {
    yield* checkLabelSelectorInSteps(text);
    return true;
  } catch (error) {
    if (error instanceof LabelSelectorError) return false;
    throw error;
  }
}
