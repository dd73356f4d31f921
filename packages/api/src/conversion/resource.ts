import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/** Fields of a device request that v1beta1 keeps beside its name and later versions keep in `exactly`. */
const exactFields = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
];

export const claimToExact = (claim: JsonObject): JsonObject =>
  within(claim, ['spec', 'devices', 'requests'], nestRequest);
export const claimToFlat = (claim: JsonObject): JsonObject =>
  within(claim, ['spec', 'devices', 'requests'], flattenRequest);
export const templateToExact = (template: JsonObject): JsonObject =>
  within(template, ['spec', 'spec', 'devices', 'requests'], nestRequest);
export const templateToFlat = (template: JsonObject): JsonObject =>
  within(template, ['spec', 'spec', 'devices', 'requests'], flattenRequest);
export const sliceToFlat = (slice: JsonObject): JsonObject => within(slice, ['spec', 'devices'], flattenDevice);
export const sliceToBasic = (slice: JsonObject): JsonObject => within(slice, ['spec', 'devices'], nestDevice);

/** Copies `object` with every item of the list at `path` changed. The rest is shared with `object`. */
function within(object: JsonObject, path: readonly string[], change: (item: JsonObject) => JsonObject): JsonObject {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  const value = object[field];
  if (isObject(value)) return { ...object, [field]: within(value, rest, change) };
  if (!Array.isArray(value)) return object;
  return { ...object, [field]: value.map((item): JsonValue => (isObject(item) ? change(item) : item)) };
}

function nestRequest(request: JsonObject): JsonObject {
  const outside: JsonObject = {};
  const exactly: JsonObject = {};
  for (const [field, value] of Object.entries(request)) {
    (exactFields.includes(field) ? exactly : outside)[field] = value;
  }
  return Object.keys(exactly).length === 0 ? outside : { ...outside, exactly };
}

function flattenRequest({ exactly, ...outside }: JsonObject): JsonObject {
  return isObject(exactly) ? { ...outside, ...exactly } : outside;
}

function nestDevice({ name, ...basic }: JsonObject): JsonObject {
  return { name, basic };
}

function flattenDevice({ basic, ...device }: JsonObject): JsonObject {
  return isObject(basic) ? { ...device, ...basic } : device;
}
