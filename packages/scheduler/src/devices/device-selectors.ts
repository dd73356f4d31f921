import {
  type Activation,
  type Budget,
  checkExpression,
  compileExpression,
  type MapKey,
  mapOfEntries,
  MapValue,
  parseExpression,
  type Program,
  quantityValue,
  semverValue,
  type Value,
} from '@binnacle/apimachinery/cel';
import { DEVICE_ENVIRONMENT } from '@binnacle/api/validation/admission';
import { messageOf } from '@binnacle/apimachinery/errors';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Steps } from '@binnacle/apimachinery/work';
import type { DeviceAttribute } from '@binnacle/client/kinds/resource/v1';
import type { OfferedDevice } from './offered-device.js';

/** Evaluates CEL selectors of devices, and remembers the answers. An instance lives for one attempt to schedule a pod. */
export class DeviceSelectors {
  readonly #programs = new Map<string, Program>();
  readonly #answers = new Map<string, Map<string, boolean>>();
  readonly #devices = new Map<string, Value>();

  /** The answer of an earlier evaluation. */
  known(expression: string, { key }: OfferedDevice): boolean | undefined {
    return this.#answers.get(expression)?.get(key);
  }

  /** Throws an error with upstream's text if the expression does not compile, fails, or has no boolean value. */
  *evaluate(expression: string, offered: OfferedDevice, budget: Budget): Steps<boolean> {
    const program = this.#programs.get(expression) ?? compile(expression);
    this.#programs.set(expression, program);
    const result = yield* this.#run(program, offered, budget);
    if (typeof result !== 'boolean') throw new Error('CEL runtime error: CEL result could not be converted to bool');
    const answers = this.#answers.get(expression) ?? new Map<string, boolean>();
    this.#answers.set(expression, answers.set(offered.key, result));
    return result;
  }

  *#run(program: Program, offered: OfferedDevice, budget: Budget): Steps<Value> {
    try {
      const device = this.#devices.get(offered.key) ?? deviceValue(offered);
      this.#devices.set(offered.key, device);
      const activation: Activation = (name) => (name === 'device' ? device : undefined);
      return program.inSteps === undefined ? program(activation, budget) : yield* program.inSteps(activation, budget);
    } catch (error) {
      throw new Error(`CEL runtime error: ${messageOf(error)}`, { cause: error });
    }
  }
}

function compile(source: string): Program {
  try {
    const checked = checkExpression(source, parseExpression(source, { bindings: true }), DEVICE_ENVIRONMENT);
    return compileExpression(checked, DEVICE_ENVIRONMENT);
  } catch (error) {
    throw new Error(`CEL compile error: ${messageOf(error)}`, { cause: error });
  }
}

/** The device as an expression sees it. Upstream: dynamic-resource-allocation `DeviceMatches`. */
function deviceValue({ device, slice: { spec } }: OfferedDevice): Value {
  const attributes = Object.entries(device.attributes ?? {}).map(
    ([name, attribute]) => [name, attributeValue(name, attribute)] as const,
  );
  const capacity = Object.entries(device.capacity ?? {}).map(
    ([name, { value }]) => [name, quantityValue(Quantity.parse(value))] as const,
  );
  return mapOfEntries([
    ['driver', spec.driver],
    ['allowMultipleAllocations', device.allowMultipleAllocations === true],
    ['attributes', byDomain(attributes, spec.driver)],
    ['capacity', byDomain(capacity, spec.driver)],
  ]);
}

function attributeValue(name: string, { int, bool, string, version }: DeviceAttribute): Value {
  if (int !== undefined) return BigInt(int);
  if (version !== undefined) return semverValue(version);
  const value = bool ?? string;
  if (value === undefined) throw new Error(`attribute ${name}: unsupported attribute value`);
  return value;
}

/** Values by the domain of their name and the rest. A domain without values reads as empty. */
function byDomain(entries: readonly (readonly [string, Value])[], driver: string): MapValue {
  const domains = new Map<string, [string, Value][]>();
  for (const [name, value] of entries) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const own = domains.get(domain) ?? [];
    own.push([name.slice(slash + 1), value]);
    domains.set(domain, own);
  }
  const maps = new Map<MapKey, MapValue>([...domains].map(([domain, own]) => [domain, mapOfEntries(own)]));
  const empty = mapOfEntries([]);
  return new MapValue({
    size: maps.size,
    get: (key) => maps.get(key) ?? empty,
    has: (key) => maps.has(key),
    keys: () => [...domains.keys()].toSorted(),
  });
}
