import type { DeviceAttribute, DeviceConstraint } from '@binnacle/client/kinds/resource/v1';
import type { OfferedDevice } from './offered-device.js';
import { isNamed, type RequestedDevices } from './requested-devices.js';

/** A constraint on the devices of a claim, and the devices that it has admitted. */
export class AttributeConstraint {
  readonly #requests: readonly string[];
  readonly #attribute: string;
  readonly #isDistinct: boolean;
  readonly #values: string[] = [];

  constructor({ requests = [], matchAttribute, distinctAttribute }: DeviceConstraint) {
    this.#requests = requests;
    this.#attribute = matchAttribute ?? distinctAttribute ?? '';
    this.#isDistinct = matchAttribute === undefined;
  }

  /** Whether the device may join the others. If so, returns a function that takes it away again; the last to join is the first to leave. */
  add(requested: RequestedDevices, offered: OfferedDevice): (() => void) | undefined {
    if (!isNamed(this.#requests, requested)) return () => undefined;
    const value = valueOf(attributeOf(offered, this.#attribute));
    if (value === undefined) return undefined;
    const hasSame = this.#values.includes(value);
    if (this.#values.length > 0 && hasSame === this.#isDistinct) return undefined;
    this.#values.push(value);
    return () => void this.#values.pop();
  }
}

/** An attribute by its qualified name. Those of the driver's own domain may be listed without it. */
function attributeOf({ device, slice }: OfferedDevice, name: string): DeviceAttribute | undefined {
  const { attributes = {} } = device;
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const [domain, id = ''] = name.split('/', 2);
  return domain === slice.spec.driver && Object.hasOwn(attributes, id) ? attributes[id] : undefined;
}

/** Equal texts are equal values of the same type. Lists are compared only behind a feature that is off by default. */
function valueOf(attribute: DeviceAttribute | undefined): string | undefined {
  const { string, int, bool, version } = attribute ?? {};
  if (string !== undefined) return `string ${string}`;
  if (int !== undefined) return `int ${int}`;
  if (bool !== undefined) return `bool ${bool}`;
  return version === undefined ? undefined : `version ${version}`;
}
