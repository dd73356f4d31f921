/** Measures the same work in several checkouts, in turns, so that each figure has seen the same machine. */
import { median } from './figures.mjs';

async function microseconds([count, work]) {
  const start = process.cpuUsage();
  for (let done = 0; done < count; done++) await work(done);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

/**
 * `open` resolves with `{ works: { name: [count, work] }, close }` for a checkout. Prints, for each checkout, the median CPU of each work in
 * microseconds. The first round warms up and does not count.
 */
export async function measureInTurns(checkouts, rounds, open) {
  const opened = await Promise.all(checkouts.map(open));
  const names = Object.keys(opened[0].works);
  const figures = checkouts.map(() => Object.fromEntries(names.map((name) => [name, []])));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      for (const [index, { works }] of opened.entries()) {
        const figure = await microseconds(works[name]);
        if (round > 0) figures[index][name].push(figure);
      }
    }
  }
  for (const [index, checkout] of checkouts.entries()) {
    const cpuMicroseconds = Object.fromEntries(
      names.map((name) => [name, Number(median(figures[index][name]).toFixed(1))]),
    );
    console.log(JSON.stringify({ checkout, cpuMicroseconds }));
  }
  for (const { close } of opened) await close();
}
