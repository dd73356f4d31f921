const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Orders keys as upstream's YAML writer does: letters last, and runs of digits by value. */
export function compareKeys(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a[index] ?? '';
    const y = b[index] ?? '';
    if (x === y) continue;
    const xLetter = letter.test(x);
    const yLetter = letter.test(y);
    if (xLetter && yLetter) return codeOf(x) - codeOf(y);
    if (xLetter || yLetter) return yLetter ? -1 : 1;
    return compareNumbers(a, b, index) || codeOf(x) - codeOf(y);
  }
  return a.length - b.length;
}

function compareNumbers(a: readonly string[], b: readonly string[], index: number): number {
  // After a nonzero digit, a zero belongs to the same number and is not a leading zero.
  const start = (a[index] === '0' || b[index] === '0') && followsDigits(a, index) ? 1 : 0;
  const [aValue, aEnd] = readNumber(a, index, start);
  const [bValue, bEnd] = readNumber(b, index, start);
  return aValue - bValue || aEnd - bEnd;
}

function followsDigits(text: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0 && digit.test(text[at] ?? ''); at--) if (text[at] !== '0') return true;
  return false;
}

function readNumber(text: readonly string[], index: number, start: number): [number, number] {
  let value = start;
  let at = index;
  for (; at < text.length && digit.test(text[at] ?? ''); at++) value = value * 10 + codeOf(text[at] ?? '') - 0x30;
  return [value, at];
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
