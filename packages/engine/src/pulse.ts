/* The door `@pdf2press/engine/pulse`: between a process and whoever started it. */

const period = 2_000;

/**
 * Tells the parent that this process's event loop turns, and ends this process when the parent is gone. Nothing happens
 * in a process that was not started with a channel to its parent.
 */
export function startPulse(): void {
  if (!process.send) return;
  const beat = () => {
    if (process.connected) process.send?.('alive');
  };
  beat();
  setInterval(beat, period).unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep a process running that has ended its work.
  process.channel?.unref();
}
