const POLL_MS = 100;
const LIMIT_MS = 300_000;
const SILENT_MS = 3000;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Repeats the check until it resolves to a value that is true. An error means not yet. */
export async function until(check) {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const result = await check().catch((error) => {
      if (performance.now() > end) throw error;
    });
    if (result) return result;
    if (performance.now() > end) throw new Error(`not in ${LIMIT_MS} ms: ${check}`);
    await sleep(POLL_MS);
  }
}

/** Resolves when `look` has resolved to the same value for three seconds. */
export async function silence(look) {
  let last = '';
  for (let since = performance.now(); performance.now() - since < SILENT_MS; await sleep(POLL_MS)) {
    const now = JSON.stringify(await look());
    if (now !== last) since = performance.now();
    last = now;
  }
}
