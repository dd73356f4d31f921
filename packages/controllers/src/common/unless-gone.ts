import { isNotFound } from '@binnacle/client/rest';

/** Resolves to the answer, or to undefined if the server has no such object. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
