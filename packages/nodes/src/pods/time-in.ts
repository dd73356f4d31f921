import { parseTime } from '@binnacle/apimachinery/time';

/** A time that a kubelet wrote. Others may have written anything: `otherwise` takes the place of an invalid time. */
export function timeIn(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  try {
    return parseTime(text);
  } catch {
    return otherwise;
  }
}
