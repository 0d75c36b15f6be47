/* Exported as `@pdf2press/engine/pulse`: the connection between a process and what started it, which also ends it. */

const period = 2_000;
/** Milliseconds for all of stopping: what ends running work has 25 s, and supervisors kill after 40. */
const longestStop = 35_000;

/**
 * Tells the parent regularly that this process's event loop runs, and ends this process when the parent has ended. Does
 * nothing in a process that was started without a channel to its parent.
 */
export function startPulse(): void {
  if (!process.send) return;
  const beat = () => {
    if (process.connected) process.send?.('alive');
  };
  beat();
  setInterval(beat, period).unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep a process alive that has finished its work.
  process.channel?.unref();
}

/**
 * Called when this process begins to stop: ends it with the exit code 1 where that takes too long, which a database that
 * answers no more would make it do for ever. `tell` is called before, with the milliseconds that it had.
 */
export function limitStop(tell: (afterMs: number) => void): void {
  setTimeout(() => {
    tell(longestStop);
    process.exit(1);
  }, longestStop).unref();
}
