/** The configuration is invalid. The message names the file, the field and the problem. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
