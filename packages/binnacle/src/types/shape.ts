/** The type of a value, as precisely as TypeScript can express it. */
export type ValueType =
  /** A keyword or a name, which is valid TypeScript anywhere. */
  | { readonly form: 'plain'; readonly text: string }
  | { readonly form: 'union'; readonly members: readonly ValueType[] }
  | { readonly form: 'list'; readonly items: ValueType }
  | { readonly form: 'map'; readonly values: ValueType }
  | { readonly form: 'object'; readonly shape: Shape };

/** An object with named fields, which becomes an interface. */
export interface Shape {
  /** Unique within a version, from 0. */
  readonly id: number;
  readonly fields: readonly Field[];
  /** Whether it allows unknown fields. */
  readonly open: boolean;
}

export interface Field {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: ValueType;
}

export function plain(text: string): ValueType {
  return { form: 'plain', text };
}

/** A union without repetitions; nested unions are flattened. A single member stays as it is. */
export function union(members: readonly ValueType[]): ValueType {
  const flat = members.flatMap((member) => (member.form === 'union' ? member.members : [member]));
  const different = new Map(flat.map((member) => [JSON.stringify(keyOf(member)), member]));
  const [first, ...others] = different.values();
  return first !== undefined && others.length === 0 ? first : { form: 'union', members: [...different.values()] };
}

/** The shapes of one version. Shapes with equal fields are stored once. */
export class Shapes {
  readonly #known = new Map<string, Shape>();

  of(fields: readonly Field[], open: boolean): Shape {
    const key = JSON.stringify([open, fields.map((field) => ({ ...field, type: keyOf(field.type) }))]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const shape = { id: this.#known.size, fields, open };
    this.#known.set(key, shape);
    return shape;
  }
}

/** A small key for a type: nested shapes are represented by their ids. */
function keyOf(type: ValueType): unknown {
  switch (type.form) {
    case 'plain':
      return type.text;
    case 'union':
      return type.members.map(keyOf);
    case 'list':
      return { list: keyOf(type.items) };
    case 'map':
      return { map: keyOf(type.values) };
    case 'object':
      return type.shape.id;
  }
}

/** The shapes that a type refers to directly. */
export function shapesIn(type: ValueType): readonly Shape[] {
  switch (type.form) {
    case 'plain':
      return [];
    case 'union':
      return type.members.flatMap(shapesIn);
    case 'list':
      return shapesIn(type.items);
    case 'map':
      return shapesIn(type.values);
    case 'object':
      return [type.shape];
  }
}
