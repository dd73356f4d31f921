/**
 * Runs a test. What it passes to `use` is disposed when it ends, last first.
 *
 * @param {(use: <T extends AsyncDisposable>(made: T | Promise<T>) => Promise<T>) => Promise<void>} run
 */
export async function disposing(run) {
  const open = [];
  const use = async (made) => {
    const resource = await made;
    open.push(resource);
    return resource;
  };
  try {
    await run(use);
  } finally {
    for (const resource of open.reverse()) await resource[Symbol.asyncDispose]();
  }
}
