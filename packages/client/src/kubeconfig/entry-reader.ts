import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { KubeconfigError } from './kubeconfig-error.js';

/** Reads the fields of one object in a file. Errors name the file and the field. Unknown fields are ignored. */
export class EntryReader {
  readonly #object: JsonObject;
  /** `~/.kube/config: clusters[0].cluster`. */
  readonly where: string;

  constructor(value: JsonValue | undefined, where: string) {
    if (value !== undefined && value !== null && !isObject(value)) {
      throw new KubeconfigError(`${where.replace(/: $/, '')}: must be an object`);
    }
    this.#object = isObject(value) ? value : {};
    this.where = where;
  }

  /** Undefined if absent or empty, which are the same in a kubeconfig. */
  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') this.fail(name, 'must be a string');
    return value;
  }

  requiredText(name: string): string {
    return this.text(name) ?? this.fail(name, 'is missing');
  }

  flag(name: string): boolean {
    const value = this.#get(name) ?? false;
    if (typeof value !== 'boolean') this.fail(name, 'must be true or false');
    return value;
  }

  /** Decodes base64. */
  data(name: string): string | undefined {
    const text = this.text(name)?.replaceAll(/\s/g, '');
    if (text === undefined) return undefined;
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) this.fail(name, 'is not valid base64');
    return Buffer.from(text, 'base64').toString('utf8');
  }

  texts(name: string): string[] {
    return this.#list(name).map((value) => (typeof value === 'string' ? value : this.fail(name, 'must hold strings')));
  }

  entry(name: string): EntryReader | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : new EntryReader(value, this.#path(name));
  }

  entries(name: string): EntryReader[] {
    return this.#list(name).map((value, index) => new EntryReader(value, `${this.#path(name)}[${index}]`));
  }

  object(name: string): JsonObject | undefined {
    const value = this.#get(name);
    return isObject(value) ? value : undefined;
  }

  keys(): string[] {
    return Object.keys(this.#object);
  }

  fail(name: string, problem: string): never {
    throw new KubeconfigError(`${this.#path(name)} ${problem}`);
  }

  #list(name: string): JsonValue[] {
    const value = this.#get(name) ?? [];
    return Array.isArray(value) ? value : this.fail(name, 'must be a list');
  }

  #get(name: string): JsonValue | undefined {
    return getOwn(this.#object, name) ?? undefined;
  }

  #path(name: string): string {
    return this.where.endsWith(': ') ? `${this.where}${name}` : `${this.where}.${name}`;
  }
}
