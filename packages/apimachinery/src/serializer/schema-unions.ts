export type SchemaUnion = 'schemaOrBoolean' | 'schemaOrList' | 'schemaOrStrings';

/** Go's unions of a JSON schema and a simpler form, by type name. */
export const schemaUnions: ReadonlyMap<string, SchemaUnion> = new Map(
  ['v1', 'v1beta1'].flatMap((version): [string, SchemaUnion][] => [
    [`${version}.JSONSchemaPropsOrBool`, 'schemaOrBoolean'],
    [`${version}.JSONSchemaPropsOrArray`, 'schemaOrList'],
    [`${version}.JSONSchemaPropsOrStringArray`, 'schemaOrStrings'],
  ]),
);
