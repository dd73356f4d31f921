import { YamlError } from './yaml-error.js';

/** Each level uses the stack of several generators, far more than in JSON. */
const MAX_DEPTH = 500;

/** How deep a recursion is. */
export class Depth {
  #levels = 0;

  enter(): void {
    if (++this.#levels > MAX_DEPTH) throw new YamlError(`yaml: exceeded max depth of ${MAX_DEPTH}`);
  }

  leave(): void {
    this.#levels--;
  }
}
