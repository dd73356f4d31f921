import { isObject } from '@binnacle/apimachinery/json';
import { milliseconds } from './durations.js';

/** A scenario cannot be understood. The message names the field and what belongs there. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Throws a {@link ScenarioError} unless the value is right. `path` names it. */
export type Shape = (value: unknown, path: string) => void;

export function wrong(path: string, wanted: string): ScenarioError {
  return new ScenarioError(`${path}: must be ${wanted}`);
}

export const text: Shape = (value, path) => {
  if (typeof value !== 'string' || value === '') throw wrong(path, 'a text');
};

export const flag: Shape = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false');
};

export const duration: Shape = (value, path) => {
  const wanted = 'a duration of 0 or more, such as 90s or 1h30m';
  if (typeof value !== 'string') throw wrong(path, wanted);
  let read: number;
  try {
    read = milliseconds(value);
  } catch {
    throw wrong(path, wanted);
  }
  if (read < 0) throw wrong(path, wanted);
};

export const time: Shape = (value, path) => {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
    throw wrong(path, 'a time, such as 2027-01-04T00:00:00Z');
};

export const count: Shape = (value, path) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw wrong(path, 'a whole number, 0 or more');
};

export const share: Shape = (value, path) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw wrong(path, 'a share from 0 to 1');
};

export function listOf(each: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list');
    value.forEach((item, index) => each(item, `${path}[${index}]`));
  };
}

/** An object that has the required fields, may have the others, and has no more. */
export function fields(required: Readonly<Record<string, Shape>>, others: Readonly<Record<string, Shape>> = {}): Shape {
  const known = new Map([...Object.entries(required), ...Object.entries(others)]);
  return (value, path) => {
    if (!isObject(value)) throw wrong(path === '' ? 'the scenario' : path, 'an object');
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    for (const [name, item] of Object.entries(value)) {
      const shape = known.get(name);
      if (shape === undefined)
        throw new ScenarioError(`${at(name)}: unknown; there are ${[...known.keys()].join(', ')}`);
      shape(item, at(name));
    }
    for (const name of Object.keys(required))
      if (!Object.hasOwn(value, name)) throw new ScenarioError(`${at(name)}: is missing`);
  };
}
