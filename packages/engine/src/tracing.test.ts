import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { beginSpan, currentTrace, isTracingWanted, startTracing, traced } from './tracing.ts';

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_SERVICE_NAME: 'press' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
])('%j: %s', (variables, isWanted) => {
  expect(isTracingWanted(variables)).toBe(isWanted);
});

test('without them work runs as it is, and nothing of OpenTelemetry is loaded', async () => {
  await startTracing({ service: 'test', version: '1', warn: () => undefined });
  expect(beginSpan({ name: 'x' })).toBeUndefined();
  expect(currentTrace()).toBeUndefined();
  expect(await traced({ name: 'x' }, async () => 42)).toBe(42);
  const door = fileURLToPath(new URL('../dist/tracing.js', import.meta.url));
  const script = `const { startTracing } = await import(${JSON.stringify(door)});
    await startTracing({ service: 'x', version: '1', warn: () => {} });
    console.log(Object.getOwnPropertySymbols(globalThis).some((symbol) => String(symbol).includes('opentelemetry')));
    process.exit(0);`;
  const env = { PATH: process.env.PATH ?? '' };
  const loaded = (more: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...env, ...more },
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    });
  expect(loaded({}).stdout).toBe('false\n');
  // So that the line above can fail.
  expect(loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }).stdout).toBe('true\n');
});
