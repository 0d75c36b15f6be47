/* Exported as `@pdf2press/engine/pulse`: the connection between a process and the process that started it. */

const period = 2_000;

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
