/** Draws what a terminal showed, and when, as an SVG that plays it: by CSS alone, as pages show images without scripts. */

export const COLUMNS = 96;
const ROWS = 24;
const CHARACTER = 8.4;
const LINE = 20;
const PADDING = 16;
const BAR = 32;
/** A person reads the end before it starts again. */
const REST_SECONDS = 6;

/**
 * `lines`: `{ at, typedFrom, text }`, in order, at most {@link COLUMNS} characters each. A line is complete at `at`, in seconds. A command appears
 * character by character since `typedFrom`, all else at once. Readers who want no motion see the end.
 */
export function drawScreen(lines) {
  const seconds = (lines.at(-1)?.at ?? 0) + REST_SECONDS;
  const share = (at) => Math.min(100, (at / seconds) * 100).toFixed(3);
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * PADDING);
  const height = BAR + ROWS * LINE + PADDING;
  const styles = lines.map((line, index) => `@keyframes l${index} {${appearance(line, share)}}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal: ${escape(commandsIn(lines))}">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6deeb; white-space: pre; }
.command { fill: #7fdbca; }
.line, .all { animation-duration: ${seconds}s; animation-iteration-count: infinite; animation-timing-function: step-end; }
${styles.join('\n')}
@keyframes all {${scrolling(lines, share)}}
@media (prefers-reduced-motion: reduce) { .line { animation: none; } .all { animation: none; transform: translateY(${-scrolled(lines.length)}px); } }
</style>
<rect width="100%" height="100%" rx="10" fill="#0b1622"/>
${['#ff5f57', '#febc2e', '#28c840'].map((color, index) => `<circle cx="${18 + index * 20}" cy="16" r="6" fill="${color}"/>`).join('')}
<clipPath id="screen"><rect x="0" y="${BAR}" width="${width}" height="${ROWS * LINE + 4}"/></clipPath>
<g clip-path="url(#screen)"><g class="all" style="animation-name: all">
${lines.map((line, index) => drawLine(line, index)).join('\n')}
</g></g>
</svg>
`;
}

const commandsIn = (lines) =>
  lines
    .filter(({ typedFrom }) => typedFrom !== undefined)
    .map(({ text }) => text.slice(2))
    .join('; ');

function drawLine({ text, typedFrom }, index) {
  const y = BAR + (index + 1) * LINE - 5;
  const kind = typedFrom === undefined ? 'line' : 'line command';
  return `<text class="${kind}" style="animation-name: l${index}" x="${PADDING}" y="${y}" xml:space="preserve">${escape(text)}</text>`;
}

/** Characters become visible from the left. */
function appearance({ at, text, typedFrom }, share) {
  if (typedFrom === undefined) return `0% { opacity: 0 } ${share(at)}%, 100% { opacity: 1 }`;
  const frames = Array.from(text, (_, index) => {
    const part = index / text.length;
    return `${share(typedFrom + (at - typedFrom) * part)}% { clip-path: inset(0 ${(100 - part * 100).toFixed(1)}% 0 0) }`;
  });
  return `0% { clip-path: inset(0 100% 0 0) } ${frames.join(' ')} ${share(at)}%, 100% { clip-path: inset(0) }`;
}

/** Lines move up when the screen is full. */
function scrolling(lines, share) {
  const frames = lines.map(({ at, typedFrom = at }, index) => {
    return `${share(typedFrom)}% { transform: translateY(${-scrolled(index + 1)}px) }`;
  });
  return `0% { transform: translateY(0) } ${frames.join(' ')} 100% { transform: translateY(${-scrolled(lines.length)}px) }`;
}

const scrolled = (count) => Math.max(0, count - ROWS) * LINE;

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
