import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '@binnacle/api/types/apiextensions-v1';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { DefinitionCondition } from '../resources/index.js';

/** The names that definitions of one group hold, including this one's. */
export interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

export interface NamingOutcome {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: DefinitionCondition;
}

export function namesInUse(accepted: Iterable<CustomResourceDefinitionNames | undefined>): NamesInUse {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const names of accepted) {
    for (const name of [names?.plural, names?.singular, ...(names?.shortNames ?? [])]) if (name) resources.add(name);
    for (const name of [names?.kind, names?.listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/**
 * The names that a definition gets: those that no other definition in its group has. Upstream:
 * `naming_controller.go`.
 */
export function acceptNames(definition: CustomResourceDefinition, inUse: NamesInUse): NamingOutcome {
  const wanted = definition.spec.names;
  const had = definition.status?.acceptedNames;
  const acceptedNames: CustomResourceDefinitionNames = { ...had, plural: had?.plural ?? '', kind: had?.kind ?? '' };
  let conflict: { reason: string; message: string } | undefined;
  const decide = (name: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string) => {
    const requested = wanted[name] ?? '';
    if (requested !== (had?.[name] ?? '') && used.has(requested))
      conflict = { reason, message: inUseMessage(requested) };
    else acceptedNames[name] = requested;
  };
  decide('plural', inUse.resources, 'PluralConflict');
  decide('singular', inUse.resources, 'SingularConflict');
  const taken = (wanted.shortNames ?? []).filter(
    (name) => had?.shortNames?.includes(name) !== true && inUse.resources.has(name),
  );
  if (taken.length > 0) conflict = { reason: 'ShortNamesConflict', message: aggregate(taken.map(inUseMessage)) };
  else assign(acceptedNames, 'shortNames', wanted.shortNames);
  decide('kind', inUse.kinds, 'KindConflict');
  decide('listKind', inUse.kinds, 'ListKindConflict');
  assign(acceptedNames, 'categories', wanted.categories);
  return {
    acceptedNames,
    condition:
      conflict === undefined
        ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
        : { type: 'NamesAccepted', status: 'False', ...conflict },
  };
}

function assign(
  names: CustomResourceDefinitionNames,
  field: 'shortNames' | 'categories',
  value: string[] | undefined,
): void {
  if (value === undefined) delete names[field];
  else names[field] = [...value];
}

function inUseMessage(name: string): string {
  return `${quoteGo(name)} is already in use`;
}

function aggregate(messages: readonly string[]): string {
  return messages.length === 1 && messages[0] !== undefined ? messages[0] : `[${messages.join(', ')}]`;
}
