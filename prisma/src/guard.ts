import { Prisma } from './generated/client.ts';

/** Thrown when code asks the database for something that could read or write rows of another subscriber. Always a programming error. */
export class TenantWallError extends Error {
  override readonly name = 'TenantWallError';
}

type Args = Record<string, unknown>;
type Transaction = Prisma.TransactionClient;

/** Models by whether they carry `subscriberId`; `Subscriber` is restricted by its own id. */
const wallFieldOf = (model: string): 'subscriberId' | 'id' | undefined => {
  // The generated client exports the enumeration of each model under a name made from the model's.
  const fields = (Prisma as unknown as Record<string, Record<string, string> | undefined>)[`${model}ScalarFieldEnum`];
  if (fields && 'subscriberId' in fields) return 'subscriberId';
  return model === 'Subscriber' ? 'id' : undefined;
};

const modelByDelegate = new Map(
  Object.values(Prisma.ModelName).map((model) => [`${model[0]?.toLowerCase()}${model.slice(1)}`, model]),
);

const isPlain = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Prisma ignores `undefined` in a filter, so that the filter would match every row. */
function refuseUndefined(where: unknown, at: string): void {
  if (where === undefined) throw new TenantWallError(`undefined in ${at}`);
  if (Array.isArray(where)) for (const [index, item] of where.entries()) refuseUndefined(item, `${at}[${index}]`);
  else if (isPlain(where)) for (const [key, item] of Object.entries(where)) refuseUndefined(item, `${at}.${key}`);
}

/** Nested writes are refused because the filter does not apply to relations; scalar fields are written instead. */
function refuseConnect(data: Args, at: string): void {
  for (const [key, value] of Object.entries(data)) {
    if (!isPlain(value)) continue;
    if ('connect' in value || 'connectOrCreate' in value || 'disconnect' in value)
      throw new TenantWallError(`connect in ${at}.${key}: write the id instead`);
  }
}

function walled(values: Args, field: string, subscriberId: string, at: string): Args {
  if (field in values && values[field] !== subscriberId) throw new TenantWallError(`another ${field} in ${at}`);
  return { ...values, [field]: subscriberId };
}

const unfiltered = new Set(['create', 'createMany', 'createManyAndReturn']);

/** The arguments of one model call with the subscriber written into every filter and every row. */
function guardArgs(
  args: Args | undefined,
  operation: string,
  field: string | undefined,
  subscriberId: string | undefined,
): Args {
  const guarded: Args = { ...args };
  if ('where' in guarded) refuseUndefined(guarded.where, 'where');
  const isWalled = field !== undefined && subscriberId !== undefined;
  if (isWalled && !unfiltered.has(operation))
    guarded.where = walled((guarded.where as Args | undefined) ?? {}, field, subscriberId, 'where');
  for (const part of ['data', 'create', 'update'] as const) {
    const data = guarded[part];
    if (data === undefined) continue;
    const rows = Array.isArray(data) ? (data as Args[]) : [data as Args];
    for (const row of rows) refuseConnect(row, part);
    if (!isWalled) continue;
    const isNew = part === 'create' || unfiltered.has(operation);
    const written = rows.map((row) => (isNew || field in row ? walled(row, field, subscriberId, part) : row));
    guarded[part] = Array.isArray(data) ? written : written[0];
  }
  return guarded;
}

const refused = new Set([
  '$queryRawUnsafe',
  '$executeRawUnsafe',
  '$transaction',
  '$extends',
  '$connect',
  '$disconnect',
  '$on',
]);

/**
 * The part of the separation of subscribers that is code: a transaction whose models add the subscriber to filters and rows,
 * and refuse calls to which it cannot be added. Without `subscriberId` (the host) it only refuses.
 */
export function guardTransaction(transaction: Transaction, subscriberId?: string): Transaction {
  const delegates = new Map<string, unknown>();
  return new Proxy(transaction, {
    get(target, name: string | symbol, receiver) {
      if (typeof name === 'symbol') return Reflect.get(target, name, receiver);
      if (refused.has(name)) throw new TenantWallError(`${name} is not open inside a guarded transaction`);
      const model = modelByDelegate.get(name);
      const value: unknown = Reflect.get(target, name);
      if (model === undefined) return typeof value === 'function' ? value.bind(target) : value;
      const known = delegates.get(name);
      if (known) return known;
      const field = wallFieldOf(model);
      const delegate = new Proxy(value as object, {
        get(inner, operation) {
          const call: unknown = Reflect.get(inner, operation);
          if (typeof call !== 'function' || typeof operation === 'symbol') return call;
          return (args?: Args) => call.call(inner, guardArgs(args, operation, field, subscriberId));
        },
      });
      delegates.set(name, delegate);
      return delegate;
    },
  });
}
