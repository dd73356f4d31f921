import { Quantity } from '@binnacle/apimachinery/quantity';
import type { CapacityRequestPolicy, Device, DeviceCapacity } from '@binnacle/client/kinds/resource/v1';
import type { RequestedDevices } from './requested-devices.js';

/** Amounts of the capacities of a device, by name. */
export type ConsumedCapacity = ReadonlyMap<string, Quantity>;

/**
 * What a request takes of a device that has given `used` to others. Undefined if that is too much, or against the
 * policy of a capacity. Upstream: dynamic-resource-allocation `consumable_capacity.go`.
 */
export function capacityFor(
  { capacity: requested = {} }: RequestedDevices,
  { capacity = {} }: Device,
  used: ConsumedCapacity,
): ConsumedCapacity | undefined {
  if (Object.keys(requested).some((name) => !Object.hasOwn(capacity, name))) return undefined;
  const consumed = new Map<string, Quantity>();
  for (const [name, offered] of Object.entries(capacity)) {
    const amount = amountOf(Object.hasOwn(requested, name) ? requested[name] : undefined, offered);
    if (violates(amount, offered.requestPolicy)) return undefined;
    const total = amount.add(used.get(name) ?? Quantity.of(0));
    if (total.compare(Quantity.parse(offered.value)) > 0) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
}

/** The sum of amounts. */
export function plus(one: ConsumedCapacity, other: ConsumedCapacity): ConsumedCapacity {
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, sum.get(name)?.add(amount) ?? amount);
  return sum;
}

/** Rounds a request up to what the policy permits. Without a request it is the default, or all. */
function amountOf(requested: string | undefined, { value, requestPolicy = {} }: DeviceCapacity): Quantity {
  if (requested === undefined) return Quantity.parse(requestPolicy.default ?? value);
  const amount = Quantity.parse(requested);
  const { validRange, validValues } = requestPolicy;
  if (validRange !== undefined) {
    const least = Quantity.parse(validRange.min);
    if (amount.compare(least) < 0) return least;
    if (validRange.step === undefined) return amount;
    const [min, step] = [least.asInt(), Quantity.parse(validRange.step).asInt()];
    if (step <= 0n) return amount;
    const steps = (amount.asInt() - min + step - 1n) / step;
    return Quantity.of(min + steps * step, 'BinarySI');
  }
  return (validValues ?? []).map((each) => Quantity.parse(each)).find((each) => amount.compare(each) <= 0) ?? amount;
}

function violates(amount: Quantity, policy: CapacityRequestPolicy | undefined): boolean {
  if (policy === undefined) return false;
  const { validRange, validValues = [] } = policy;
  if (policy.default !== undefined && amount.equals(Quantity.parse(policy.default))) return false;
  if (validRange !== undefined) {
    if (validRange.max !== undefined && amount.compare(Quantity.parse(validRange.max)) > 0) return true;
    const step = Quantity.parse(validRange.step ?? '0').asInt();
    return step > 0n && (amount.asInt() - Quantity.parse(validRange.min).asInt()) % step !== 0n;
  }
  return validValues.length > 0 && !validValues.some((each) => amount.equals(Quantity.parse(each)));
}
