import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when `check` resolves to true, and after `tries` checks in any case. */
export async function poll(check, tries, pauseMs) {
  for (let attempt = 0; attempt < tries; attempt++) {
    if (await check()) return;
    await sleep(pauseMs);
  }
}
