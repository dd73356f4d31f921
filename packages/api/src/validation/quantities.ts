import { Quantity, QuantityError } from '@binnacle/apimachinery/quantity';
import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { invalidFor, NEGATIVE_MESSAGE, validateLabelKey } from '@binnacle/apimachinery/validation';

/** Names and amounts of resources. Upstream: `pkg/apis/core/validation`, `pkg/apis/core/helper`. */
export type ResourceList = Readonly<Record<string, string>>;

const STANDARD_CONTAINER_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTED_RESOURCES: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  ...COUNTED_RESOURCES,
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

const HUGE_PAGES = 'hugepages-';
const MOST_THOUSANDTHS = 2n ** 63n - 1n;

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

export function isStandardQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

function isStandardResource(name: string): boolean {
  return isStandardQuotaResource(name) || name === 'storage';
}

export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && validateLabelKey(`requests.${name}`).length === 0;
}

/** Whether limits may exceed requests: true of native resources except huge pages. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isNegative(quantity: string): boolean {
  return quantity.includes('-') && Quantity.parse(quantity).sign < 0;
}

export function compareQuantities(a: string, b: string): number {
  return a === b ? 0 : Quantity.parse(a).compare(Quantity.parse(b));
}

/** The quantity as messages show it. */
export function shownQuantity(quantity: string): string {
  return Quantity.parse(quantity).toString();
}

export function validatePositiveQuantity(quantity: string, field: string): FieldError[] {
  if (Quantity.parse(quantity).sign > 0) return [];
  return [invalidValue(field, shownQuantity(quantity), 'must be greater than zero')];
}

export function validateNonNegativeQuantity(quantity: string, field: string): FieldError[] {
  return isNegative(quantity) ? [invalidValue(field, shownQuantity(quantity), NEGATIVE_MESSAGE)] : [];
}

/** The amount must not be negative, and must be whole for countable resources. */
export function validateResourceAmount(name: string, quantity: string, field: string): FieldError[] {
  const errors = validateNonNegativeQuantity(quantity, field);
  if (!isWhole(quantity) && (COUNTED_RESOURCES.has(name) || isExtendedResource(name))) {
    errors.push(invalidValue(field, shownQuantity(quantity), 'must be an integer'));
  }
  return errors;
}

/** Upstream checks thousandths, and accepts amounts whose thousandths exceed 64 bits. */
function isWhole(quantity: string): boolean {
  if (/^[0-9]{1,15}$/.test(quantity)) return true;
  const thousandths = Quantity.parse(quantity).milliValue();
  return thousandths === MOST_THOUSANDTHS || thousandths % 1000n === 0n;
}

export function validateResourceName(name: string, field: string): FieldError[] {
  const errors = invalidFor(field, name, validateLabelKey(name));
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    if (!STANDARD_CONTAINER_RESOURCES.has(name) && !isHugePages(name)) {
      errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

export function validateQuotaResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    errors.push(invalidValue(field, name, 'must be a standard resource for quota'));
  }
  return errors;
}

/** Why an amount of huge pages is invalid: it must be a whole number of pages. */
export function hugePagesProblem(name: string, quantity: string): string | undefined {
  const problem = `${shownQuantity(quantity)} is not positive integer multiple of ${name}`;
  try {
    const page = Quantity.parse(name.slice(HUGE_PAGES.length));
    if (page.sign <= 0 || page.milliValue() % 1000n !== 0n) return problem;
    return Quantity.parse(quantity).asInt() % page.asInt() === 0n ? undefined : problem;
  } catch (error) {
    if (error instanceof QuantityError) return problem;
    throw error;
  }
}
