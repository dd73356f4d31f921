export type SchemaUnion = 'schemaOrBoolean' | 'schemaOrList' | 'schemaOrStrings';

/** Go's unions of a JSON schema and something simpler, by the names of their types. */
export const schemaUnions: ReadonlyMap<string, SchemaUnion> = new Map(
  ['v1', 'v1beta1'].flatMap((version): [string, SchemaUnion][] => [
    [`${version}.JSONSchemaPropsOrBool`, 'schemaOrBoolean'],
    [`${version}.JSONSchemaPropsOrArray`, 'schemaOrList'],
    [`${version}.JSONSchemaPropsOrStringArray`, 'schemaOrStrings'],
  ]),
);
