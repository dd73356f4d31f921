import { mask, maskField, maskUnordered } from './mask.mjs';
import { SymbolPairs } from './symbol-pairs.mjs';

/** Enough to see the problem: a list of another kind would differ in thousands of places. */
const limit = 40;
const ignoredFields = new Set(['selfLink', 'age']);
/** managedFields are sorted by time in whole seconds, so their order varies between runs. */
const unorderedLists = /\.(causes|managedFields|resourceRules|nonResourceRules)$/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The metadata of a list: its version changes with every write to the server, so it is not compared across steps. */
const listMetadata = '.metadata@list';

/**
 * Where an answer differs from the recorded one, a line of text each with the path first. Versions and UIDs must be equal
 * to each other, or unequal, as they were in the recording; `pairs` carries that from step to step of a scenario.
 *
 * @param {unknown} recorded
 * @param {unknown} given
 * @param {SymbolPairs} [pairs]
 * @returns {string[]}
 */
export function differences(recorded, given, pairs = new SymbolPairs()) {
  const found = [];
  compare(recorded, given, '', { pairs, found });
  return found;
}

function compare(recorded, given, at, context) {
  if (context.found.length > limit) return;
  if (Array.isArray(recorded) && Array.isArray(given)) compareLists(recorded, given, at, context);
  else if (isObject(recorded) && isObject(given)) compareObjects(recorded, given, at, context);
  else if (maskUnordered(maskField('', recorded)) !== maskUnordered(maskField('', given))) {
    context.found.push(`${at}: ${excerpt(given, 300)} recorded ${excerpt(recorded, 300)}`);
  }
}

function compareLists(recordedList, givenList, at, context) {
  const [recorded, given] = unorderedLists.test(at)
    ? [sortedByText(recordedList), sortedByText(givenList)]
    : [recordedList, givenList];
  if (recorded.length > 0 && recorded.every(hasName) && given.every(hasName) && !/event/i.test(at)) {
    compareNamed(recorded, given, at, context);
    return;
  }
  if (recorded.length !== given.length) {
    context.found.push(`${at} has ${given.length} items, recorded ${recorded.length}`);
  }
  for (let index = 0; index < Math.min(recorded.length, given.length); index++) {
    compare(recorded[index], given[index], `${at}[${index}]`, context);
  }
}

/** Matches lists of API objects by name, so that one missing object does not shift all others. */
function compareNamed(recorded, given, at, context) {
  const givenByName = new Map(given.map((item) => [nameOf(item), item]));
  const recordedNames = new Set(recorded.map(nameOf));
  for (const item of recorded) {
    const name = nameOf(item);
    if (givenByName.has(name)) compare(item, givenByName.get(name), `${at}[${name}]`, context);
    else context.found.push(`${at}[${name}] missing`);
  }
  for (const item of given) {
    if (!recordedNames.has(nameOf(item))) context.found.push(`${at}[${nameOf(item)}] extra`);
  }
  if (recorded.length === given.length && orderOf(recorded) !== orderOf(given)) {
    context.found.push(`${at} in another order`);
  }
}

function compareObjects(recordedObject, givenObject, at, context) {
  const recorded = withoutUidsInKeys(recordedObject);
  const given = withoutUidsInKeys(givenObject);
  const isList = Array.isArray(recorded.items) || Array.isArray(recorded.rows);
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(given)])) {
    const path = `${at}.${key}`;
    if (ignoredFields.has(key) || isColumnDescription(key, at)) continue;
    if (!context.pairs.admits(key, recorded[key], given[key], at === listMetadata)) {
      context.found.push(
        `${path} ${given[key]}: equal or unequal to an earlier one where the recorded one (${recorded[key]}) is not`,
      );
    } else if (!(key in given)) context.found.push(`${path} missing (recorded ${excerpt(recorded[key], 160)})`);
    else if (!(key in recorded)) context.found.push(`${path} extra (${excerpt(given[key], 160)})`);
    else {
      const inner = key === 'metadata' && isList ? listMetadata : path;
      compare(maskedUnlessObject(key, recorded[key]), maskedUnlessObject(key, given[key]), inner, context);
    }
  }
}

const isObject = (value) => value !== null && typeof value === 'object';
const excerpt = (value, length) => JSON.stringify(value)?.slice(0, length);
const maskedUnlessObject = (key, value) => (isObject(value) ? value : maskField(key, value));
/** Binnacle has its own descriptions of columns. */
const isColumnDescription = (key, at) => key === 'description' && /columnDefinitions\[\d+\]$/.test(at);

const hasName = (item) => Boolean(item?.metadata?.name);
const nameOf = (item) => `${item.metadata.namespace ?? ''}/${mask(item.metadata.name)}`;
const orderOf = (items) =>
  items
    .map(nameOf)
    .filter((name) => !name.includes('<random>'))
    .join(',');

function sortedByText(items) {
  const keyed = items.map((item) => ({ item, text: maskUnordered(JSON.stringify(item)) }));
  keyed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return keyed.map(({ item }) => item);
}

/** managedFields contain UIDs of owners in keys. */
function withoutUidsInKeys(object) {
  if (!Object.keys(object).some((key) => key.search(uuid) >= 0)) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.replace(uuid, '<uid>'), value]));
}
