import { YamlError } from './yaml-error.js';

const SMALL = 400_000;
const LARGE = 4_000_000;

/** More than a request body may have. kube-apiserver would not store an object of this size. */
const TEXT_MAXIMUM = 4 * 1024 * 1024;

/** How much of a document may come from aliases: almost all of a small one, a tenth of a large one. */
export class AliasBudget {
  #total = 0;
  #aliased = 0;
  #aliasedText = 0;
  #depth = 0;

  enter(): void {
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  spend(): void {
    this.#total++;
    if (this.#depth > 0) this.#aliased++;
    if (this.#aliased > 100 && this.#total > 1000 && this.#aliased / this.#total > allowedRatio(this.#total)) {
      throw excessiveAliasing();
    }
  }

  /** Counts the characters of a scalar, because each alias resolves its text again. */
  spendText(length: number): void {
    if (this.#depth === 0) return;
    this.#aliasedText += length;
    if (this.#aliasedText > TEXT_MAXIMUM) throw excessiveAliasing();
  }
}

function excessiveAliasing(): YamlError {
  return new YamlError('yaml: document contains excessive aliasing');
}

function allowedRatio(total: number): number {
  if (total <= SMALL) return 0.99;
  return total >= LARGE ? 0.1 : 0.99 - 0.89 * ((total - SMALL) / (LARGE - SMALL));
}
