import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { localBin, runToEnd, whenParentsEnd } from './processes.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';
import { findBrowser } from './tools.ts';

/** The administrator that the journeys sign in as. The first journey makes it with the link that the first start prints. */
const administrator = { email: 'admin@pdf2press.test', password: 'Proof-4-Press!' };

/** Waits for the link that a first start prints; empty when none comes within five minutes. */
function listenForLink(): { hear: (line: string) => void; link: Promise<string> } {
  let found: (link: string) => void = () => undefined;
  const link = new Promise<string>((resolve) => {
    found = resolve;
  });
  return {
    hear: (line) => {
      const address = /https?:\S+\/setup#\S+/.exec(line)?.[0];
      if (address) found(address);
    },
    link: Promise.race([link, new Promise<string>((resolve) => setTimeout(resolve, 300_000, '').unref())]),
  };
}

/** The products that run. A signal that ends one run ends this process, so all of them must be stopped. */
const underWay = new Set<Stack>();
let isEnding = false;
/** Products start one after the other, so that two never choose the same free port. */
let lastStart: Promise<unknown> = Promise.resolve();
function startInTurn(options: () => Promise<StackOptions>): Promise<Stack> {
  const start = lastStart.then(async () => startStack(await options()));
  lastStart = start.catch(() => undefined); // the caller of that start gets the error
  return start;
}
const endAll = (): void => {
  if (isEnding) return;
  isEnding = true;
  void Promise.all([...underWay].map((stack) => stack.stop())).then(() => process.exit(1));
};

/**
 * Runs browser tests against the processes that `npm start` runs, with empty data in `folder`. Resolves to the exit code
 * and the file of Playwright's JSON report.
 */
export async function runJourneys(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<{ exitCode: number; report: string }> {
  const report = path.join(folder, 'journeys.json');
  const browser = await findBrowser();
  const printed = listenForLink();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll);
  whenParentsEnd(endAll);
  let stack: Stack | undefined;
  // Where a journey listens for the calls that steps make; a journey's mail server has a port of its own.
  const receiverPort = await freePort();
  // Where a journey keeps its archive.
  const archivePort = await freePort();
  // Where a journey's cloud services answer.
  const cloudPorts = { google: await freePort(), microsoft: await freePort() };
  // Where the people of a journey have their accounts.
  const signOnPort = await freePort();
  try {
    stack = await startInTurn(async () => ({
      port: await freePort(),
      postgresPort: await freePort(),
      dataDir: path.join(folder, 'data'),
      databaseUrl: undefined,
      isDurable: false,
      // All browser tests come from one address and sign in often.
      env: {
        RATE_LIMIT_FACTOR: '100',
        OVERLOAD_DELAY_MS: '600000',
        REMOTE_POLL_SECONDS: '2',
        OUTBOUND_ALLOWED_HOSTS: [
          ...[receiverPort, cloudPorts.google, cloudPorts.microsoft, signOnPort].map(
            (port) => `http://127.0.0.1:${port}`,
          ),
          '127.0.0.1',
        ].join(','),
        ARCHIVE_ENDPOINT: `http://127.0.0.1:${archivePort}`,
        GOOGLE_CLIENT_ID: 'the-client',
        GOOGLE_CLIENT_SECRET: 'the client secret',
        GOOGLE_ENDPOINT: `http://127.0.0.1:${cloudPorts.google}`,
        MICROSOFT_CLIENT_ID: 'the-client',
        MICROSOFT_CLIENT_SECRET: 'the client secret',
        MICROSOFT_ENDPOINT: `http://127.0.0.1:${cloudPorts.microsoft}`,
      },
      onLine: printed.hear,
    }));
    underWay.add(stack);
    const exitCode = await runToEnd(
      localBin('playwright', 'apps/web'),
      ['test', '--config', 'apps/web/playwright.config.ts', ...args],
      {
        ...browser.env,
        BASE_URL: stack.address,
        SETUP_LINK: await printed.link,
        RECEIVER_PORT: String(receiverPort),
        ARCHIVE_PORT: String(archivePort),
        GOOGLE_PORT: String(cloudPorts.google),
        MICROSOFT_PORT: String(cloudPorts.microsoft),
        SIGN_ON_PORT: String(signOnPort),
        DATABASE_URL: stack.databaseUrl,
        CHROMIUM_PATH: browser.executablePath,
        CHROMIUM_ARGS: JSON.stringify(browser.args),
        ADMIN_EMAIL: administrator.email,
        ADMIN_PASSWORD: administrator.password,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      },
    );
    return { exitCode, report };
  } finally {
    await stack?.stop();
    if (stack) underWay.delete(stack);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endAll);
  }
}
