import { getOwn, isObject } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { isKnownFormat, textOf, yieldingSchemas } from '@binnacle/apimachinery/structural';
import type { CustomResourceDefinition } from '../../generated/types/apiextensions-v1.js';
import { commonSpec } from './versions.js';

/** Warns about valid settings without effect. An update warns only about new ones. */
export function customResourceDefinitionWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): string[] {
  const before = old === undefined ? undefined : findings(old);
  const now = findings(definition);
  const [formats, sets] = [new Set(before?.formats), new Set(before?.sets)];
  return [
    ...now.formats.filter((text) => !formats.has(text)),
    ...[...new Set(now.sets)].sort().filter((text) => !sets.has(text)),
  ];
}

interface Findings {
  readonly formats: string[];
  readonly sets: string[];
}

function findings({ spec }: CustomResourceDefinition): Findings {
  const formats: string[] = [];
  const sets: string[] = [];
  // A schema common to all versions is checked once.
  const { common, versions } = commonSpec(spec);
  for (const { schema } of [common, ...versions]) {
    const document = schema?.openAPIV3Schema;
    if (!isObject(document)) continue;
    for (const each of yieldingSchemas(document)) {
      if (each === undefined) continue;
      const format = textOf(each, 'format');
      if (format !== '' && !isKnownFormat(format, textOf(each, 'type'))) {
        formats.push(`unrecognized format ${quoteGo(format)}`);
      }
      const items = getOwn(each, 'items');
      const type = isObject(items) ? textOf(items, 'type') : '';
      if (textOf(each, 'x-kubernetes-list-type') === 'set' && (type === 'object' || type === 'array')) {
        const what = `x-kubernetes-list-type: set for items of type ${quoteGo(type)}`;
        sets.push(`${what} is not supported by server-side apply or CEL validation rules`);
      }
    }
  }
  return { formats, sets };
}
