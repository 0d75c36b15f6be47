import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { publicAccess } from '@pdf2press/contract';
import { type OperatingFigures, readOperatingFigures } from '@pdf2press/engine';
import { type ChildrenMemory, readChildrenMemory } from '@pdf2press/tasks/isolation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { readWorkers } from './health.ts';

/** However often it is asked, the database is asked once in this time. */
const freshMs = 5_000;
/** Upper bounds of the histogram of answers, in seconds. */
const bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string | number | boolean>>;
/** One value of a family; the suffix tells the parts of a histogram. */
interface Sample {
  value: number;
  labels?: Labels;
  suffix?: string;
}
interface Family {
  name: string;
  type: 'gauge' | 'counter' | 'histogram';
  help: string;
  samples: readonly Sample[];
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

function lineOf(name: string, { value, labels = {}, suffix = '' }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${quoted(String(text))}`);
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/**
 * The text format of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). Written by hand,
 * because the usual library brings another product's programming interface along for what are names, labels and numbers.
 */
const textOf = (families: readonly Family[]): string =>
  families
    .map(({ name, type, help, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => lineOf(name, sample)), ''].join(
        '\n',
      ),
    )
    .join('');

const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  type: 'gauge',
  help,
  samples,
});

function familiesOf({ steps, ended, waits, effects, sources }: OperatingFigures): Family[] {
  const stepLabels = ({ kind, status, isTrial }: OperatingFigures['steps'][number]) => ({
    kind,
    status,
    trial: isTrial,
  });
  return [
    gauge(
      'pdf2press_steps',
      'Steps that wait for a worker (Ready) or are worked on (Running).',
      steps.map((row) => ({ labels: stepLabels(row), value: row.count })),
    ),
    gauge(
      'pdf2press_steps_oldest_seconds',
      'How long the oldest of them has waited or run.',
      steps.map((row) => ({ labels: stepLabels(row), value: row.oldest })),
    ),
    gauge(
      'pdf2press_steps_ended',
      'Steps that ended within the last five minutes.',
      ended.map(({ kind, status, count }) => ({ labels: { kind, status }, value: count })),
    ),
    gauge(
      'pdf2press_steps_ended_seconds',
      'Seconds that these steps took together.',
      ended.map(({ kind, status, seconds }) => ({ labels: { kind, status }, value: seconds })),
    ),
    gauge(
      'pdf2press_waits',
      'Steps that wait for a person or a time.',
      waits.map(({ kind, count }) => ({ labels: { kind }, value: count })),
    ),
    gauge(
      'pdf2press_waits_oldest_seconds',
      'How long the oldest of them has waited.',
      waits.map(({ kind, oldest }) => ({ labels: { kind }, value: oldest })),
    ),
    gauge(
      'pdf2press_effects',
      'Messages, calls, deliveries and pictures to be made (Pending, Sending) or given up (Dead).',
      effects.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    ),
    gauge(
      'pdf2press_effects_late_seconds',
      'By how much the first of them is late.',
      effects
        .filter(({ state }) => state !== 'Dead')
        .map(({ kind, state, oldest }) => ({ labels: { kind, state }, value: oldest })),
    ),
    gauge(
      'pdf2press_sources',
      'Mailboxes and folders that are polled; failing ones, and those to be polled two minutes ago.',
      sources.flatMap(({ kind, count, failing, overdue }) => [
        { labels: { kind, state: 'all' }, value: count },
        { labels: { kind, state: 'failing' }, value: failing },
        { labels: { kind, state: 'overdue' }, value: overdue },
      ]),
    ),
    gauge(
      'pdf2press_sources_failing_seconds',
      'How long the first of the failing ones has failed.',
      sources.map(({ kind, failingFor }) => ({ labels: { kind }, value: failingFor })),
    ),
  ];
}

/** Counts the answers of this process. */
function countAnswers(app: FastifyInstance): () => Family[] {
  const totals = new Map<string, { labels: Labels; count: number }>();
  const buckets = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    // The route instead of the address: addresses are without number, and hold names and search words.
    const labels = { method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    const key = JSON.stringify(labels);
    const total = totals.get(key) ?? { labels, count: 0 };
    total.count += 1;
    totals.set(key, total);
    const seconds = reply.elapsedTime / 1000;
    sum += seconds;
    const at = bounds.findIndex((bound) => seconds <= bound);
    const place = at < 0 ? bounds.length : at;
    buckets[place] = (buckets[place] ?? 0) + 1;
  });
  return () => {
    let below = 0;
    const cumulative = buckets.map((count, at): Sample => {
      below += count;
      return { suffix: '_bucket', labels: { le: bounds[at] ?? '+Inf' }, value: below };
    });
    return [
      {
        name: 'pdf2press_http_requests_total',
        type: 'counter',
        help: 'Requests that this process has answered.',
        samples: [...totals.values()].map(({ labels, count }) => ({ labels, value: count })),
      },
      {
        name: 'pdf2press_http_request_seconds',
        type: 'histogram',
        help: 'Seconds until the answer was sent.',
        samples: [...cumulative, { suffix: '_sum', value: sum }, { suffix: '_count', value: below }],
      },
    ];
  };
}

/** What a worker of this machine wrote of its children; nothing where it is of a release that did not. */
const childrenOf = (worker: unknown): ChildrenMemory[] =>
  typeof worker === 'object' && worker !== null && 'children' in worker && Array.isArray(worker.children)
    ? worker.children
    : [];

/** Memory of the processes that open PDFs, those of this process and those of the workers on this machine together. */
function childFamilies(workers: readonly unknown[]): Family[] {
  const all = [...readChildrenMemory(), ...workers.flatMap(childrenOf)];
  const tasks = [...new Set(all.map(({ task }) => task))];
  const family = (name: string, help: string, figure: (some: readonly ChildrenMemory[]) => number): Family =>
    gauge(
      name,
      help,
      tasks.map((task) => ({ labels: { task }, value: figure(all.filter((one) => one.task === task)) })),
    );
  const sum = (of: (one: ChildrenMemory) => number) => (some: readonly ChildrenMemory[]) =>
    some.reduce((total, one) => total + of(one), 0);
  const most = (of: (one: ChildrenMemory) => number) => (some: readonly ChildrenMemory[]) => Math.max(...some.map(of));
  return [
    family(
      'pdf2press_children',
      'Processes that open PDFs now, on this machine.',
      sum(({ running }) => running),
    ),
    family(
      'pdf2press_children_memory_bytes',
      'Memory that they hold together.',
      sum((one) => one.residentBytes),
    ),
    family(
      'pdf2press_child_peak_memory_bytes',
      'The most that one of them held within the last five minutes.',
      most((one) => one.peakBytes),
    ),
    family(
      'pdf2press_child_memory_limit_bytes',
      'The most that one may take.',
      most((one) => one.limitBytes),
    ),
  ];
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * `GET /metrics` for Prometheus, where `METRICS_TOKEN` is set: figures of the whole installation from the database, and of
 * this process. No label names a subscriber, a person or a file.
 */
export function installMetrics(app: FastifyInstance, deps: ApiDeps): void {
  const { metricsToken } = deps.env;
  if (metricsToken === undefined) return;
  const wanted = digest(`Bearer ${metricsToken}`);
  const isSignedIn = ({ headers }: FastifyRequest): boolean =>
    timingSafeEqual(digest(headers.authorization ?? ''), wanted);
  const answers = countAnswers(app);
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook('onClose', async () => void delay.disable());

  let read: { at: number; figures: Promise<OperatingFigures> } | undefined;
  const figures = (): Promise<OperatingFigures> => {
    if (!read || performance.now() - read.at > freshMs) {
      read = { at: performance.now(), figures: readOperatingFigures({ database: deps.db }) };
      read.figures.catch(() => {
        read = undefined; // whoever asked gets the error; the next one asks anew
      });
    }
    return read.figures;
  };

  app.get('/metrics', { config: { access: publicAccess } }, async (request, reply): Promise<FastifyReply> => {
    reply.header('Cache-Control', 'no-store');
    if (!isSignedIn(request)) return reply.code(401).header('WWW-Authenticate', 'Bearer').send();
    const [now, room, workers] = await Promise.all([figures(), deps.storage.room(), readWorkers(deps)]);
    const store = room
      ? [
          gauge('pdf2press_store_free_bytes', 'Free bytes where the files lie.', [{ value: room.freeBytes }]),
          gauge('pdf2press_store_bytes', 'All bytes there.', [{ value: room.totalBytes }]),
        ]
      : [];
    const lag = delay.percentile(99) / 1e9;
    delay.reset();
    return reply
      .header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(
        textOf([
          ...familiesOf(now),
          ...store,
          gauge('pdf2press_workers', 'Workers on this machine that reported within forty seconds.', [
            { value: workers.length },
          ]),
          ...childFamilies(workers),
          ...answers(),
          gauge('pdf2press_event_loop_lag_seconds', 'Delay of this process, 99th percentile since it was asked last.', [
            { value: Number.isFinite(lag) ? lag : 0 },
          ]),
          gauge('process_resident_memory_bytes', 'Memory of this process.', [{ value: process.memoryUsage.rss() }]),
        ]),
      );
  });
}
