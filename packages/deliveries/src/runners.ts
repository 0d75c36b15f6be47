/*
 * Exported as `@pdf2press/deliveries/runners`: how files are delivered. A kind without a line here does not compile.
 */
import { DeliveryFaultError, type DeliveryKind, type DeliveryStage } from '@pdf2press/contract';
import type { z } from 'zod';
import { deliveryContractOf, type deliveryContracts } from './contracts.ts';
import type { DeliveryContract, DeliveryRunner, DeliveryTools, OpenTarget, Parcel } from './delivery.ts';

export type {
  CloudAccount,
  DeliveryMessage,
  DeliveryTools,
  FileLink,
  MailTools,
  Parcel,
  Placing,
} from './delivery.ts';

type Contracts = typeof deliveryContracts;

/** Loaded when the first file is delivered to a target of the kind. */
const runners: { readonly [K in DeliveryKind]: () => Promise<{ runner: DeliveryRunner<Contracts[K]> }> } = {
  folder: () => import('./folder/run.ts'),
  s3: () => import('./s3/run.ts'),
  sftp: () => import('./sftp/run.ts'),
  cloud: () => import('./cloud/run.ts'),
  webhook: () => import('./webhook/run.ts'),
  email: () => import('./email/run.ts'),
};

/** A target as it is stored; the kind's own schemas read it. */
export interface StoredTarget {
  settings: Readonly<Record<string, unknown>>;
  /** In clear text: use at once and store nowhere. */
  secret: unknown;
  tools: DeliveryTools;
  signal: AbortSignal;
}

const invalid = (field: string) => new DeliveryFaultError('delivery.settingsInvalid', { field });

function read<S extends z.ZodType>(schema: S, value: unknown, fieldOf: (path: string) => string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(fieldOf(parsed.error.issues[0]?.path.join('.') ?? ''));
}

async function openTarget(
  { settings, secret, ...rest }: StoredTarget,
  schemaOf: (contract: DeliveryContract) => z.ZodObject,
): Promise<{
  contract: DeliveryContract;
  runner: DeliveryRunner<DeliveryContract>;
  target: OpenTarget<DeliveryContract>;
}> {
  const contract = deliveryContractOf(settings);
  if (!contract) throw invalid('kind');
  const { runner } = await runners[contract.kind]();
  return {
    contract,
    // The schemas below give what the runner of the same kind takes.
    runner: runner as unknown as DeliveryRunner<DeliveryContract>,
    target: {
      ...rest,
      settings: read(schemaOf(contract), settings, (path) => path),
      secret: read(contract.secret, secret, () => 'secret'),
    },
  };
}

/**
 * Delivers a file.
 * @returns where it lies, for people
 * @throws DeliveryFaultError
 */
export async function deliverFile(stored: StoredTarget, parcel: Parcel): Promise<string> {
  const { runner, target } = await openTarget(stored, ({ settings }) => settings);
  return runner.deliver(target, parcel);
}

export interface TargetTrial {
  stages: readonly DeliveryStage[];
  /** Where it ended; null = all stages were passed. */
  failed: { stage: DeliveryStage; fault: DeliveryFaultError } | null;
  hostKey: string | null;
}

/** Tries a target stage by stage with a small file that is removed again; an error that is none of the target's is thrown. */
export async function tryTarget(stored: StoredTarget): Promise<TargetTrial> {
  const { contract, runner, target } = await openTarget(stored, ({ tried, settings }) => tried ?? settings);
  const trial: TargetTrial = { stages: contract.stages, failed: null, hostKey: null };
  let stage: DeliveryStage = contract.stages[0] ?? 'write';
  const about = {
    reach: (next: DeliveryStage) => {
      stage = next;
    },
    hostKey: (key: string) => {
      trial.hostKey = key;
    },
  };
  try {
    await runner.tryOut(target, about);
  } catch (error) {
    const isLate = target.signal.aborted;
    const fault =
      error instanceof DeliveryFaultError ? error : isLate && new DeliveryFaultError('delivery.unreachable');
    if (!fault) throw error;
    trial.failed = { stage, fault };
  }
  return trial;
}
