import { comment } from './comment.js';
import { type Names, pascalCase, propertyName } from './identifiers.js';
import { type Field, type Shape, shapesIn, type ValueType } from './shape.js';

/**
 * Prints an exported interface for a shape and for each nested one. A nested shape is named after its path, the
 * shortest if there are several.
 */
export function printShapes(root: Shape, rootName: string, rootDescription: string, names: Names): string {
  const nameOf = nameShapes(root, rootName, names);
  return [...nameOf]
    .map(([shape, name]) => {
      const header = shape === root ? comment(rootDescription, '') : [];
      const fields = shape.fields.flatMap((field) => printField(field, nameOf));
      const others = shape.open ? ['  readonly [field: string]: unknown;'] : [];
      return [...header, `export interface ${name} {`, ...fields, ...others, '}'].join('\n');
    })
    .join('\n\n');
}

/** Breadth-first, so that the shortest path names a shape. */
function nameShapes(root: Shape, rootName: string, names: Names): ReadonlyMap<Shape, string> {
  const nameOf = new Map([[root, rootName]]);
  for (const [shape, name] of nameOf) {
    for (const field of shape.fields) {
      for (const inner of shapesIn(field.type)) {
        if (!nameOf.has(inner)) nameOf.set(inner, names.take(name + pascalCase(field.name)));
      }
    }
  }
  return nameOf;
}

function printField(field: Field, nameOf: ReadonlyMap<Shape, string>): readonly string[] {
  const mark = field.required ? '' : '?';
  return [
    ...comment(field.description, '  '),
    `  readonly ${propertyName(field.name)}${mark}: ${printType(field.type, nameOf)};`,
  ];
}

function printType(type: ValueType, nameOf: ReadonlyMap<Shape, string>): string {
  switch (type.form) {
    case 'plain':
      return type.text;
    case 'union':
      return type.members.map((member) => printType(member, nameOf)).join(' | ');
    case 'list': {
      const items = printType(type.items, nameOf);
      const single = type.items.form === 'plain' || type.items.form === 'object' || type.items.form === 'map';
      return `readonly ${single ? items : `(${items})`}[]`;
    }
    case 'map':
      return `{ readonly [key: string]: ${printType(type.values, nameOf)} }`;
    case 'object':
      return nameOf.get(type.shape) ?? 'unknown';
  }
}
