/** The type of a value, as far as TypeScript can say it. */
export type ValueType =
  /** TypeScript that is valid anywhere: a keyword or a name. */
  | { readonly form: 'plain'; readonly text: string }
  | { readonly form: 'union'; readonly members: readonly ValueType[] }
  | { readonly form: 'list'; readonly items: ValueType }
  | { readonly form: 'map'; readonly values: ValueType }
  | { readonly form: 'object'; readonly shape: Shape };

/** An object with named fields: what becomes an interface. */
export interface Shape {
  /** Counts from 0 within a version. */
  readonly id: number;
  readonly fields: readonly Field[];
  /** Whether it may have fields that are not known. */
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

/** The members, and those of unions among them, without repetitions; the one member where there is no other. */
export function union(members: readonly ValueType[]): ValueType {
  const flat = members.flatMap((member) => (member.form === 'union' ? member.members : [member]));
  const different = new Map(flat.map((member) => [JSON.stringify(keyOf(member)), member]));
  const [first, ...others] = different.values();
  return first !== undefined && others.length === 0 ? first : { form: 'union', members: [...different.values()] };
}

/** The shapes of one version: those with equal fields are one and the same. */
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

/** A value as small as the type's own level: what a shape holds counts by its id. */
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

/** The shapes that a type names on its own level. */
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
