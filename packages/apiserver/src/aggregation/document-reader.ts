import { messageOf } from '@binnacle/apimachinery/errors';
import { type JsonValue, parseJsonInSteps } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';
import { type BackendDocument, BadDocumentError } from './backend-documents.js';

/**
 * Reads documents of backends, in steps. A document that equals the last one of its APIService is not read again: it has
 * the same result, or fails again.
 */
export class DocumentReader<T> {
  readonly #last = new Map<string, { readonly digest: string; readonly result: T | BadDocumentError }>();

  /**
   * Rejects with {@link BadDocumentError} if the document is not JSON, or if `convert` throws because it is of no use.
   */
  async read(
    name: string,
    document: Pick<BackendDocument, 'path' | 'digest' | 'body'>,
    convert: (value: JsonValue) => Steps<T>,
  ): Promise<T> {
    const { path, digest, body } = document;
    let last = this.#last.get(name);
    if (last?.digest !== digest) {
      last = { digest, result: await inSlices(resultOf(`${name}: ${path}`, body, convert)) };
      this.#last.set(name, last);
    }
    if (last.result instanceof BadDocumentError) throw last.result;
    return last.result;
  }

  forget(name: string): void {
    this.#last.delete(name);
  }
}

function* resultOf<T>(
  about: string,
  body: Uint8Array,
  convert: (value: JsonValue) => Steps<T>,
): Steps<T | BadDocumentError> {
  try {
    const { value } = yield* parseJsonInSteps(body);
    return yield* convert(value);
  } catch (error) {
    const reason = messageOf(error);
    return new BadDocumentError(`${about}: ${reason}`, { cause: error });
  }
}
