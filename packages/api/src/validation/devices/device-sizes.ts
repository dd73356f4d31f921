import type { Range, SizeOfPath } from '@binnacle/apimachinery/cel';

/** The most elements or characters of a part of a device. */
interface Sized {
  readonly maximum: number;
  readonly keys?: Sized;
  readonly values?: Sized;
  readonly fields?: ReadonlyMap<string, Sized>;
}

const DOMAIN: Sized = { maximum: 63 };
const IDENTIFIER: Sized = { maximum: 32 };
const ATTRIBUTE: Sized = { maximum: 64 };
const QUANTITY: Sized = { maximum: 0 };
/** Attributes and capacities of a device together. */
const ENTRIES_MAXIMUM = 32;

function byDomain(values: Sized): Sized {
  const inner: Sized = { maximum: ENTRIES_MAXIMUM, keys: IDENTIFIER, values };
  return { maximum: ENTRIES_MAXIMUM, keys: DOMAIN, values: inner };
}

const DEVICE: Sized = {
  maximum: 0,
  fields: new Map<string, Sized>([
    ['driver', { maximum: 63 }],
    ['allowMultipleAllocations', { maximum: 1 }],
    ['attributes', byDomain(ATTRIBUTE)],
    ['capacity', byDomain(QUANTITY)],
  ]),
};

/** The sizes of the parts of `device`, for the estimated cost of selectors. */
export const sizeOfDevicePath: SizeOfPath = ([variable, ...steps]): Range | undefined => {
  let part: Sized | undefined = variable === 'device' ? DEVICE : undefined;
  for (const step of steps) part = part && partOf(part, step);
  return part && { min: 0, max: part.maximum };
};

function partOf({ keys, values, fields }: Sized, step: string): Sized | undefined {
  if (step === '@items' || step === '@values') return values;
  if (step === '@keys') return keys;
  // A field of an attribute map is an attribute; upstream does not size fields of a capacity map.
  return fields?.get(step) ?? (values === ATTRIBUTE ? ATTRIBUTE : undefined);
}
