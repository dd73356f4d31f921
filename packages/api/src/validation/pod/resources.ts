import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { entryByEntry, errorsOfEach } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { ContainerResizePolicy, ResourceRequirements } from '../../generated/types/core-v1.js';
import { each } from '../common.js';
import {
  compareQuantities,
  hugePagesProblem,
  isHugePages,
  isOvercommitAllowed,
  type ResourceList,
  shownQuantity,
  validateContainerResourceName,
  validateResourceAmount,
} from '../quantities.js';

/** Upstream: `ValidateContainerResourceRequirements`. */
export function validateRequirements(
  requirements: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  field: string,
): Steps<FieldError[]> {
  return validateRequirementsOf(requirements, claimNames, field, validateContainerResourceName);
}

/** Like {@link validateRequirements}, with a caller's rule for resource names. */
export function* validateRequirementsOf(
  requirements: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  field: string,
  nameRule: (name: string, field: string) => FieldError[],
): Steps<FieldError[]> {
  const amountErrors = (name: string, amount: string, path: string): FieldError[] => [
    ...nameRule(name, path),
    ...validateResourceAmount(name, amount, path),
    ...hugePages(name, amount, path),
  ];
  const limits: ResourceList = requirements?.limits ?? {};
  const requests: ResourceList = requirements?.requests ?? {};
  const errors = yield* entryByEntry(limits, (name, amount) => amountErrors(name, amount, `${field}.limits[${name}]`));
  const ofRequests = yield* entryByEntry(requests, (name, amount) => [
    ...amountErrors(name, amount, `${field}.requests[${name}]`),
    ...requestAgainstLimit(name, amount, limits, field),
  ]);
  const given = (name: string): boolean => Object.hasOwn(limits, name) || Object.hasOwn(requests, name);
  const hasHugePages = Object.keys(limits).some(isHugePages) || Object.keys(requests).some(isHugePages);
  const alone =
    hasHugePages && !given('cpu') && !given('memory') ? [forbiddenField(field, 'HugePages require cpu or memory')] : [];
  return [...errors, ...ofRequests, ...alone, ...claims(requirements, claimNames, `${field}.claims`)];
}

/** Huge pages must be a whole number of pages. Upstream: `validateResourceQuantityHugePageValue`. */
function hugePages(name: string, amount: string, field: string): FieldError[] {
  const problem = isHugePages(name) ? hugePagesProblem(name, amount) : undefined;
  return problem === undefined ? [] : [invalidValue(field, shownQuantity(amount), problem)];
}

function requestAgainstLimit(name: string, amount: string, limits: ResourceList, field: string): FieldError[] {
  const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
  const overcommit = isOvercommitAllowed(name);
  if (limit === undefined) {
    return overcommit ? [] : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const order = compareQuantities(amount, limit);
  const shown = shownQuantity(limit);
  if (order !== 0 && !overcommit) {
    return [invalidValue(`${field}.requests`, shownQuantity(amount), `must be equal to ${name} limit of ${shown}`)];
  }
  if (order <= 0) return [];
  const detail = `must be less than or equal to ${name} limit of ${shown}`;
  return [invalidValue(`${field}.requests`, shownQuantity(amount), detail)];
}

function claims(
  requirements: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  let known: string | undefined;
  return each(requirements?.claims, field, (claim, path) => {
    if (!claim.name) return [required(path, '')];
    const key = claim.request ? `${claim.name}/${claim.request}` : claim.name;
    const errors = seen.has(key) || seen.has(claim.name) ? [duplicate(path, key)] : [];
    seen.add(key);
    if (claimNames.has(claim.name)) return errors;
    // Every error shows the names, of which a pod may have 100,000.
    known ??= claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${known}`;
    return [...errors, { ...notFoundField(path, claim.name), detail }];
  });
}

/** Upstream: `validateResizePolicy`. */
export function validateResizePolicies(
  policies: readonly ContainerResizePolicy[] | undefined,
  restartPolicy: string | undefined,
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(policies, (policy, index) => {
    const given = policy as Partial<ContainerResizePolicy>;
    const resourceName = given.resourceName ?? '';
    const restart = given.restartPolicy ?? '';
    const errors = seen.has(resourceName) ? [duplicate(`${field}[${index}]`, resourceName)] : [];
    seen.add(resourceName);
    errors.push(...oneOf(resourceName, ['cpu', 'memory'], field));
    errors.push(...oneOf(restart, ['NotRequired', 'RestartContainer'], field));
    if (restartPolicy === 'Never' && restart !== 'NotRequired') {
      errors.push(invalidValue(field, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}

function oneOf(value: string, supported: readonly string[], field: string): FieldError[] {
  if (value === '') return [required(field, '')];
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}
