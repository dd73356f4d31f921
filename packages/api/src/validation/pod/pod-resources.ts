import type { Quantity } from '@binnacle/apimachinery/quantity';
import { type FieldError, forbiddenField, invalidValue, notSupported } from '@binnacle/apimachinery/status';
import { errorsOfEach, errorsOfEntries } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { PodSpec } from '../../generated/types/core-v1.js';
import { containerTotals } from '../../pods/index.js';
import { each, list } from '../common.js';
import {
  compareQuantities,
  isHugePages,
  type ResourceList,
  shownQuantity,
  validateResourceName,
} from '../quantities.js';
import { validateRequirementsOf } from './resources.js';

// Pod-level resources. Upstream: `validatePodResources`.

const SUPPORTED = ['cpu', 'hugepages-', 'memory'];

export function* validatePodResources(
  spec: PodSpec,
  claimNames: ReadonlySet<string>,
  field: string,
): Steps<FieldError[]> {
  const resources = spec.resources;
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows') return [forbiddenField(field, 'may not be set for a windows pod')];
  const requests: ResourceList = resources.requests ?? {};
  const limits: ResourceList = resources.limits ?? {};
  return [
    ...(resources.claims === undefined
      ? []
      : [forbiddenField(`${field}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...(yield* validateRequirementsOf(resources, claimNames, field, resourceName)),
    ...below(requests, containerTotals(spec, 'requests'), `${field}.requests`, 'requests', () => true),
    ...below(limits, containerTotals(spec, 'limits'), `${field}.limits`, 'limits', isHugePages),
    ...singleLimits(spec, limits, field),
  ];
}

function resourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [notSupported(field, name, SUPPORTED)];
}

/** The errors of pod-level amounts that are below the total of the containers. */
function below(
  given: ResourceList,
  totals: ReadonlyMap<string, Quantity>,
  field: string,
  what: 'requests' | 'limits',
  counts: (name: string) => boolean,
): FieldError[] {
  return errorsOfEach(totals, ([name, total]) => {
    const amount = Object.hasOwn(given, name) ? given[name] : undefined;
    if (amount === undefined || !counts(name) || compareQuantities(amount, total.toString()) >= 0) return [];
    const detail = `must be greater than or equal to aggregate container ${what} of ${total.toString()}`;
    return [invalidValue(`${field}[${name}]`, shownQuantity(amount), detail)];
  });
}

function singleLimits(spec: PodSpec, limits: ResourceList, field: string): FieldError[] {
  return each(list(spec.containers), `${field}.containers`, ({ resources }, path) =>
    errorsOfEntries(resources?.limits, (name, amount) => {
      const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
      if (limit === undefined || compareQuantities(amount, limit) <= 0) return [];
      const detail = `must be less than or equal to pod limits of ${shownQuantity(limit)}`;
      return [invalidValue(`${path}[${name}].limits`, shownQuantity(amount), detail)];
    }),
  );
}
