const LOOK_AT_PARENT_MS = 1000;

/**
 * Calls `stop` and ends the process when a signal asks for it, or when the parent has gone: npm and shells that are
 * killed do not tell their children. Returns the function that ends this watch.
 */
export function stopWithProcess(stop) {
  const parent = process.ppid;
  const end = () => void stop().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, end);
  const timer = setInterval(() => {
    if (process.ppid !== parent) end();
  }, LOOK_AT_PARENT_MS);
  return () => {
    clearInterval(timer);
    for (const signal of signals) process.off(signal, end);
  };
}
