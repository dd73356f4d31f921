import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '@binnacle/api/types/apiextensions-v1';
import { joinMessages } from '@binnacle/apimachinery/errors';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { DefinitionCondition } from '../resources/index.js';

/** The accepted names of all definitions in an API group, including the one being decided. */
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
 * Accepts the requested names that no other definition in the group has, and keeps the previous name in place of each
 * that is taken. The condition reports only the last conflict, as upstream's does. Upstream: `naming_controller.go`.
 */
export function acceptNames(definition: CustomResourceDefinition, inUse: NamesInUse): NamingOutcome {
  const requested = definition.spec.names;
  const previous = definition.status?.acceptedNames;
  const acceptedNames: CustomResourceDefinitionNames = {
    ...previous,
    plural: previous?.plural ?? '',
    kind: previous?.kind ?? '',
  };
  let conflict: { reason: string; message: string } | undefined;
  const decide = (name: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string) => {
    const wanted = requested[name] ?? '';
    if (wanted !== (previous?.[name] ?? '') && used.has(wanted)) conflict = { reason, message: inUseMessage(wanted) };
    else acceptedNames[name] = wanted;
  };
  decide('plural', inUse.resources, 'PluralConflict');
  decide('singular', inUse.resources, 'SingularConflict');
  const taken = (requested.shortNames ?? []).filter(
    (name) => previous?.shortNames?.includes(name) !== true && inUse.resources.has(name),
  );
  if (taken.length > 0) conflict = { reason: 'ShortNamesConflict', message: joinMessages(taken.map(inUseMessage)) };
  else assign(acceptedNames, 'shortNames', requested.shortNames);
  decide('kind', inUse.kinds, 'KindConflict');
  decide('listKind', inUse.kinds, 'ListKindConflict');
  assign(acceptedNames, 'categories', requested.categories);
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
