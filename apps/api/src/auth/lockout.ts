import type { SystemSettings } from '@pdf2press/contract';
import { newId, Prisma, type Transaction } from '@pdf2press/prisma';

/** Failures after which a captcha is needed. */
export const captchaAfter = 3;
/** Seconds in which failures of an address and of a network are counted; an account has a count of its own. */
const networkWindow = 300;

/** Keys under which attempts are counted. A browser that signed in before has its own count: strangers cannot lock it out. */
export interface AttemptKeys {
  account: string;
  networks: { key: string; max: number }[];
}

export function attemptKeys(email: string, ip: string, device: string | undefined): AttemptKeys {
  if (device) return { account: `device:${device}:${email}`, networks: [] };
  const wide = ip.includes(':') ? ip.split(':').slice(0, 3).join(':') : ip.split('.').slice(0, 3).join('.');
  return {
    account: `account:${email}`,
    networks: [
      { key: `address:${ip}`, max: 20 },
      { key: `network:${wide}`, max: 100 },
    ],
  };
}

export const accountKey = (email: string): string => `account:${email}`;

const failuresOf = async (tx: Transaction, key: string, seconds: number): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from login_attempts
     where key = ${key} and not has_succeeded and at > clock_timestamp() - make_interval(secs => ${seconds}::int)
       and at > coalesce((select max(at) from login_attempts where key = ${key} and has_succeeded), '-infinity')`;
  return row?.count ?? 0;
};

export interface Standing {
  isLocked: boolean;
  needsCaptcha: boolean;
}

type Policy = SystemSettings['userSettings'];

/**
 * Whether an account is locked, and whether a captcha is needed, before the password is checked. An address with too many
 * failures may be shared by everybody behind it: with a captcha its people still sign in.
 * @param canProve false = there is no captcha, so an address with too many failures is locked
 */
export async function readStanding(
  tx: Transaction,
  keys: AttemptKeys,
  policy: Policy,
  { canProve }: { canProve: boolean },
): Promise<Standing> {
  const names = [keys.account, ...keys.networks.map(({ key }) => key)];
  const locks = await tx.$queryRaw<{ key: string }[]>`
    select key from lockouts where key = any(${names}) and until > clock_timestamp()`;
  const isAccountLocked = locks.some(({ key }) => key === keys.account);
  const isNetworkLocked = locks.length > (isAccountLocked ? 1 : 0);
  const failures = await failuresOf(tx, keys.account, policy.accountLockoutDurationInSeconds);
  return {
    isLocked: isAccountLocked || (isNetworkLocked && !canProve),
    needsCaptcha: failures >= captchaAfter || isNetworkLocked,
  };
}

const lock = (tx: Transaction, key: string, seconds: number, failures: number) => tx.$executeRaw`
  insert into lockouts (key, until, failures) values (${key}, clock_timestamp() + make_interval(secs => ${seconds}::int), ${failures})
  on conflict (key) do update set until = excluded.until, failures = excluded.failures`;

/**
 * Counts a failed attempt and locks what has had too many. Resolves to whether the account was locked by this one.
 * Attempts while locked are not counted, so that repeated attempts do not extend the lock. Attempts without a captcha are
 * not counted against the account, since their password was not checked.
 */
export async function recordFailure(
  tx: Transaction,
  keys: AttemptKeys,
  policy: Policy,
  { isLocked, isUntested, factor }: { isLocked: boolean; isUntested: boolean; factor: number },
): Promise<boolean> {
  if (isLocked) return false;
  let hasLocked = false;
  for (const { key, max, seconds, isAccount } of [
    {
      key: keys.account,
      max: policy.maxFailedLoginAttempts,
      seconds: policy.accountLockoutDurationInSeconds,
      isAccount: true,
    },
    ...keys.networks.map(({ key, max }) => ({ key, max: max * factor, seconds: networkWindow, isAccount: false })),
  ]) {
    if (isAccount && isUntested) continue;
    await tx.loginAttempt.create({ data: { id: newId('loginAttempt'), key, hasSucceeded: false } });
    if (isAccount && !policy.enableUserLockout) continue;
    const failures = await failuresOf(tx, key, seconds);
    if (failures < max) continue;
    await lock(tx, key, seconds, failures);
    hasLocked ||= isAccount;
  }
  return hasLocked;
}

/** A success ends the account's count; the networks' counts go on. */
export async function recordSuccess(tx: Transaction, keys: AttemptKeys): Promise<void> {
  await tx.loginAttempt.create({ data: { id: newId('loginAttempt'), key: keys.account, hasSucceeded: true } });
}

/** The address that a key counts for: of the account, or of a browser that signed in before. Null for a network's. */
const addressIn = Prisma.sql`substring(key from '^(?:account|device:[^:]*):(.*)$')`;

/** Lifts all locks of an account, also those of its own browsers: by an administrator, or by choosing a new password. */
export async function liftLock(tx: Transaction, email: string): Promise<void> {
  const lifted = await tx.$queryRaw<{ key: string }[]>`
    delete from lockouts where ${addressIn} = ${email} returning key`;
  const keys = [accountKey(email), ...lifted.map(({ key }) => key)];
  await tx.$executeRaw`delete from login_attempts where key = any(${keys})`;
}

/** Whether the account may be told by mail that it is locked: at most once an hour. */
export async function mayNotify(tx: Transaction, key: string): Promise<boolean> {
  const rows = await tx.$executeRaw`
    update lockouts set notified_at = clock_timestamp()
     where key = ${key} and (notified_at is null or notified_at < clock_timestamp() - interval '1 hour')`;
  return rows > 0;
}

/** Which of the e-mail addresses are locked now, for everybody or in a browser of their own. */
export async function lockedAmong(tx: Transaction, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ email: string }[]>`
    select ${addressIn} as email from lockouts where ${addressIn} = any(${[...emails]}) and until > clock_timestamp()`;
  return new Set(rows.map(({ email }) => email));
}
