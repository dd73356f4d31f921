import { deepEqual, type JsonValue } from '../json/index.js';
import { type Leaf, leavesOf, type Path } from './leaves.js';

/** A leaf that two versions of an object do not share. */
export interface Change {
  readonly text: string;
  readonly path: Path;
  /** Undefined: the field is new. */
  readonly before: JsonValue | undefined;
  /** Undefined: the field is gone. */
  readonly after: JsonValue | undefined;
}

/** The leaves that differ, in the order of the later version; those that are gone come last. */
export function changesBetween(before: JsonValue | undefined, after: JsonValue | undefined): Change[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const changes: Change[] = [];
  for (const [text, { path, value }] of now) {
    const was = old.get(text);
    if (was === undefined || !deepEqual(was.value, value))
      changes.push({ text, path, before: was?.value, after: value });
  }
  for (const [text, leaf] of old) if (!now.has(text)) changes.push(gone(text, leaf));
  return changes;
}

function gone(text: string, { path, value }: Leaf): Change {
  return { text, path, before: value, after: undefined };
}

/** Whether a change is at this path, or below or above it: `.spec` and `.spec.replicas[0]` touch `.spec.replicas`. */
export function touches({ text }: Change, field: string): boolean {
  return isWithin(text, field) || isWithin(field, text);
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || '.['.includes(path.charAt(outer.length)));
}
