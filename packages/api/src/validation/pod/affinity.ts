import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  eachInSteps,
  errorsOfEach,
  invalidFor,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  validateLabelName,
  validateLabelValue,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  WeightedPodAffinityTerm,
} from '../../generated/types/core-v1.js';
import { preferredTerm } from '../../pods/index.js';
import { each, list } from '../common.js';
import { labelSelectorInSteps } from '../label-selector.js';

/** Upstream: `validateAffinity`. */
export function* validateAffinity(affinity: Affinity | undefined, field: string): Steps<FieldError[]> {
  const node = affinity?.nodeAffinity;
  const required = node?.requiredDuringSchedulingIgnoredDuringExecution;
  const path = `${field}.nodeAffinity`;
  return [
    ...(required ? validateNodeSelector(required, `${path}.requiredDuringSchedulingIgnoredDuringExecution`) : []),
    ...each(
      node?.preferredDuringSchedulingIgnoredDuringExecution,
      `${path}.preferredDuringSchedulingIgnoredDuringExecution`,
      (term, termPath) => [
        ...weight(term.weight, `${termPath}.weight`),
        ...nodeSelectorTerm(term.preference ?? {}, `${termPath}.preference`, false),
      ],
    ),
    ...(yield* podAffinity(affinity?.podAffinity, `${field}.podAffinity`)),
    ...(yield* podAffinity(affinity?.podAntiAffinity, `${field}.podAntiAffinity`)),
  ];
}

function weight(value: number | undefined, field: string): FieldError[] {
  const given = value ?? 0;
  return given > 0 && given <= 100 ? [] : [invalidValue(field, given, 'must be in the range 1-100')];
}

/** Upstream: `ValidateNodeSelector`. */
export function validateNodeSelector(selector: NodeSelector, field: string): FieldError[] {
  const path = `${field}.nodeSelectorTerms`;
  if (list(selector.nodeSelectorTerms).length === 0) {
    return [required(path, 'must have at least one node selector term')];
  }
  return each(selector.nodeSelectorTerms, path, (term, termPath) => nodeSelectorTerm(term, termPath, true));
}

function nodeSelectorTerm(term: NodeSelectorTerm, field: string, strictValues: boolean): FieldError[] {
  return [
    ...each(term.matchExpressions, `${field}.matchExpressions`, (requirement, path) => [
      ...nodeOperator(requirement, path),
      ...validateLabelName(requirement.key ?? '', `${path}.key`),
      ...each(strictValues ? requirement.values : [], `${path}.values`, (value, valuePath) =>
        invalidFor(valuePath, value, validateLabelValue(value)),
      ),
    ]),
    ...each(term.matchFields, `${field}.matchFields`, nodeField),
  ];
}

function nodeOperator(requirement: NodeSelectorRequirement, path: string): FieldError[] {
  const count = list(requirement.values).length;
  const field = `${path}.values`;
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [forbiddenField(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1 ? [] : [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${path}.operator`, requirement.operator ?? '', 'not a valid selector operator')];
  }
}

function nodeField(requirement: NodeSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (requirement.operator !== 'In' && requirement.operator !== 'NotIn') {
    errors.push(invalidValue(`${path}.operator`, requirement.operator ?? '', 'not a valid selector operator'));
  } else if (list(requirement.values).length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (requirement.key !== 'metadata.name') {
    return [...errors, invalidValue(`${path}.key`, requirement.key ?? '', 'not a valid field selector key')];
  }
  const names = each(requirement.values, `${path}.values`, (value, valuePath) =>
    invalidFor(valuePath, value, nameIsDnsSubdomain(value, false)),
  );
  return [...errors, ...names];
}

function* podAffinity(affinity: PodAffinity | undefined, field: string): Steps<FieldError[]> {
  return [
    ...(yield* eachInSteps(
      affinity?.requiredDuringSchedulingIgnoredDuringExecution,
      `${field}.requiredDuringSchedulingIgnoredDuringExecution`,
      podAffinityTerm,
    )),
    ...(yield* eachInSteps(
      affinity?.preferredDuringSchedulingIgnoredDuringExecution,
      `${field}.preferredDuringSchedulingIgnoredDuringExecution`,
      weightedTerm,
    )),
  ];
}

function* weightedTerm(term: WeightedPodAffinityTerm, path: string): Steps<FieldError[]> {
  return [
    ...weight(term.weight, `${path}.weight`),
    ...(yield* podAffinityTerm(preferredTerm(term), `${path}.podAffinityTerm`)),
  ];
}

function* podAffinityTerm(term: PodAffinityTerm, path: string): Steps<FieldError[]> {
  const key = term.topologyKey ?? '';
  yield;
  return [
    ...(yield* labelSelectorInSteps(term.labelSelector, `${path}.labelSelector`)),
    ...(yield* labelSelectorInSteps(term.namespaceSelector, `${path}.namespaceSelector`)),
    ...errorsOfEach(term.namespaces, (name) => invalidFor(`${path}.namespace`, name, nameIsDnsLabel(name, false))),
    ...labelKeys(term.matchLabelKeys, term, `${path}.matchLabelKeys`),
    ...labelKeys(term.mismatchLabelKeys, term, `${path}.mismatchLabelKeys`),
    ...(key === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...validateLabelName(key, `${path}.topologyKey`),
  ];
}

function labelKeys(keys: readonly string[] | undefined, term: PodAffinityTerm, field: string): FieldError[] {
  if (list(keys).length === 0) return [];
  if (term.labelSelector === undefined) {
    return [forbiddenField(field, 'must not be specified when labelSelector is not set')];
  }
  return each(keys, field, validateLabelName);
}
