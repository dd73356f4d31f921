/** Prints one figure as one line of JSON. */
export function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export function megabytes(bytes) {
  return Math.round(bytes / 2 ** 20);
}

/** Rounds for display. */
export function toDigits(value, digits) {
  return Number(value.toFixed(digits));
}

/** The upper one of the two in the middle of an even number of figures. */
export function median(figures) {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1];
}

/** Runs `run(0)` to `run(count - 1)` with limited concurrency. */
export async function inParallel(count, inFlight, run) {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
}

/** Runs `run`. Resolves to its wall time and the server's CPU, both in seconds, and its result. */
export async function timed(server, run) {
  const cpu = server.cpuSeconds();
  const start = performance.now();
  const result = await run();
  return { result, wallSeconds: (performance.now() - start) / 1000, cpuSeconds: server.cpuSeconds() - cpu };
}
