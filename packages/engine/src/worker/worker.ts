import { randomUUID } from 'node:crypto';
import type { DoorbellChoice } from '../bell/doorbell.ts';
import { listen } from '../bell/listen.ts';
import { pumpTick } from '../bell/pump.ts';
import { sweep } from '../bell/sweep.ts';
import type { EngineDeps } from '../deps.ts';
import { type EffectKind, effectContracts, isEffectKind } from '../effects/catalogue.ts';
import { kindsDue } from '../effects/claim-effects.ts';
import { beginDue } from '../effects/deliver.ts';
import type { EffectRuns } from '../effects/run.ts';
import { sweepSecrets } from '../effects/webhook/sweep-secrets.ts';
import { failpoint } from '../failpoint.ts';
import { keepFigures } from '../figures/sum-days.ts';
import { collectGarbage } from '../files/collect-garbage.ts';
import { isUnanswered } from '../postgres/postgres-errors.ts';
import { archiveDue } from '../retention/archive-due.ts';
import { removeDueFiles } from '../retention/remove-files.ts';
import { warnOfDeletion } from '../retention/warn-of-deletion.ts';
import type { ExecuteStep } from '../steps/run-step.ts';
import { defaultTiming, type Timing } from '../timing.ts';
import { type Repeated, repeat } from './repeat.ts';
import { openSlots } from './slots.ts';
import { warnOf } from './warn.ts';
import { openWatchedDoorbell } from './watched-doorbell.ts';

export interface WorkerOptions {
  /** For the connection that receives notices. */
  databaseUrl: string;
  instance: string;
  doorbell: DoorbellChoice;
  /** How many steps run at once. */
  slots: number;
  execute: ExecuteStep;
  workFolder: string;
  engineVersion: string;
  timing?: Partial<Timing>;
  /** The effects that this process delivers, by kind. */
  effects?: Partial<EffectRuns>;
  /** `Kind:version` of the steps that this process runs; default all of this release. */
  kinds?: readonly string[];
  /** The worker makes no progress although the database answers: the process should be started again. */
  onStuck?: (reason: string) => void;
}

export interface RunningWorker {
  /** Claims no more, gives running steps `timing.grace` to end, then gives the rest back as never tried. */
  stop(): Promise<void>;
  state(): {
    owner: string;
    running: number;
    isPump: boolean;
    isDoorbellUp: boolean;
    lastBeatAt: number;
  };
}

/** Per kind, so that a slow mail server does not delay the rendering of pages. */
const effectsAtOnce = 2;
/** Where the kind has limits of its own, so that one slow host does not delay the calls of others. */
const limitedAtOnce = 8;

const garbagePeriod = 15 * 60_000;
const figuresPeriod = 10 * 60_000;
/** Reads every workflow, so it is done seldom. */
const secretsPeriod = 6 * 3_600_000;

/** One loop per kind of effect, so that a slow kind delays no other. All are woken by one look at what is due. */
function startDeliveries(
  deps: EngineDeps,
  effects: Partial<EffectRuns>,
  { period, stopped }: { period: number; stopped: AbortSignal },
): Repeated {
  const warn = warnOf(deps)('worker.effects');
  const startKind = (kind: EffectKind): Repeated => {
    const atOnce = effectContracts[kind].limits ? limitedAtOnce : effectsAtOnce;
    const underWay = new Set<Promise<void>>();
    // None waits for another: the place of one that has ended is given away at once.
    const deliver = async () => {
      const count = atOnce - underWay.size;
      if (stopped.aborted || count === 0) return;
      for (const begun of await beginDue(deps, { [kind]: effects[kind] }, { count, stopped })) {
        const tried = begun.catch(warn).finally(() => {
          underWay.delete(tried);
          delivery.now();
        });
        underWay.add(tried);
      }
    };
    const delivery = repeat(deliver, null, warn);
    const stop = async () => {
      await delivery.stop();
      await Promise.all(underWay);
    };
    return { now: delivery.now, stop };
  };
  const kinds = Object.keys(effects).filter(isEffectKind);
  const deliveries = new Map(kinds.map((kind) => [kind, startKind(kind)]));
  const look = async () => {
    if (stopped.aborted || kinds.length === 0) return;
    for (const kind of await kindsDue(deps, kinds)) deliveries.get(kind)?.now();
  };
  const looker = repeat(look, period, warn);
  const stop = async () => {
    await looker.stop();
    await Promise.all([...deliveries.values()].map((delivery) => delivery.stop()));
  };
  return { now: looker.now, stop };
}

/**
 * Reports that a worker is stuck when its search for steps has not ended for `timing.stuck` although the database answers.
 * Without the database a new process could not work either.
 */
