/** Whether a certificate is valid, by its texts of times. `now`: milliseconds. A connection may outlive it. */
export function isValidAt(
  { validFrom, validTo }: { readonly validFrom: string; readonly validTo: string },
  now: number,
): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}
