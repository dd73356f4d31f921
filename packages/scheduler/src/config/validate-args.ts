import { validateNodeSelector } from '@binnacle/api/validation';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '@binnacle/client/kinds/core/v1';
import { parseDuration } from '@binnacle/apimachinery/time';
import { validateLabelName } from '@binnacle/apimachinery/validation';
import { type ArgsOfFile, type PointOfFile, weightedResources } from './plugin-args.js';

type Validator<K extends keyof ArgsOfFile> = (args: NonNullable<ArgsOfFile[K]>, path: string) => FieldError[];

/** Upstream: `validation_pluginargs.go`. */
export const argsValidators: { readonly [K in keyof ArgsOfFile]-?: Validator<K> } = {
  DefaultPreemption: ({ minCandidateNodesPercentage: share = 10, minCandidateNodesAbsolute: count = 100 }, path) => {
    const [sharePath, countPath] = [`${path}.minCandidateNodesPercentage`, `${path}.minCandidateNodesAbsolute`];
    const sameTime = 'cannot be zero at the same time as';
    return [
      ...(share < 0 || share > 100 ? [invalidValue(sharePath, share, 'not in valid range [0, 100]')] : []),
      ...(count < 0 ? [invalidValue(countPath, count, 'not in valid range [0, inf)')] : []),
      ...(share === 0 && count === 0
        ? [
            invalidValue(sharePath, share, `${sameTime} minCandidateNodesAbsolute`),
            invalidValue(countPath, count, `${sameTime} minCandidateNodesPercentage`),
          ]
        : []),
    ];
  },
  DynamicResources: ({ filterTimeout = '0s', bindingTimeout = '1s' }, path) => [
    ...(parseDuration(filterTimeout) < 0n
      ? [invalidValue(`${path}.filterTimeout`, filterTimeout, 'must be zero or positive')]
      : []),
    ...(parseDuration(bindingTimeout) < 1_000_000_000n
      ? [invalidValue(`${path}.bindingTimeout`, bindingTimeout, 'must be at least 1 second')]
      : []),
  ],
  InterPodAffinity: ({ hardPodAffinityWeight: weight = 1 }, path) =>
    weight < 0 || weight > 100
      ? [invalidValue(`${path}.hardPodAffinityWeight`, weight, 'not in valid range [0, 100]')]
      : [],
  NodeAffinity: ({ addedAffinity = {} }, path) => {
    const affinity = `${path}.addedAffinity`;
    const { requiredDuringSchedulingIgnoredDuringExecution: needed } = addedAffinity;
    const preferred = addedAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...(needed === undefined
        ? []
        : validateNodeSelector(
            { nodeSelectorTerms: (needed.nodeSelectorTerms ?? []).map(copied) },
            `${affinity}.requiredDuringSchedulingIgnoredDuringExecution`,
          )),
      ...preferred.flatMap(({ preference }, index) => {
        const term = `${affinity}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
        const errors = validateNodeSelector({ nodeSelectorTerms: [copied(preference)] }, term);
        return errors.map((error) => ({ ...error, field: error.field.replace('.nodeSelectorTerms[0]', '') }));
      }),
    ];
  },
  NodeResourcesBalancedAllocation: ({ resources = [] }, path) =>
    resources.flatMap(({ name = '', weight = 0 }, index) => [
      ...(resources.slice(0, index).some((other) => other.name === name)
        ? [duplicate(`${path}.resources[${index}].name`, name)]
        : []),
      ...(weight > 1 || weight < 0 ? [invalidValue(`${path}.resources[${index}].weight`, weight, 'must be 1')] : []),
    ]),
  NodeResourcesFit: validateFit,
  PodTopologySpread: validateSpread,
  VolumeBinding: ({ bindTimeoutSeconds: seconds = 0, shape }, path) => [
    ...(seconds < 0
      ? [
          invalidValue(
            `${path}.bindTimeoutSeconds`,
            seconds,
            'invalid BindTimeoutSeconds, should not be a negative value',
          ),
        ]
      : []),
    ...(shape === undefined
      ? []
      : [
          invalidValue(
            `${path}.shape`,
            shape,
            'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring',
          ),
        ]),
  ],
};

/** With new lists, because the parameter of `validateNodeSelector` has mutable ones. */
function copied({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm) {
  const requirement = ({ values = [], ...others }: NodeSelectorRequirement) => ({ ...others, values: [...values] });
  return { matchExpressions: matchExpressions.map(requirement), matchFields: matchFields.map(requirement) };
}

const STRATEGIES = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

function validateFit(args: NonNullable<ArgsOfFile['NodeResourcesFit']>, path: string): FieldError[] {
  const { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy } = args;
  const errors = ignoredResources.flatMap((name, index) =>
    validateLabelName(name, `${path}.ignoredResources[${index}]`),
  );
  for (const [index, group] of ignoredResourceGroups.entries()) {
    const field = `${path}.ignoredResourceGroups[${index}]`;
    if (group.includes('/')) errors.push(invalidValue(field, group, "resource group name can't contain '/'"));
    errors.push(...validateLabelName(group, field));
  }
  if (scoringStrategy === undefined) return errors;
  const strategy = `${path}.scoringStrategy`;
  const { type = '', resources, requestedToCapacityRatio: ratio } = scoringStrategy;
  if (!STRATEGIES.includes(type)) errors.push(notSupported(`${strategy}.type`, type, STRATEGIES));
  for (const [index, { name, weight }] of weightedResources(resources).entries()) {
    if (weight > 0 && weight <= 100) continue;
    const detail = `resource weight of ${name} not in valid range (0, 100]`;
    errors.push(invalidValue(`${strategy}.resources[${index}].weight`, weight, detail));
  }
  const ratioPath = `${strategy}.requestedToCapacityRatio`;
  if (type !== 'RequestedToCapacityRatio') {
    const detail = 'must be nil when type is not RequestedToCapacityRatio';
    return ratio === undefined ? errors : [...errors, forbiddenField(ratioPath, detail)];
  }
  if (ratio === undefined) {
    return [...errors, required(ratioPath, 'must be specified when type is RequestedToCapacityRatio')];
  }
  return [...errors, ...validateShape(ratio.shape ?? [], `${ratioPath}.shape`)];
}

function validateShape(shape: readonly PointOfFile[], path: string): FieldError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const utilizations = shape.map(({ utilization = 0 }) => utilization);
  const unsorted = utilizations.findIndex((value, index) => index > 0 && (utilizations[index - 1] ?? 0) >= value);
  const errors =
    unsorted === -1
      ? []
      : [
          invalidValue(
            `${path}[${unsorted}].utilization`,
            utilizations[unsorted],
            'values must be sorted in increasing order',
          ),
        ];
  for (const [index, { utilization = 0, score = 0 }] of shape.entries()) {
    const point = `${path}[${index}]`;
    if (utilization < 0 || utilization > 100) {
      errors.push(invalidValue(`${point}.utilization`, utilization, 'not in valid range [0, 100]'));
    }
    if (score < 0 || score > 10) errors.push(invalidValue(`${point}.score`, score, 'not in valid range [0, 10]'));
  }
  return errors;
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

function validateSpread(args: NonNullable<ArgsOfFile['PodTopologySpread']>, path: string): FieldError[] {
  const { defaultConstraints = [], defaultingType = 'System' } = args;
  const typePath = `${path}.defaultingType`;
  const errors: FieldError[] = [];
  if (defaultingType !== 'System' && defaultingType !== 'List') {
    errors.push(notSupported(typePath, defaultingType, ['System', 'List']));
  } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
    errors.push(invalidValue(typePath, defaultingType, 'when .defaultConstraints are not empty'));
  }
  for (const [index, constraint] of defaultConstraints.entries()) {
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable: action = '', labelSelector } = constraint;
    const field = `${path}.defaultConstraints[${index}]`;
    if (maxSkew <= 0) errors.push(invalidValue(`${field}.maxSkew`, maxSkew, 'not in valid range (0, inf)'));
    if (topologyKey === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
    else errors.push(...validateLabelName(topologyKey, `${field}.topologyKey`));
    if (action === '') errors.push(required(`${field}.whenUnsatisfiable`, 'can not be empty'));
    else if (!ACTIONS.includes(action)) errors.push(notSupported(`${field}.whenUnsatisfiable`, action, ACTIONS));
    if (labelSelector !== undefined) {
      const detail = 'constraint must not define a selector, as they deduced for each pod';
      errors.push(forbiddenField(`${field}.labelSelector`, detail));
    }
    const isRepeated = defaultConstraints
      .slice(0, index)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === action);
    if (isRepeated) errors.push(duplicate(field, `{${topologyKey}, ${action}}`));
  }
  return errors;
}
