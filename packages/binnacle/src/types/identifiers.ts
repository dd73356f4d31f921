/** A TypeScript string literal for any text. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeUnit)}'`;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A field's name as an interface declares it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** Converts text to a part of a type name: its letters and digits, with each word capitalized. */
export function pascalCase(text: string): string {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const MAXIMUM_LENGTH = 200;

/** Assigns unique names to the types of a file. */
export class Names {
  readonly #taken: Set<string>;
  /** The next suffix to try for a name in use. */
  readonly #next = new Map<string, number>();

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /**
   * Takes the wanted name, or that name with a number when it is in use. `wanted` must consist of letters and digits.
   */
  take(wanted: string): string {
    const base = (/^[A-Za-z]/.test(wanted) ? wanted : `T${wanted}`).slice(0, MAXIMUM_LENGTH);
    let name = base;
    while (this.#taken.has(name)) {
      const number = this.#next.get(base) ?? 2;
      this.#next.set(base, number + 1);
      name = `${base}_${number}`;
    }
    this.#taken.add(name);
    return name;
  }
}
