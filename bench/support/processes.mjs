import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** User and system. */
export function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** `field` is one of the memory fields of `/proc/PID/status`. */
export function memoryBytesOf(pid, field) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)[1]) * 1024;
}

/** CPU of the main thread of a process. */
export function threadMillisecondsOf(pid) {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** CPU of all threads of a process that have not ended, which is finer than {@link cpuSecondsOf}. */
export function threadsMillisecondsOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
