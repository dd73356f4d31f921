/** The reason for a 409 when the client expects another object, or another version of it. */
export function preconditionFailed(what: string, wanted: string, actual: string): string {
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`;
}
