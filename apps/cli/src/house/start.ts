import { freePort } from '@pdf2press/config/free-port';
import { readStartEnv } from './house-env.ts';
import { whenParentsEnd } from './processes.ts';
import { type Stack, startStack } from './stack.ts';

/** `pdf2press start`: runs the product until Ctrl-C, SIGTERM or the end of whoever started it. Exit code 0 or 1. */
export async function start(): Promise<number> {
  let stack: Stack | undefined;
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  whenParentsEnd(ask);
  try {
    const env = readStartEnv();
    const starting = startStack({ ...env, postgresPort: await freePort() });
    stack = await Promise.race([starting, asked.then(() => undefined)]);
    if (!stack) {
      await starting.then(
        (late) => late.stop(),
        () => undefined,
      ); // asked to stop while starting
      return 0;
    }
    console.log(`pdf2press is ready: ${stack.address}`);
    await Promise.race([asked, stack.failed]);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await stack?.stop();
  }
}
