import { compileSchema, type SchemaNode } from '../structural/index.js';

const STRING = compileSchema({ type: 'string' });
const METADATA = compileSchema({
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
});

const known = new WeakMap<SchemaNode, SchemaNode>();

/**
 * A resource's schema for expressions, in which apiVersion, kind and the metadata fields name and generateName always
 * exist. If it lacks one of them, expressions see no other metadata. Upstream: apiextensions
 * `model.WithTypeAndObjectMeta`.
 */
export function asResourceSchema(schema: SchemaNode): SchemaNode {
  let seen = known.get(schema);
  if (seen === undefined) {
    seen = declaresTypeAndMetadata(schema) ? schema : withTypeAndMetadata(schema);
    known.set(schema, seen);
  }
  return seen;
}

function declaresTypeAndMetadata({ properties }: SchemaNode): boolean {
  const metadata = properties.get('metadata');
  return (
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string'
  );
}

function withTypeAndMetadata(schema: SchemaNode): SchemaNode {
  const properties = new Map(schema.properties);
  properties.set('kind', STRING).set('apiVersion', STRING).set('metadata', METADATA);
  return { ...schema, properties };
}