function watchSearch(
  deps: EngineDeps,
  timing: Timing,
  onStuck: (reason: string) => void,
): { noteEnd(): void; stop(): void } {
  let endedAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - endedAt < timing.stuck) return;
    deps.database
      .asHost((tx) => tx.$queryRaw`select 1`)
      .then(
        () => onStuck('idle'),
        (error: unknown) => isUnanswered(error) || onStuck('no answer'),
      )
      .finally(() => {
        endedAt = performance.now();
      });
  }, timing.watch);
  timer.unref();
  return {
    noteEnd: () => {
      endedAt = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** Periods between two runs of the pump while nothing is under way: new work wakes it, so only due times wait longer. */
const quietPeriods = 4;

/**
 * Runs steps: woken by the doorbell, and by searching at intervals for steps without a ring. Any worker may be the pump
 * (see `pump.ts`). One function, because starting and stopping handle the same parts in opposite order.
 */
export async function startWorker(deps: EngineDeps, options: WorkerOptions): Promise<RunningWorker> {
  const timing: Timing = { ...defaultTiming, ...options.timing };
  const owner = randomUUID();
  const stopped = new AbortController();
  const warn = warnOf(deps);
  let isPump = false;
  let lastBeatAt = Date.now();

  const onStuck = (reason: string) => {
    if (stopped.signal.aborted) return;
    deps.log?.({ level: 'error', event: 'worker.stuck', data: { reason } });
    options.onStuck?.(reason);
  };
  const slots = openSlots(deps, {
    ...options,
    owner,
    timing,
    onFree: () => {
      if (!doorbell.isUp()) searcher.now();
    },
  });
  const doorbell = await openWatchedDoorbell({
    owner,
    choice: options.doorbell,
    instance: options.instance,
    slots: options.slots,
    onRing: (id) => slots.answer(id).catch(warn('worker.ring')),
    onDeaf: () => onStuck('deaf'),
    ...(deps.log && { log: deps.log }),
  });
  const searchWatch = watchSearch(deps, timing, onStuck);

  async function search(): Promise<void> {
    await slots.fill(doorbell.isUp() ? timing.unheard : 0);
    searchWatch.noteEnd();
  }

  async function pump(): Promise<number | undefined> {
    if (stopped.signal.aborted) return undefined;
    const tick = await pumpTick(deps, timing, {
      isRinging: doorbell.isRinging(),
    });
    isPump = tick.isLeader;
    if (tick.rings.length > 0) failpoint('afterPump');
    await doorbell.ring(tick.rings);
    if (tick.rings.length > 0) failpoint('afterRing');
    await sweep(deps, tick, timing);
    return tick.isQuiet ? quietPeriods * timing.pump : undefined;
  }

  async function renewLeases(): Promise<void> {
    if (await slots.renew()) lastBeatAt = Date.now();
  }

  const searcher = repeat(search, timing.pump * 4, warn('worker.look'));
  const pumper = repeat(pump, timing.pump, warn('worker.pump'));
  const beater = repeat(renewLeases, timing.heartbeat, warn('worker.beat'));
  const deliveries = startDeliveries(deps, options.effects ?? {}, {
    period: timing.pump * 8,
    stopped: stopped.signal,
  });
  const janitor = repeat(
    async () => {
      if (!isPump) return;
      await warnOfDeletion(deps, stopped.signal);
      await removeDueFiles(deps, stopped.signal);
      await archiveDue(deps, stopped.signal);
      await collectGarbage(deps, stopped.signal);
    },
    garbagePeriod,
    warn('worker.garbage'),
  );
  const bookkeeper = repeat(
    async () => {
      await keepFigures(deps, stopped.signal);
    },
    figuresPeriod,
    warn('worker.figures'),
  );
  const sweeper = repeat(
    async () => {
      await sweepSecrets(deps);
    },
    secretsPeriod,
    warn('worker.secrets'),
  );
  const watcher = repeat(() => doorbell.watch(), timing.watch, warn('worker.doorbell'));
  const listener = listen({
    url: options.databaseUrl,
    channels: ['pdf2press_steps', 'pdf2press_stops', 'pdf2press_effects'],
    onNotice: (channel) => {
      if (channel === 'pdf2press_stops') return beater.now();
      if (channel === 'pdf2press_effects') return deliveries.now();
      if (doorbell.isRinging()) pumper.now();
      if (!doorbell.isUp()) searcher.now();
    },
    onConnect: () => {
      beater.now();
      pumper.now();
      searcher.now();
    },
    ...(deps.log && { log: deps.log }),
  });
  await renewLeases();

  return {
    state: () => ({
      owner,
      running: slots.running(),
      isPump,
      isDoorbellUp: doorbell.isUp(),
      lastBeatAt,
    }),
    stop: async () => {
      slots.close();
      searchWatch.stop();
      stopped.abort(new Error('the worker stops'));
      await Promise.all([
        ...[pumper, searcher, watcher, janitor, bookkeeper, sweeper, deliveries].map((repeated) => repeated.stop()),
        doorbell.pause().catch(warn('doorbell.pause')),
      ]);
      await slots.drain(timing.grace);
      await beater.stop();
      await slots.release();
      await Promise.all([doorbell.close(), listener.close()]);
    },
  };
}
