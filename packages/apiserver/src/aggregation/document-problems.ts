import { BadDocumentError } from './backend-documents.js';

/**
 * Reports why documents of backends cannot be used, once for each APIService until the reason changes. A backend that does not
 * answer is not reported here, because the condition of its APIService says so.
 */
export class DocumentProblems {
  readonly #report: (reason: string) => void;
  readonly #reported = new Map<string, string>();

  constructor(report: (reason: string) => void) {
    this.#report = report;
  }

  /** A fetch for the APIService has failed. */
  failed(name: string, error: unknown): void {
    if (!(error instanceof BadDocumentError) || this.#reported.get(name) === error.message) return;
    this.#reported.set(name, error.message);
    this.#report(error.message);
  }

  solved(name: string): void {
    this.#reported.delete(name);
  }
}
