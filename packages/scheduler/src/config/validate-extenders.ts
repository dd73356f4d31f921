import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { validateLabelKey } from '@binnacle/apimachinery/validation';
import { isExtendedResource } from '@binnacle/api/validation';
import type { ExtenderOfFile } from './file-types.js';

/** Upstream: `validateExtenders`. Upstream finds a wrong URL when it sends the first request. */
export function validateExtenders(extenders: readonly ExtenderOfFile[]): FieldError[] {
  const seen = new Set<string>();
  const binders = extenders.filter(({ bindVerb = '' }) => bindVerb !== '').length;
  return [
    ...extenders.flatMap((extender, index) => validateExtender(extender, `extenders[${index}]`, seen)),
    ...(binders > 1
      ? [
          invalidValue(
            'extenders',
            `found ${binders} extenders implementing bind`,
            'only one extender can implement bind',
          ),
        ]
      : []),
  ];
}

function validateExtender(
  { urlPrefix = '', prioritizeVerb = '', weight = 0, managedResources = [] }: ExtenderOfFile,
  path: string,
  seen: Set<string>,
): FieldError[] {
  return [
    ...(isHttpUrl(urlPrefix) ? [] : [invalidValue(`${path}.urlPrefix`, urlPrefix, 'must be a URL of http or https')]),
    ...(prioritizeVerb !== '' && weight <= 0
      ? [invalidValue(`${path}.weight`, weight, 'must have a positive weight applied to it')]
      : []),
    ...managedResources.flatMap(({ name = '' }, index) => {
      const field = `${path}.managedResources[${index}].name`;
      const isSeen = seen.has(name);
      seen.add(name);
      return [
        ...validateName(name, field),
        ...(isSeen ? [invalidValue(field, name, 'duplicate extender managed resource name')] : []),
      ];
    }),
  ];
}

function validateName(name: string, field: string): FieldError[] {
  const problems = validateLabelKey(name);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem));
  return isExtendedResource(name) ? [] : [invalidValue(field, name, 'is an invalid extended resource name')];
}

function isHttpUrl(text: string): boolean {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  return protocol === 'https:' || protocol === 'http:';
}
