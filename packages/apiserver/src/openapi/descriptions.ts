import { readFileSync } from 'node:fs';

/** The descriptions of types and their fields. */
export interface Descriptions {
  ofType(definition: string): string | undefined;
  ofField(definition: string, field: string): string | undefined;
}

interface DescriptionsFile {
  /** By type: `Pod`, or `autoscaling.Scale` where a name alone would be ambiguous. */
  readonly types: { readonly [type: string]: string };
  /** By type as above, or `*` and the end of its name; then field. */
  readonly typeFields: { readonly [type: string]: { readonly [field: string]: string } };
  /** By field name, for types without a text of their own for it. */
  readonly fields: { readonly [field: string]: string };
}

/** Texts for a family of types, if a type has none of its own; `*` matches the rest of the name. */
const families: readonly (readonly [suffix: string, text: (rest: string) => string])[] = [
  ['List', (rest) => `A list of ${rest} objects.`],
  ['TemplateSpec', (rest) => `The template from which ${withArticle(rest)} is created.`],
  ['Spec', (rest) => `The desired state of ${withArticle(rest)}.`],
  ['Status', (rest) => `The last observed state of ${withArticle(rest)}.`],
  ['Condition', (rest) => `One aspect of the state of ${withArticle(rest)}.`],
  ['VolumeSource', (rest) => `A volume of type ${rest}.`],
];

function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Reads the descriptions from their file. */
export function loadDescriptions(): Descriptions {
  const url = new URL('../../src/openapi/descriptions.json', import.meta.url);
  // A test checks the file, so its shape is trusted.
  const file = JSON.parse(readFileSync(url, 'utf8')) as DescriptionsFile;
  const types = new Map(Object.entries(file.types));
  const fields = new Map(Object.entries(file.fields));
  const typeFields = new Map(
    Object.entries(file.typeFields).map(([type, texts]) => [type, new Map(Object.entries(texts))]),
  );
  return {
    ofType: (definition) => {
      const { group, kind } = typeName(definition);
      return types.get(`${group}.${kind}`) ?? types.get(kind) ?? familyText(kind);
    },
    ofField: (definition, field) => {
      const { group, kind } = typeName(definition);
      return (
        typeFields.get(`${group}.${kind}`)?.get(field) ??
        typeFields.get(kind)?.get(field) ??
        typeFields.get(`*${lastWord(kind)}`)?.get(field) ??
        fields.get(field)
      );
    },
  };
}

function familyText(kind: string): string | undefined {
  for (const [suffix, text] of families) {
    if (kind.endsWith(suffix) && kind.length > suffix.length) return text(kind.slice(0, -suffix.length));
  }
  return undefined;
}

/** `Condition` of `PodCondition`. */
function lastWord(kind: string): string {
  return /[A-Z][a-z]*$/.exec(kind)?.[0] ?? kind;
}

/** `io.k8s.api.autoscaling.v1.Scale` is `Scale` of `autoscaling`, in any version. */
function typeName(definition: string): { readonly group: string; readonly kind: string } {
  const parts = definition.split('.');
  return { group: parts.at(-3) ?? '', kind: parts.at(-1) ?? '' };
}
