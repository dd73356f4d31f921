const SURROGATE = /[\ud800-\udfff]/;

/** The number of code points. Quick for a text without surrogates. */
export function countCodePoints(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let unit = 0; unit < text.length; unit += widthAt(text, unit)) count++;
  return count;
}

/** The UTF-16 index of a code point. `point` is within the text, or its end. */
export function unitIndexOf(text: string, point: number): number {
  if (!SURROGATE.test(text)) return point;
  let unit = 0;
  for (let count = 0; count < point; count++) unit += widthAt(text, unit);
  return unit;
}

/** The UTF-16 units of the code point at an index; 1 at the end. */
export function widthAt(text: string, unit: number): number {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}
