import { type Lab, openLab } from './lab.ts';
import { startProcess, type WorkerProcess } from './processes.ts';

/** Long enough for a busy machine: for workers that a test does not expect to lose their lease. */
export const patient = { lease: 10_000, heartbeat: 1_000 };

type Start = (options?: Parameters<typeof startProcess>[1]) => WorkerProcess;

/** Runs a test in an installation of its own, with real worker processes; afterwards every invariant must hold. */
export async function inLab(
  server: { url: string },
  work: (lab: Lab, start: Start) => Promise<void>,
  options?: Parameters<typeof openLab>[1],
): Promise<void> {
  const lab = await openLab(server, options);
  const started: WorkerProcess[] = [];
  try {
    await work(lab, (of) => {
      const one = startProcess(lab, of);
      started.push(one);
      return one;
    });
    const broken = await lab.broken();
    if (broken.length > 0) throw new Error(broken.join('\n'));
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
    if (process.env.SHOW_OUTPUT) for (const one of started) process.stdout.write(one.output());
    await Promise.all(started.map(({ ended }) => ended));
    await lab.close();
  }
}
