/** Shorter than a second, so that an answer is never a whole second late. */
const KEPT_MS = 500;

let text = '';
let until = 0;

/** The date of an answer, as RFC 9110 section 5.6.7 writes it. */
export function httpDate(): string {
  const now = performance.now();
  if (now < until) return text;
  until = now + KEPT_MS;
  text = new Date().toUTCString();
  return text;
}
