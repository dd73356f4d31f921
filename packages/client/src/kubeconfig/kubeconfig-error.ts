/** Something is wrong with the configuration. The message is for the person who wrote it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
