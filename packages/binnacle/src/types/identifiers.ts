/** A string literal of TypeScript that holds any text. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeUnit)}'`;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A field's name as an interface writes it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** Any text as a part of a type's name: its letters and digits, each word with a capital. */
export function pascalCase(text: string): string {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const MAXIMUM_LENGTH = 200;

/** Gives every type of a file a name that no other has. */
export class Names {
  readonly #taken: Set<string>;
  /** The next number to try, for names that were taken. */
  readonly #next = new Map<string, number>();

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** The wanted name, which must hold letters and digits alone, or one that begins with it. */
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
