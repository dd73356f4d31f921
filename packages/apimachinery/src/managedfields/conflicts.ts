import { compareUtf8 } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import type { Steps } from '../work/index.js';
import type { FieldSet } from './fieldsets/field-set.js';
import type { Manager, Managers } from './managers.js';
import { type PathElement, sortElements } from './fieldsets/path-element.js';
import { formatPath } from './fieldsets/path-text.js';

/** A field that an apply would change and another manager owns. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/** How many conflicts to describe before yielding, a few milliseconds of work. */
const CONFLICTS_PER_STEP = 5000;

/** A conflict as the message and causes of a Status. */
export interface ConflictText {
  readonly message: string;
  readonly causes: readonly { readonly message: string; readonly field: string }[];
}

/** An apply without force conflicts with other managers. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('the apply would change fields of other managers');
    this.conflicts = conflicts;
  }
}

/** One conflict for each field, sorted by manager. `taken` holds the fields that would be taken from each. */
export function* conflictsOf(managers: Managers, taken: ReadonlyMap<string, FieldSet>): Steps<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const key of [...taken.keys()].sort(compareUtf8)) {
    const manager = managers.get(key);
    const fields = taken.get(key);
    if (manager === undefined || fields === undefined) continue;
    for (const path of orderedPaths(fields)) conflicts.push({ manager, path });
    yield;
  }
  return conflicts;
}

/** Upstream: apimachinery `managedfields/internal/conflict.go`. */
export function* describeConflicts(conflicts: readonly Conflict[]): Steps<ConflictText> {
  const causes: { message: string; field: string }[] = [];
  for (const { manager, path } of conflicts) {
    causes.push({ message: `conflict with ${formatManager(manager)}`, field: formatPath(path) });
    if (causes.length % CONFLICTS_PER_STEP === 0) yield;
  }
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) {
    return { message: `Apply failed with 1 conflict: ${only.message}: ${only.field}`, causes };
  }
  const lines: string[] = [];
  let previous: Manager | undefined;
  for (const [index, { manager }] of conflicts.entries()) {
    if (manager !== previous) lines.push(`conflicts with ${formatManager(manager)}:`);
    previous = manager;
    lines.push(`- ${causes[index]?.field ?? ''}`);
  }
  return { message: `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`, causes };
}

function formatManager({ name, subresource, operation, apiVersion }: Manager): string {
  const where = subresource === '' ? '' : ` with subresource ${quoteGo(subresource)}`;
  return `${quoteGo(name)}${where}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** In upstream's order: at each level all members first, then the paths below each. */
function* orderedPaths(set: FieldSet): Generator<PathElement[]> {
  const elements = sortElements(set.nodes.keys());
  for (const element of elements) if (set.hasMember(element)) yield [element];
  for (const element of elements) for (const path of orderedPaths(set.below(element))) yield [element, ...path];
}
